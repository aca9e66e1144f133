import { FIRST_FIGURES } from './first-figures.ts';

/** A measurement, with its floor from the same run. */
export interface Measured {
  readonly what: string;
  /** The number of events, if it matters. */
  readonly events?: number;
  readonly value: number;
  readonly unit: string;
  readonly floor?: number;
  /** What the floor consists of. */
  readonly beside?: string;
  /** The maximum, as a value or as a multiple of the floor. */
  readonly goal?: Goal;
  readonly rate?: { readonly perSecond: number; readonly perSecondAndCore?: number };
  /** A sentence about what currently limits it. */
  readonly bound?: string;
  /** Further figures of the same measurement, for machines. */
  readonly details?: Readonly<Record<string, number>>;
}

type Goal = { readonly value: number } | { readonly ratio: number };

/** A row as it is printed, with comparisons and, if known, the figure from before the performance work. */
export type Told = Measured & {
  /** Relative to the floor. */
  readonly ratio?: number;
  /** Whether the goal is met. */
  readonly met?: boolean;
  readonly before?: string;
};

const shown = (number: number): string => number.toFixed(Math.abs(number) < 10 ? 2 : 0);

/** Explains the lines of a row. */
export const LEGEND = `Each row is a measurement, followed by
    floor   the minimum for the same work, measured in this run; after the colon, what it consists of
    ratio   to the floor; the goal; the figure from before the performance work, on 22 November 2026
    bound   what limits it now
`;

/** Formats a row for people. */
export function inWords(row: Told): string {
  const { what, events, value, unit, rate, floor, ratio, beside, bound, before } = row;
  const perCore = rate?.perSecondAndCore;
  const figures = [
    `${what}${events === undefined ? '' : `, ${events} events`}`.padEnd(52),
    `${shown(value)} ${unit}`.padStart(12),
    rate === undefined ? '' : `${rate.perSecond.toFixed(0)} a second`,
    perCore === undefined ? '' : `${perCore.toFixed(0)} for each second of a core`,
  ];
  const compared = [
    ratio === undefined ? '' : `${ratio.toFixed(2)} ×`,
    aimOf(row),
    before === undefined ? '' : `before: ${before}`,
  ];
  const below = [
    ['floor', floor === undefined ? '' : `${shown(floor)} ${unit}: ${beside}`],
    [floor === undefined ? 'goal' : 'ratio', listed(compared, '; ')],
    ['bound', bound ?? ''],
  ].filter(([, text]) => text !== '');
  return `${[listed(figures, '  '), ...below.map(([name = '', text]) => `    ${name.padEnd(8)}${text}`)].join('\n')}\n`;
}

const listed = (parts: readonly string[], between: string): string => parts.filter((part) => part !== '').join(between);

function aimOf(row: Told): string {
  const { goal, unit } = row;
  if (!goal) return '';
  const aim = 'value' in goal ? `${goal.value} ${unit}` : `${goal.ratio} ×`;
  return `at most ${aim}, ${isMet(row) ? 'met' : 'NOT met'}`;
}

/** Whether a row meets its goal; true without a goal. */
export function isMet({ goal, value, floor = 1 }: Measured): boolean {
  if (!goal) return true;
  return 'value' in goal ? value <= goal.value : value / floor <= goal.ratio;
}

/** Prints a row for people or, with `--json`, for machines. */
export function tell(row: Measured): void {
  const before = FIRST_FIGURES[row.what]?.[row.events ?? 0];
  const told: Told = {
    ...row,
    ...(row.floor === undefined ? {} : { ratio: row.value / row.floor }),
    ...(row.goal && { met: isMet(row) }),
    ...(before === undefined ? {} : { before }),
  };
  process.stdout.write(process.argv.includes('--json') ? `${JSON.stringify(told)}\n` : inWords(told));
}

/** The milliseconds that `work` takes. */
export async function timed(work: () => unknown): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** The shortest of several times. */
export const shortest = (times: number, work: () => unknown): Promise<number> => least(times, () => timed(work));

/** The minimum of several measurements. */
export async function least(times: number, measure: () => Promise<number>): Promise<number> {
  const all: number[] = [];
  for (let turn = 0; turn < times; turn += 1) all.push(await measure());
  return Math.min(...all);
}

/** The numbers on the command line, which are sizes. */
export const sizesAsked = (fallback: readonly number[]): readonly number[] => {
  const asked = process.argv
    .slice(2)
    .map(Number)
    .filter((size) => size > 0);
  return asked.length > 0 ? asked : fallback;
};
