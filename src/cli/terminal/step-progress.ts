import type { Io } from './io.ts';

const NUMBER = new Intl.NumberFormat('en');
const LINE_EVERY_MS = 30_000;
const REDRAW_EVERY_MS = 100;

/** How far work in steps has come. */
export interface Step {
  readonly doing: string;
  readonly done: number;
  readonly of: number;
  readonly rows: number;
}

/**
 * Shows how far it is: a line that is overwritten on a terminal, a line every 30 seconds elsewhere. `clock` counts
 * milliseconds, from any moment on.
 */
export function tellSteps(
  io: Io,
  what: string,
  clock: () => number = () => performance.now(),
): { readonly tell: (step: Step) => void; readonly close: () => void } {
  let shownAt = io.isTerminal ? Number.NEGATIVE_INFINITY : clock();
  const clear = io.isTerminal ? '\r\u001b[K' : '';
  return {
    tell: (step) => {
      if (clock() - shownAt < (io.isTerminal ? REDRAW_EVERY_MS : LINE_EVERY_MS)) return;
      shownAt = clock();
      const line = `  ${what}: ${stepInWords(step)}`;
      io.err(io.isTerminal ? `${clear}${line.slice(0, (io.columns?.() ?? 80) - 1)}` : `${line}\n`);
    },
    close: () => {
      if (io.isTerminal) io.err(clear);
    },
  };
}

/** "12 of 48 tables, about 120,000 rows: site.events". */
export const stepInWords = ({ doing, done, of, rows }: Step): string =>
  `${done} of ${of} tables, about ${NUMBER.format(rows)} rows: ${doing}`;
