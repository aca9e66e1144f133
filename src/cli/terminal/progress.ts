import type { OnProgress, Progress, Share } from '../../run/state/progress.ts';
import type { Io } from './io.ts';

/**
 * Shows the progress of a command's runs on the error stream: a line that is overwritten on a terminal, a line every 30
 * seconds elsewhere.
 */
export interface ProgressTeller {
  /** A run of a source begins; returns the function that takes its progress. */
  readonly begin: (source: string) => OnProgress;
  readonly end: (source: string) => void;
  /** A line that stays. */
  readonly say: (line: string) => void;
  /** A wait that does not belong to one run, such as a site's. */
  readonly waits: (who: string, ms: number, because: string) => void;
  readonly close: () => void;
}

const LINE_EVERY_MS = 30_000;
const REDRAW_EVERY_MS = 1_000;
/** Shorter waits are part of the work. */
const WAIT_SHOWN_MS_MIN = 2_000;
/** The period over which the rate is measured. */
const RATE_MS = 60_000;

/** A run as it is shown. */
export interface Shown {
  readonly source: string;
  /** Undefined while it reads. */
  readonly writing?: Extract<Progress, { kind: 'writing' }>;
  /** When its wait ends; milliseconds on the clock of the teller. */
  readonly waitsUntil?: number;
}

/** `clock` counts milliseconds, from any moment on. */
export function tellProgress(io: Io, clock: () => number = () => performance.now()): ProgressTeller {
  const runs = new Map<string, Shown>();
  const rate = makeRate(clock);
  let lastWait = '';
  const line = (): string => progressInWords([...runs.values()], rate.perSecond(), clock());
  const clear = io.isTerminal ? '\r\u001b[K' : '';
  const draw = (): void => {
    if (io.isTerminal) io.err(`${clear}${fitted(line(), io.columns?.() ?? 80)}`);
  };
  const say = (text: string): void => {
    io.err(`${clear}${text}\n`);
    draw();
  };
  const waits = (who: string, ms: number, because: string): void => {
    const waitInWords = `  ${who}: waiting ${durationInWords(ms)}: ${because}`;
    // Several batches may wait for the same thing.
    if (ms < WAIT_SHOWN_MS_MIN || waitInWords === lastWait) return;
    lastWait = waitInWords;
    say(waitInWords);
  };
  const take = (source: string, progress: Progress): void => {
    const before = runs.get(source) ?? { source };
    if (progress.kind === 'waiting') {
      runs.set(source, { ...before, waitsUntil: clock() + progress.ms });
      return waits(source, progress.ms, progress.because);
    }
    rate.add(progress.events.done - (before.writing?.events.done ?? progress.events.done));
    if (before.writing && progress.events.done > before.writing.events.done) lastWait = '';
    runs.set(source, { source, writing: progress });
    draw();
  };
  const timer = setInterval(
    () => {
      if (runs.size === 0) return;
      if (io.isTerminal) draw();
      else io.err(`${line()}\n`);
    },
    io.isTerminal ? REDRAW_EVERY_MS : LINE_EVERY_MS,
  );
  return {
    begin: (source) => {
      runs.set(source, { source });
      draw();
      return (progress) => take(source, progress);
    },
    end: (source) => {
      runs.delete(source);
      if (io.isTerminal) io.err(clear);
    },
    say,
    waits,
    close: () => {
      clearInterval(timer);
      if (io.isTerminal) io.err(clear);
    },
  };
}

interface Rate {
  readonly add: (events: number) => void;
  readonly perSecond: () => number | undefined;
}

/** How many events a second were finished lately. */
function makeRate(clock: () => number): Rate {
  let begun: number | undefined;
  let counted: readonly { readonly at: number; readonly events: number }[] = [];
  return {
    add: (events) => {
      begun ??= clock();
      if (events > 0) counted = [...counted.filter(({ at }) => at > clock() - RATE_MS), { at: clock(), events }];
    },
    perSecond: () => {
      const lately = counted.filter(({ at }) => at > clock() - RATE_MS);
      if (begun === undefined || lately.length === 0) return undefined;
      const seconds = Math.min(clock() - begun, RATE_MS) / 1_000;
      return seconds > 0 ? lately.reduce((sum, { events }) => sum + events, 0) / seconds : undefined;
    },
  };
}

/** "town: 325 of 2,000 events, 11.7 a second, 2 min 23 s left". `now` as in `waitsUntil`. */
export function progressInWords(runs: readonly Shown[], perSecond: number | undefined, now: number): string {
  const writing = runs.filter((run) => run.writing !== undefined);
  const reading = runs.filter((run) => run.writing === undefined);
  const parts = [
    ...(writing.length > 0 ? [writingInWords(writing, perSecond, now)] : []),
    ...(reading.length > 0 ? [`${names(reading)}: reading the feed and the site`] : []),
  ];
  return `  ${parts.join('; ')}`;
}

function writingInWords(runs: readonly Shown[], perSecond: number | undefined, now: number): string {
  const events = total(runs.map(({ writing }) => writing?.events));
  const others = total(runs.map(({ writing }) => writing?.others));
  const parts = [
    ...(others.done < others.of ? [`${share(others)} categories, tags, venues and organizers`] : []),
    `${share(events)} events`,
    ...rateInWords(events, perSecond),
  ];
  const until = Math.max(...runs.map(({ waitsUntil }) => waitsUntil ?? 0));
  return `${names(runs)}: ${parts.join(', ')}${until > now ? `, waiting for another ${durationInWords(until - now)}` : ''}`;
}

function rateInWords({ done, of }: Share, perSecond: number | undefined): readonly string[] {
  if (perSecond === undefined || done === 0 || done >= of) return [];
  return [
    `${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)} a second`,
    `${durationInWords(((of - done) / perSecond) * 1_000)} left`,
  ];
}

const total = (shares: readonly (Share | undefined)[]): Share => ({
  done: shares.reduce((sum, one) => sum + (one?.done ?? 0), 0),
  of: shares.reduce((sum, one) => sum + (one?.of ?? 0), 0),
});

const NUMBER = new Intl.NumberFormat('en');
const share = ({ done, of }: Share): string => `${NUMBER.format(done)} of ${NUMBER.format(of)}`;
const names = (runs: readonly Shown[]): string =>
  runs.length > 2 ? `${runs.length} sources` : runs.map(({ source }) => source).join(' and ');

/** "45 s", "10 min", "2 min 30 s", "1 h 5 min". */
export function durationInWords(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (hours > 0) return `${hours} h${minutes > 0 ? ` ${minutes} min` : ''}`;
  if (minutes > 0) return `${minutes} min${rest > 0 ? ` ${rest} s` : ''}`;
  return `${rest} s`;
}

/** Cuts a line to the width of the terminal: a wider one could not be overwritten. */
const fitted = (text: string, columns: number): string =>
  text.length < columns ? text : `${text.slice(0, columns - 2)}…`;
