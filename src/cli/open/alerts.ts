import { openHttp } from '../../client/http.ts';
import {
  alertFor,
  claimAlert,
  failuresBefore,
  lateAlerts,
  returnAlert,
  type Alert,
} from '../../run/decisions/alert.ts';
import type { RunContext } from '../../run/state/context.ts';
import { sendAlert } from '../../run/decisions/send-alert.ts';
import type { Report } from '../../sync/model/plan.ts';

/** Sends alerts about runs to the operator's webhook. */
export interface Alerts {
  /** A run has ended. */
  readonly ended: (report: Report) => Promise<void>;
  /** Reports sources that have been failing for a long time. */
  readonly look: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const LOOK_EVERY_MS = 60_000;

/** Tells a webhook, where there is one at the moment; call `ended` after each run, the rest happens by itself. */
export function openAlerts(context: Pick<RunContext, 'database' | 'log'>, webhook: () => URL | undefined): Alerts {
  const { database, log } = context;
  const http = openHttp({
    connectionsPerHost: 1,
    connectTimeoutMs: 5_000,
    headersTimeoutMs: 10_000,
    idleTimeoutMs: 10_000,
  });
  const tell = async (alert: Alert): Promise<void> => {
    const query = database.query();
    const address = webhook();
    if (!address || !(await claimAlert(query, alert.run))) return;
    const refused = await sendAlert(http, address, alert);
    if (refused === undefined) return;
    await returnAlert(query, alert.run);
    log.error({ run: alert.run, reason: refused }, 'the alert webhook did not accept the alert');
  };
  const look = async (): Promise<void> => {
    if (!webhook()) return;
    for (const alert of await lateAlerts(database.query())) await tell(alert);
  };
  const timer = setInterval(() => {
    look().catch((error: unknown) =>
      log.error({ error }, 'failing sources could not be looked up; trying again later'),
    );
  }, LOOK_EVERY_MS);
  return {
    look,
    ended: async (report) => {
      const alert = alertFor(report, await failuresBefore(database.query(), report));
      if (alert) await tell(alert);
    },
    close: async () => {
      clearInterval(timer);
      await http.close();
    },
  };
}
