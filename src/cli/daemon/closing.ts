import type { App } from '../open/open-context.ts';

/** A part of the daemon that has to end in an orderly way; `what` names what is cut off otherwise. */
export interface Closing {
  readonly what: string;
  readonly close: () => Promise<void>;
}

/** Without an answer for this long, the database is not waited for. */
const SILENCE_MS_MAX = 10_000;

/**
 * Ends all parts, one after the other. If the database does not answer meanwhile, none of them could end: then the rest
 * is left as a kill would leave it, and the next start continues from there.
 */
export async function closeUnlessSilent(closing: readonly Closing[], app: App | undefined): Promise<void> {
  const left = new Set(closing.map(({ what }) => what));
  const closed = closeAll(closing, (what) => left.delete(what)).then(() => true);
  const silence = app?.state.silence(SILENCE_MS_MAX).then(() => false);
  if (await (silence ? Promise.race([closed, silence]) : closed)) return;
  // What fails from here on is cut off as well.
  closed.catch(() => undefined);
  app?.context.log.warn(
    { left: [...left] },
    `the database has not answered for ${SILENCE_MS_MAX / 1000} seconds: stopping without it; the next start continues what is left`,
  );
}

/** A failure to close one does not keep the next from closing. The database comes last. */
async function closeAll([first, ...rest]: readonly Closing[], onClosed: (what: string) => void): Promise<void> {
  if (!first) return;
  const { what, close } = first;
  await close()
    .then(() => onClosed(what))
    .finally(() => closeAll(rest, onClosed));
}
