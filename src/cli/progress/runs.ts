import type { OnProgress, Progress, Share } from '../../run/state/progress.ts';
import type { Io } from '../terminal/io.ts';
import {
  workProgressInWords,
  durationInWords,
  makePace,
  makePaces,
  makeRate,
  rateInWords,
  type WorkProgress,
} from './pace.ts';
import { statusLine, type StatusLine } from './status-line.ts';

/** Shows the progress of a command's runs on the error stream. */
export interface ProgressTeller extends Pick<StatusLine, 'say' | 'waits' | 'close'> {
  /** Called when a run of a source begins; returns the function that takes its progress. */
  readonly begin: (source: string) => OnProgress;
  readonly end: (source: string) => void;
  /** Takes the progress of reading feeds and sites. */
  readonly reads: (come: WorkProgress) => void;
}

/** A run as shown. */
export interface RunShown {
  readonly source: string;
  /** Undefined while the run is reading. */
  readonly writing?: Extract<Progress, { kind: 'writing' }>;
  /** When its wait ends, in milliseconds of the teller's clock. */
  readonly waitsUntil?: number;
}

/** What is shown besides the runs. */
export interface ProgressContext {
  /** How many events are written per second. */
  readonly perSecond?: number | undefined;
  /** The progress of reading, if only one run reads. */
  readonly read?: string | undefined;
  /** How many of the sources are done, if there are several. */
  readonly sources?: string | undefined;
}

/** Returns a teller for the runs of `count` sources. `clock` counts milliseconds from any starting point. */
export function tellProgress(io: Io, count = 1, clock: () => number = () => performance.now()): ProgressTeller {
  const runs = new Map<string, RunShown>();
  const rate = makeRate(clock);
  const sources = makePace(clock);
  const isAmongMany = count > NAMED_MAX;
  let [read, done] = [makePaces(clock), 0];
  const words = (): string | undefined =>
    runs.size === 0
      ? undefined
      : progressInWords([...runs.values()], clock(), {
          perSecond: rate.perSecond(),
          read: read.words(),
          sources: isAmongMany ? sources.words() : undefined,
        });
  const line = statusLine(io, words, clock);
  const take = (source: string, progress: Progress): void => {
    const before = runs.get(source) ?? { source };
    if (progress.kind === 'waiting') {
      runs.set(source, { ...before, waitsUntil: clock() + progress.ms });
      return line.waits(source, progress.ms, progress.because);
    }
    rate.add(progress.events.done - (before.writing?.events.done ?? progress.events.done));
    runs.set(source, { source, writing: progress });
  };
  const tellSources = (): void => sources.take({ done, of: count, unit: 'sources' });
  tellSources();
  return {
    begin: (source) => {
      runs.set(source, { source });
      read = makePaces(clock);
      return (progress) => take(source, progress);
    },
    end: (source) => {
      runs.delete(source);
      done += 1;
      tellSources();
      line.clear();
    },
    reads: (come) => read.take(come),
    say: line.say,
    waits: line.waits,
    close: line.close,
  };
}

/** "town: 325 of 2,000 events, 11.7 a second, 2 min 23 s left". `now` is on the same clock as `waitsUntil`. */
export function progressInWords(
  runs: readonly RunShown[],
  now: number,
  { perSecond, read, sources }: ProgressContext = {},
): string {
  const writing = runs.filter((run) => run.writing !== undefined);
  const reading = runs.filter((run) => run.writing === undefined);
  const far = reading.length === 1 && read !== undefined ? `, ${read}` : '';
  const parts = [
    ...(sources === undefined ? [] : [sources]),
    ...(writing.length > 0 ? [writingInWords(writing, perSecond, now)] : []),
    ...(reading.length > 0 ? [`${names(reading)}: reading the feed and the site${far}`] : []),
  ];
  return `  ${parts.join('; ')}`;
}

function writingInWords(runs: readonly RunShown[], perSecond: number | undefined, now: number): string {
  const events = total(runs.map(({ writing }) => writing?.events));
  const others = total(runs.map(({ writing }) => writing?.others));
  const parts = [
    ...(others.done < others.of
      ? [workProgressInWords({ ...others, unit: 'categories, tags, venues and organizers' }, undefined)]
      : []),
    workProgressInWords({ ...events, unit: 'events' }, undefined),
    ...rateInWords(events, perSecond),
  ];
  const until = Math.max(...runs.map(({ waitsUntil }) => waitsUntil ?? 0));
  return `${names(runs)}: ${parts.join(', ')}${until > now ? `, waiting for another ${durationInWords(until - now)}` : ''}`;
}

const total = (shares: readonly (Share | undefined)[]): Share => ({
  done: shares.reduce((sum, one) => sum + (one?.done ?? 0), 0),
  of: shares.reduce((sum, one) => sum + (one?.of ?? 0), 0),
});

/** More sources than this are only counted. */
const NAMED_MAX = 2;
const names = (runs: readonly RunShown[]): string =>
  runs.length > NAMED_MAX ? `${runs.length} sources` : runs.map(({ source }) => source).join(' and ');
