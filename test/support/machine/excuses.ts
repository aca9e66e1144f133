/** Why an event may break a law: something that neither the site nor the database can know any more. */
export const EXCUSES = {
  'value of unknown origin': 'whose value a field shows cannot be told any more',
  'listed difference': 'found after the ledger was lost, and listed for a person to decide',
  'uncertain event': 'a restore, an undo or an old list has left open whether it should be on the site',
  'forgotten event': 'the ledger that knew of it was lost',
  'hidden event': 'no list of the site shows it',
  'brought back by hand': 'a person took it out of the trash',
  'cannot be told apart': 'so much of it changed that it may be another event',
} as const;

export type Excuse = keyof typeof EXCUSES;

/** Tells whether an excuse applies to a law that does not hold, and counts it if it does. */
export type Excused = (excuse: Excuse, applies: boolean) => boolean;

export interface ExcuseTally {
  readonly excused: Excused;
  readonly used: Readonly<Record<Excuse, number>>;
}

export function tallyExcuses(): ExcuseTally {
  const used: Record<Excuse, number> = {
    'value of unknown origin': 0,
    'listed difference': 0,
    'uncertain event': 0,
    'forgotten event': 0,
    'hidden event': 0,
    'brought back by hand': 0,
    'cannot be told apart': 0,
  };
  return {
    excused: (excuse, applies) => {
      if (applies) used[excuse] += 1;
      return applies;
    },
    used,
  };
}

/** One line for each excuse: how often it was needed, and its share of the commands. */
export const excusesInWords = ({ used }: ExcuseTally, commands: number): string =>
  // The record has exactly these keys.
  (Object.keys(EXCUSES) as Excuse[])
    .toSorted((one, other) => used[other] - used[one])
    .map((excuse) => `  ${excuse.padEnd(24)} ${String(used[excuse]).padStart(6)}  ${shareOf(used[excuse], commands)}\n`)
    .join('');

// The most frequent excuse was needed for 0.56 % of 4,078 commands on a real site.
const SHARE_MAX = 0.02;
// With few commands, a single event with many fields is already a large share.
const COMMANDS_MIN = 1_000;

/** Excuses that were needed so often that the laws would hardly mean anything. */
export const usedTooOften = (used: ExcuseTally['used'], commands: number): readonly string[] =>
  Object.entries(used).flatMap(([excuse, count]) =>
    count > SHARE_MAX * Math.max(commands, COMMANDS_MIN) ? [`${excuse}: ${count} times in ${commands} commands`] : [],
  );

const shareOf = (count: number, commands: number): string => `${((100 * count) / commands).toFixed(2).padStart(6)} %`;
