import { alertSettings } from '../../alerts/alert-settings.ts';
import { openAlertHttp } from '../../alerts/channels/alert-http.ts';
import type { AlertSettings } from '../../alerts/settings.ts';
import type { Config } from '../../config/config.ts';
import { zonesOfSites } from '../../run/state/site-zones.ts';
import { keyOfSite } from '../terminal/site-key.ts';
import { watchedSources } from '../terminal/watched-sources.ts';
import type { App } from './open-context.ts';

/** Tells people how the sources are. */
export interface Alerts {
  /** A run has ended: what is to be told of it is told soon. */
  readonly ended: () => void;
  /** Tells what there is to tell now. */
  readonly look: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const LOOK_EVERY_MS = 60_000;
/** Many runs may end at once. */
const BETWEEN_LOOKS_MS = 5_000;

type Parts = Pick<App, 'context' | 'inForce' | 'publicUrl'>;

/** What the configuration in force says of alerts. */
async function settingsNow({ context, inForce, publicUrl }: Parts): Promise<AlertSettings> {
  const config = inForce.config();
  const zoneOf = await zonesOfSites(context.database.query(), config.builtin.timezone);
  return alertSettings(config, { base: publicUrl, zoneOf, firstSite: firstSiteOf(config) });
}

/** The key of the site whose clock the receivers' hours are told by. */
export function firstSiteOf({ sites }: Pick<Config, 'sites'>): string {
  const [first] = Object.values(sites);
  return first === undefined ? 'builtin' : keyOfSite(first);
}

const hasReceivers = ({ inForce }: Parts): boolean => {
  const { webhook, receivers } = inForce.config().alerts;
  return webhook !== undefined || receivers.length > 0;
};

/** Looks every minute, and after runs. Without receivers nothing is loaded or asked. */
export function openAlerts(app: Parts): Alerts {
  const { database, log, now } = app.context;
  const http = openAlertHttp();
  const lookingSince = now();
  let running: Promise<void> = Promise.resolve();
  let lastAt = Number.NEGATIVE_INFINITY;
  let soon: NodeJS.Timeout | undefined;
  const lookNow = async (): Promise<void> => {
    if (!hasReceivers(app)) return;
    lastAt = now();
    const [{ look }, { watchSources }, { submittedItems }] = await Promise.all([
      import('../../alerts/look.ts'),
      import('../../alerts/watch-sources.ts'),
      import('../../site/store/suggestions.ts'),
    ]);
    const sources = await watchedSources(app.inForce.config());
    await look({
      database,
      log,
      http,
      now,
      watched: (at) => watchSources(database.query(), sources, at),
      submissions: () => submittedItems(database.query()),
      settings: await settingsNow(app),
      lookingSince,
    });
  };
  const look = (): Promise<void> => {
    // One after the other: what the earlier one has sent the later one knows.
    const next = running.then(lookNow);
    running = next.catch(() => undefined);
    return next;
  };
  const lookAndLog = (): void => {
    look().catch((error: unknown) => log.error({ error }, 'what is to be told could not be looked up; trying again'));
  };
  const timer = setInterval(lookAndLog, LOOK_EVERY_MS);
  timer.unref();
  return {
    look,
    ended: () => {
      if (soon !== undefined || !hasReceivers(app)) return;
      soon = setTimeout(
        () => {
          soon = undefined;
          lookAndLog();
        },
        Math.max(0, lastAt + BETWEEN_LOOKS_MS - now()),
      );
    },
    close: async () => {
      clearInterval(timer);
      clearTimeout(soon);
      await running;
      await http.close();
    },
  };
}
