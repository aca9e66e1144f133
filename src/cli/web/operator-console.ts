import { nextBackup } from '../../backup/due.ts';
import { networkGuard } from '../../client/address-guard.ts';
import { readConfig } from '../../config.ts';
import type { ConfigStore } from '../../config/change/config-store.ts';
import type { Engine, Operator } from '../../operator/frame/operator.ts';
import type { OperatorConsole } from '../../operator/handle-operator.ts';
import { makeDoor } from '../../site/authorize/operator-door.ts';
import { waitingForReview } from '../../site/store/suggestions.ts';
import type { Handle, Route } from '../../web/start-web.ts';
import { watchedSources } from '../terminal/watched-sources.ts';
import { whatsNew } from '../terminal/whats-new.ts';
import { fetchPasted } from './fetch-pasted.ts';
import { peopleOf } from './people.ts';
import type { App } from '../open/open-context.ts';
import { timesOf } from '../backups/scheduled-backups.ts';
import { draftSettings, setupWith } from '../open/source-setup.ts';

/** The loopback addresses of this machine. */
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** The console as served. */
export interface ServedConsole {
  readonly routes: readonly Route[];
  /** Ends the streams of open pages. */
  readonly close: () => Promise<void>;
}

/** `/operator` and below. Its modules are loaded with the first request. */
export function operatorConsole(app: App, engine: Engine, configFile: ConfigStore): ServedConsole {
  let made: { readonly publicUrl: string; readonly console: Promise<OperatorConsole> } | undefined;
  const make = async (publicUrl: string): Promise<OperatorConsole> => {
    const { makeOperatorConsole } = await import('../../operator/handle-operator.ts');
    return makeOperatorConsole({
      operator: {
        context: app.context,
        config: app.inForce.config,
        watched: () => watchedSources(app.inForce.config()),
        configFile,
        people: peopleOf(() => app.state.database.query()),
        sites: () =>
          [...app.sites.sites.values()].map(({ name, key, home, isBuiltin, client }) => ({
            name,
            key,
            home,
            isBuiltin,
            client,
          })),
        publicUrl,
        engine,
        forgetEvent: (site, slug) => forgetOn(app, site, slug),
        nextBackup: (known, now) => nextBackup(known, timesOf(app.inForce.config().backup), now),
        waitingForReview: () => waitingForReview(app.state.database.query()),
        whatsNew: () => whatsNew(app.state.database.query()),
        fetchPasted: (address) => fetchPasted(address, app.inForce.config()),
        check: (text) => readConfig(app.inForce.config().file, Buffer.from(text)),
        draftSettings,
        setupWith,
      },
      door: makeDoor('operator', app.state.database.query(), publicUrl, app.context.now),
      isAllowed: (peer) => networkGuard([...LOOPBACK, ...app.inForce.config().operator.allowAddresses])(peer),
    });
  };
  const close = async (): Promise<void> => (await made?.console)?.close();
  const handle: Handle = async (request, peer) => {
    const { publicUrl } = app;
    if (made?.publicUrl !== publicUrl) {
      // Open pages reconnect and get the new one.
      void close();
      made = { publicUrl, console: make(publicUrl) };
    }
    return (await made.console).handle(request, peer);
  };
  return {
    routes: [
      ['/operator', handle],
      ['/operator/*', handle],
    ],
    close,
  };
}

/** Loads its modules only when needed, which is rare. */
async function forgetOn(app: App, key: string, slug: string): ReturnType<Operator['forgetEvent']> {
  const site = [...app.sites.sites.values()].find((each) => each.key === key);
  if (!site) return undefined;
  const { forgetOnSite } = await import('../open/forget-on-site.ts');
  return forgetOnSite(app, site, slug);
}
