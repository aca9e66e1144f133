import { alertSettings } from '../../alerts/alert-settings.ts';
import { openAlertHttp } from '../../alerts/channels/alert-http.ts';
import type { AlertSettings } from '../../alerts/settings.ts';
import type { Config } from '../../config/config.ts';
import { zonesOfSites } from '../../run/state/site-zones.ts';
import { keyOfSite } from '../terminal/site-key.ts';
import { watchedSources } from '../terminal/watched-sources.ts';
import type { App } from './open-context.ts';

/** Sends alerts about the state of the sources. */
export interface Alerts {
  /** Called when a run has ended, so that its alerts are sent soon. */
  readonly ended: () => void;
  /** Sends the alerts that are due now. */
  readonly sendDue: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const CHECK_EVERY_MS = 60_000;
/** Many runs may end at the same time. */
const BETWEEN_LOOKS_MS = 5_000;

type Parts = Pick<App, 'context' | 'inForce' | 'publicUrl'>;

/** The alert settings of the configuration in force. */
async function settingsNow({ context, inForce, publicUrl }: Parts): Promise<AlertSettings> {
  const config = inForce.config();
  const zoneOf = await zonesOfSites(context.database.query(), config.builtin.timezone);
  return alertSettings(config, { base: publicUrl, zoneOf, firstSite: firstSiteOf(config) });
}

/** The key of the site whose zone applies to the receivers' hours. */
export function firstSiteOf({ sites }: Pick<Config, 'sites'>): string {
  const [first] = Object.values(sites);
  return first === undefined ? 'builtin' : keyOfSite(first);
}

const hasReceivers = ({ inForce }: Parts): boolean => {
  const { webhook, receivers } = inForce.config().alerts;
  return webhook !== undefined || receivers.length > 0;
};

/** Checks every minute and after runs. Without receivers, loads and asks nothing. */
export function openAlerts(app: Parts): Alerts {
  const { database, log, now } = app.context;
  const http = openAlertHttp();
  const checkingSince = now();
  let running: Promise<void> = Promise.resolve();
  let lastAt = Number.NEGATIVE_INFINITY;
  let soon: NodeJS.Timeout | undefined;
  const checkNow = async (): Promise<void> => {
    if (!hasReceivers(app)) return;
    lastAt = now();
    const [{ sendDueMessages }, { watchSources }, { submittedItems }] = await Promise.all([
      import('../../alerts/send-due-messages.ts'),
      import('../../alerts/watch-sources.ts'),
      import('../../site/store/suggestions.ts'),
    ]);
    const sources = await watchedSources(app.inForce.config());
    await sendDueMessages({
      database,
      log,
      http,
      now,
      watched: (at) => watchSources(database.query(), sources, at),
      submissions: () => submittedItems(database.query()),
      settings: await settingsNow(app),
      checkingSince,
    });
  };
  const sendDue = (): Promise<void> => {
    // One check at a time, so that a later one knows what an earlier one has sent.
    const next = running.then(checkNow);
    running = next.catch(() => undefined);
    return next;
  };
  const checkAndLog = (): void => {
    sendDue().catch((error: unknown) => log.error({ error }, 'could not look up which alerts are due; trying again'));
  };
  const timer = setInterval(checkAndLog, CHECK_EVERY_MS);
  timer.unref();
  return {
    sendDue,
    ended: () => {
      if (soon !== undefined || !hasReceivers(app)) return;
      soon = setTimeout(
        () => {
          soon = undefined;
          checkAndLog();
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
