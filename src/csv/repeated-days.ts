import { dayAfter } from '../time.ts';
import { foldedWords } from '../ascii.ts';

const DAYS: Readonly<Record<string, number>> = {
  u: 0,
  su: 0,
  sun: 0,
  sunday: 0,
  m: 1,
  mo: 1,
  mon: 1,
  monday: 1,
  t: 2,
  tu: 2,
  tue: 2,
  tuesday: 2,
  w: 3,
  we: 3,
  wed: 3,
  wednesday: 3,
  r: 4,
  th: 4,
  thu: 4,
  thursday: 4,
  f: 5,
  fr: 5,
  fri: 5,
  friday: 5,
  s: 6,
  sa: 6,
  sat: 6,
  saturday: 6,
};

/** Words in a recurrence column for an event that takes place once; those for "no" are known anyway. */
const ONCE: ReadonlySet<string> = new Set(
  [
    'none|never|once|one time|one off|single|does not repeat|not recurring|keine|keins|einmalig|einmal|niemals',
    'nicht wiederholen|aucune|jamais|unique|une fois|ne se repete pas|nunca|ninguna|una vez|unico|no se repite|geen|nooit',
    'eenmalig|nessuna|mai|non si ripete|una tantum|nigdy|brak|jednorazowo|jednorazowe|nikdy|zadne|jednorazove|aldrig|ingen',
  ].flatMap((words) => words.split('|')),
);

/** Whether a recurrence column says that the event takes place once. */
export const isOnce = (recurrence: string): boolean => ONCE.has(foldedWords(recurrence));

/**
 * The days of a weekly series in Localist's form (`M,W` or `daily`) from the first day to the last, limited to
 * `within`; null if the text is not such a list.
 */
export function repeatedDays(
  recurrence: string,
  first: string,
  last: string,
  within: { readonly from: string; readonly to: string },
): readonly string[] | null {
  const words = foldedWords(recurrence).split(' ');
  const weekdays = words.length === 1 && words[0] === 'daily' ? [0, 1, 2, 3, 4, 5, 6] : words.map((word) => DAYS[word]);
  if (weekdays.includes(undefined)) return null;
  const days: string[] = [];
  const end = last < within.to ? last : within.to;
  for (let day = first > within.from ? first : within.from; day <= end; day = dayAfter(day)) {
    if (weekdays.includes(new Date(`${day}T00:00:00Z`).getUTCDay())) days.push(day);
  }
  return days;
}
