import { asciiFromText } from '../../ascii.ts';

/** A mark that tells sources apart at a glance, even without colour. */
export interface Badge {
  /** Two letters or digits that no other source has, ignoring case. */
  readonly letters: string;
  /** From 1 to BADGE_COLOURS. */
  readonly colour: number;
}

/** The number of colours; more would be hard to tell apart. */
export const BADGE_COLOURS = 6;

/**
 * The badges of sources, by name: `Th` for theatre, `CL` for city-library. A source keeps its badge when others are
 * added after it. If there are more sources than pairs of letters, the last ones share them.
 */
export function badgesOf(names: readonly string[]): ReadonlyMap<string, Badge> {
  const taken = new Set<string>();
  return new Map(
    names.map((name, index) => {
      const letters = lettersFor(name, taken);
      taken.add(letters.toLowerCase());
      return [name, { letters, colour: (index % BADGE_COLOURS) + 1 }] as const;
    }),
  );
}

const SIGNS = [...'abcdefghijklmnopqrstuvwxyz0123456789'];

function lettersFor(name: string, taken: ReadonlySet<string>): string {
  const words = asciiFromText(name)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const initials = words.slice(0, 2).map((word) => word.charAt(0).toUpperCase());
  const [first = '', ...others] = words.join('');
  const starting = [...others, ...SIGNS].map((other) => first.toUpperCase() + other);
  const preferred = words.length > 1 ? [initials.join(''), ...starting] : starting;
  const isFree = (letters: string): boolean => !taken.has(letters.toLowerCase());
  return preferred.find(isFree) ?? anyPair().find(isFree) ?? preferred[0] ?? '??';
}

const anyPair = (): readonly string[] => SIGNS.flatMap((one) => SIGNS.map((other) => one.toUpperCase() + other));
