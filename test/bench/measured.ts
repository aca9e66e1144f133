/** What was measured, beside its floor of the same run. */
export interface Measured {
  readonly what: string;
  readonly value: number;
  readonly unit: 'ms' | 'MB' | 'requests';
  readonly floor?: number;
  /** What the floor is. */
  readonly beside?: string;
  /** At most this, as a value, or as a multiple of the floor. */
  readonly goal: { readonly value: number } | { readonly ratio: number };
  /** What bounds it now, in a sentence. */
  readonly bound: string;
}

const shown = (number: number): string => number.toFixed(number < 10 ? 2 : 0);

/** Writes a row for people, or with `--json` for machines. */
export function tell(row: Measured): void {
  const { what, value, unit, floor, beside, goal, bound } = row;
  if (process.argv.includes('--json')) return void process.stdout.write(`${JSON.stringify(row)}\n`);
  const ratio = floor === undefined ? '' : `${(value / floor).toFixed(2)} × ${shown(floor)} (${beside})`;
  const aim = 'value' in goal ? `${goal.value} ${unit}` : `${goal.ratio} ×`;
  process.stdout.write(
    `${what.padEnd(44)}${`${shown(value)} ${unit}`.padStart(14)}  goal ${aim.padEnd(10)} ${ratio}\n    ${bound}\n`,
  );
}

/** The milliseconds that some work takes. */
export async function timed(work: () => unknown): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

/** The shortest of so many times. */
export async function shortest(times: number, work: () => unknown): Promise<number> {
  const all: number[] = [];
  for (let turn = 0; turn < times; turn += 1) all.push(await timed(work));
  return Math.min(...all);
}

/** The numbers on the command line: sizes. */
export const sizesAsked = (fallback: readonly number[]): readonly number[] => {
  const asked = process.argv
    .slice(2)
    .map(Number)
    .filter((size) => size > 0);
  return asked.length > 0 ? asked : fallback;
};
