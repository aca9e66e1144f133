import { cutTo } from '../text/text-width.ts';
import type { Io } from '../terminal/io.ts';
import { durationInWords } from './pace.ts';

/** What goes on, on the error stream: a line that is overwritten on a terminal, a line every 30 seconds elsewhere. */
export interface StatusLine {
  /** A line that stays. */
  readonly say: (line: string) => void;
  /** Says what is waited for, and why. */
  readonly waits: (who: string, ms: number, because: string) => void;
  /** Takes the line off, so that something else can be printed; it comes back while there is anything to say. */
  readonly clear: () => void;
  readonly close: () => void;
}

/** Shorter work is over before anybody wonders. */
export const SILENT_MS = 1_000;
const REDRAW_EVERY_MS = 500;
const LINE_EVERY_MS = 30_000;
/** Shorter waits are part of the work. */
const WAIT_SHOWN_MS_MIN = 2_000;
const COLUMNS_USUAL = 80;

/**
 * Shows what `line` says, once that takes longer than a second; nothing while it is undefined. `clock` counts
 * milliseconds, from any moment on.
 */
export function statusLine(io: Io, line: () => string | undefined, clock: () => number): StatusLine {
  const begun = clock();
  let isShown = false;
  let lastWait = '';
  const clear = (): void => {
    if (isShown) io.err('\r\u001b[K');
    isShown = false;
  };
  const draw = (): void => {
    const text = clock() - begun < SILENT_MS ? undefined : line();
    if (text === undefined) return;
    if (!io.isTerminal) return io.err(`${text}\n`);
    isShown = true;
    // A wider one could not be overwritten.
    io.err(`\r\u001b[K${cutTo(text, (io.columns?.() ?? COLUMNS_USUAL) - 1)}`);
  };
  const say = (text: string): void => {
    clear();
    io.err(`${text}\n`);
  };
  const timer = setInterval(draw, io.isTerminal ? REDRAW_EVERY_MS : LINE_EVERY_MS);
  return {
    say,
    waits: (who, ms, because) => {
      const wait = `  ${who}: waiting ${durationInWords(ms)}: ${because}`;
      // Several requests may wait for the same thing.
      if (ms < WAIT_SHOWN_MS_MIN || wait === lastWait) return;
      lastWait = wait;
      say(wait);
    },
    clear,
    close: () => {
      clearInterval(timer);
      clear();
    },
  };
}
