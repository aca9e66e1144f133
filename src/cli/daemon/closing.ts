import type { App } from '../open/open-context.ts';

/** A part of the daemon that needs an orderly shutdown; `what` names what would be cut off without it. */
export interface Closing {
  readonly what: string;
  readonly close: () => Promise<void>;
}

/** How long the database may be silent before the shutdown stops waiting for it. */
const SILENCE_MS_MAX = 10_000;

/**
 * Closes all parts, one after the other. If the database does not answer meanwhile, none of them can finish, so the
 * rest is left as if killed, and the next start continues it.
 */
export async function closeUnlessSilent(closing: readonly Closing[], app: App | undefined): Promise<void> {
  const left = new Set(closing.map(({ what }) => what));
  const closed = closeAll(closing, (what) => left.delete(what)).then(() => true);
  const silence = app?.state.silence(SILENCE_MS_MAX).then(() => false);
  if (await (silence ? Promise.race([closed, silence]) : closed)) return;
  // Later failures are part of what is left.
  closed.catch(() => undefined);
  app?.context.log.warn(
    { left: [...left] },
    `the database has not answered for ${SILENCE_MS_MAX / 1000} seconds: stopping without it; the next start continues what is left`,
  );
}

/** A failure to close one part does not keep the next from closing. The database comes last. */
async function closeAll([first, ...rest]: readonly Closing[], onClosed: (what: string) => void): Promise<void> {
  if (!first) return;
  const { what, close } = first;
  await close()
    .then(() => onClosed(what))
    .finally(() => closeAll(rest, onClosed));
}
