import { cutTo } from '../text/text-width.ts';
import type { Io } from '../terminal/io.ts';
import { durationInWords } from './pace.ts';

/** Progress on the error stream: on a terminal a line that is overwritten, elsewhere a line every 30 seconds. */
export interface StatusLine {
  /** Prints a line that stays. */
  readonly say: (line: string) => void;
  /** Reports a wait, and the reason for it. */
  readonly waits: (who: string, ms: number, because: string) => void;
  /** Removes the line, so that something else can be printed; it reappears if there is more to report. */
  readonly clear: () => void;
  readonly close: () => void;
}

/** Shorter work needs no status. */
export const SILENT_MS = 1_000;
const REDRAW_EVERY_MS = 500;
const LINE_EVERY_MS = 30_000;
/** Shorter waits are not reported. */
const WAIT_SHOWN_MS_MIN = 2_000;
const COLUMNS_USUAL = 80;

/**
 * Shows the text that `line` returns, once the work takes longer than a second; nothing while it is undefined. `clock`
 * counts milliseconds from any starting point.
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
    // A longer line would wrap and could not be overwritten.
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
