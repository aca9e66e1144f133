import type { Logger } from '../log.ts';
import { emptyTrash, publishDue } from '../site/store/housekeeping.ts';
import type { SiteTables } from '../site/tables.ts';
import type { App } from './open-context.ts';

const EVERY_MS = 30_000;

/** Does what is due on the built-in site with time: publishes what was scheduled, empties the trash. Gives what stops it. */
export function keepHouse({ sites: { builtin }, state, context: { now, log } }: App): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const tidy = async (): Promise<void> => {
    const site = { db: state.database.query<SiteTables>(), settings: builtin.settings, now: now() };
    const [published, emptied] = [await publishDue(site), await emptyTrash(site)];
    if (published + emptied > 0) log.info({ published, emptied }, 'the built-in site was tidied');
  };
  const start = (): void => { running = tidy().catch((error: unknown) => report(log, error)); };
  const timer = setInterval(start, EVERY_MS);
  start();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

const report = (log: Logger, error: unknown): void => log.error({ error }, 'tidying the built-in site failed; it is tried again');
