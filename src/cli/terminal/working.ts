import type { Io } from './io.ts';
import { durationInWords } from './progress.ts';

/** Shorter work is over before anybody wonders. */
const SILENT_MS = 1_000;
const REDRAW_EVERY_MS = 500;
const LINE_EVERY_MS = 30_000;
const NUMBER = new Intl.NumberFormat('en');

/** Takes how far the work has come. */
export type Count = (done: number, of: number) => void;

/**
 * Says on the error stream what is going on while it does, once that takes longer than a second: a line that is
 * overwritten on a terminal, a line every 30 seconds elsewhere. `clock` counts milliseconds, from any moment on.
 */
export async function whileWorking<T>(
  io: Io,
  what: string,
  work: (count: Count) => Promise<T>,
  clock: () => number = () => performance.now(),
): Promise<T> {
  const begun = clock();
  const clear = io.isTerminal ? '\r\u001b[K' : '';
  let come: { readonly done: number; readonly of: number } | undefined;
  let isShown = false;
  const timer = setInterval(
    () => {
      if (clock() - begun < SILENT_MS) return;
      isShown = true;
      const line = workInWords(what, clock() - begun, come);
      io.err(io.isTerminal ? `${clear}${line.slice(0, (io.columns?.() ?? 80) - 1)}` : `${line}\n`);
    },
    io.isTerminal ? REDRAW_EVERY_MS : LINE_EVERY_MS,
  );
  try {
    return await work((done, of) => {
      come = { done, of };
    });
  } finally {
    clearInterval(timer);
    if (isShown && io.isTerminal) io.err(clear);
  }
}

/** "  testing the sources: 30 of 120, 1.5 a second, 1 min left", without counts "  reading the feed: 12 s". */
export function workInWords(
  what: string,
  ms: number,
  come: { readonly done: number; readonly of: number } | undefined,
): string {
  if (!come) return `  ${what}: ${durationInWords(ms)}`;
  const { done, of } = come;
  const perSecond = (done / ms) * 1_000;
  const rate =
    done === 0 || done >= of
      ? ''
      : `, ${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)} a second, ${durationInWords(((of - done) / perSecond) * 1_000)} left`;
  return `  ${what}: ${NUMBER.format(done)} of ${NUMBER.format(of)}${rate}`;
}
