import { grouped } from '../../count-in-words.ts';
import { bytesInWords } from '../../backup/words.ts';

/** The progress of some work: what it is doing, how much is done and, if known, of how much. */
export interface WorkProgress {
  readonly doing?: string;
  readonly done?: number;
  readonly of?: number | undefined;
  /** What is counted, for example `events`; `bytes` are shown in kB, MB and GB. */
  readonly unit?: string;
}

/** The period over which a rate is measured. */
const RATE_MS = 60_000;

/** How many items were done per second lately. */
export interface Rate {
  readonly add: (count: number) => void;
  /** Undefined until something is done. */
  readonly perSecond: () => number | undefined;
}

/** Returns a rate that begins with the first `add`. `clock` counts milliseconds from any starting point. */
export function makeRate(clock: () => number): Rate {
  let begun: number | undefined;
  let counted: readonly { readonly at: number; readonly count: number }[] = [];
  const lately = (): typeof counted => counted.filter(({ at }) => at > clock() - RATE_MS);
  return {
    add: (count) => {
      begun ??= clock();
      if (count > 0) counted = [...lately(), { at: clock(), count }];
    },
    perSecond: () => {
      const last = lately();
      if (begun === undefined || last.length === 0) return undefined;
      const seconds = Math.min(clock() - begun, RATE_MS) / 1_000;
      return seconds > 0 ? last.reduce((sum, { count }) => sum + count, 0) / seconds : undefined;
    },
  };
}

/** Takes the progress of some work, and describes it with its rate and the time left. */
export interface Pace {
  readonly take: (come: WorkProgress) => void;
  /** Undefined before any progress was taken. */
  readonly words: () => string | undefined;
}

/** Restarts the rate if another unit is counted or the count goes back. */
export function makePace(clock: () => number): Pace {
  let last: WorkProgress | undefined;
  let rate = startedRate(clock);
  return {
    take: (come) => {
      const isSame = last !== undefined && last.unit === come.unit && (last.done ?? 0) <= (come.done ?? 0);
      if (last && !isSame) rate = startedRate(clock);
      rate.add((come.done ?? 0) - (isSame ? (last?.done ?? 0) : 0));
      last = come;
    },
    words: () => last && workProgressInWords(last, rate.perSecond()),
  };
}

/** The same for several units at once: describes the one with the most left, and nothing when all is done. */
export function makePaces(clock: () => number): Pace {
  const paces = new Map<string | undefined, { readonly pace: Pace; left: number }>();
  return {
    take: (come) => {
      const one = paces.get(come.unit) ?? { pace: makePace(clock), left: 0 };
      one.pace.take(come);
      one.left = (come.of ?? Number.POSITIVE_INFINITY) - (come.done ?? 0);
      paces.set(come.unit, one);
    },
    words: () => {
      const [most] = [...paces.values()].toSorted((one, other) => other.left - one.left);
      return most && most.left > 0 ? most.pace.words() : undefined;
    },
  };
}

function startedRate(clock: () => number): Rate {
  const rate = makeRate(clock);
  rate.add(0);
  return rate;
}

/** "325 of 2,000 events, 12 a second, 2 min 23 s left: site.events". */
export function workProgressInWords(come: WorkProgress, perSecond: number | undefined): string {
  const { doing } = come;
  const counts = [countInUnits(come), ...rateInWords(come, perSecond)].filter((part) => part !== '').join(', ');
  if (doing === undefined) return counts;
  return counts === '' ? doing : `${counts}: ${doing}`;
}

function countInUnits({ done, of, unit }: WorkProgress): string {
  if (done === undefined) return '';
  const counts = [done, ...(of === undefined ? [] : [of])].map((count) => amount(count, unit)).join(' of ');
  return unit === undefined || unit === 'bytes' ? counts : `${counts} ${unit}`;
}

const amount = (count: number, unit: string | undefined): string =>
  unit === 'bytes' ? bytesInWords(count) : grouped(count);

/** The rate and the time left; empty before anything is done, and after everything is. */
export function rateInWords({ done = 0, of, unit }: WorkProgress, perSecond: number | undefined): readonly string[] {
  if (perSecond === undefined || done === 0 || (of !== undefined && done >= of)) return [];
  const rate = unit !== 'bytes' && perSecond < 10 ? perSecond.toFixed(1) : amount(Math.round(perSecond), unit);
  return [
    `${rate} a second`,
    ...(of === undefined ? [] : [`${durationInWords(((of - done) / perSecond) * 1_000)} left`]),
  ];
}

/** "45 s", "10 min", "2 min 30 s", "1 h 5 min". */
export function durationInWords(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (hours > 0) return `${hours} h${minutes > 0 ? ` ${minutes} min` : ''}`;
  if (minutes > 0) return `${minutes} min${rest > 0 ? ` ${rest} s` : ''}`;
  return `${rest} s`;
}
