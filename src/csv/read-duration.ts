import { asciiFromText, foldedWords } from '../ascii.ts';

const UNITS = Object.entries({
  1: 'm min mins minute minutes minuten minut minuty minuta minuto minutos minuti minuter minutter minuuttia perc',
  60: [
    'h hr hrs hour hours std stunde stunden heure heures hora horas ora ore godz godzina godziny godzin uur uren u tim timme timmar',
    'time timer timen tuntia tunti t hod hodina hodiny hodin',
  ].join(' '),
  1440: 'd day days tag tage tagen jour jours dia dias giorno giorni dzien dni dag dagen dagar dage dager paiva paivaa nap den dny',
}).flatMap(([minutes, words]) => words.split(' ').map((word) => [word, Number(minutes)] as const));
const MINUTES: ReadonlyMap<string, number> = new Map(UNITS);

const LENGTH_MAX = 40;
const YEAR = 366 * 1440;
const CLOCK = /^(\d{1,3}):([0-5]\d)(?::[0-5]\d)?(?: *[a-z]+\.?)?$/;
const ISO = /^p(?:(\d{1,3})d)?(?:t(?:(\d{1,3})h)?(?:(\d{1,4})m)?(?:\d+s)?)?$/;
/** A number with its unit; the last unit may be missing, as in `1h30`. */
const PART = /(\d{1,4}(?:[.,]\d{1,2})?) *([a-z]*)\.?(?: *(?:,|and|und|et|y|e|i|en) )? */gy;

/**
 * The minutes of `90 min`, `1:30`, `1h30`, `1,5 Std.`, `2 days` or `PT2H`; null for anything else. The header may give
 * the unit of a bare number: `Duration (min)`.
 */
export function durationFromText(text: string, header = ''): number | null {
  if (text.length > LENGTH_MAX) return null;
  const plain = asciiFromText(text).trim().replace(/\s+/g, ' ');
  const minutes = fromNumbers(CLOCK.exec(plain), [60, 1]) ?? fromNumbers(ISO.exec(plain), [1440, 60, 1]);
  const found = minutes ?? fromParts(plain, unitOf(header));
  return found !== null && found <= YEAR ? Math.round(found) : null;
}

/** Adds up groups of digits, each with its own unit; null if there are none. */
function fromNumbers(match: RegExpExecArray | null, units: readonly number[]): number | null {
  const numbers = units.map((unit, index) => [unit, match?.[index + 1]] as const);
  if (numbers.every(([, digits]) => digits === undefined)) return null;
  return numbers.reduce((sum, [unit, digits = '0']) => sum + unit * Number(digits), 0);
}

function fromParts(text: string, byDefault: number | undefined): number | null {
  let [minutes, below, end] = [0, byDefault, 0];
  for (const [whole, number = '', word = ''] of text.matchAll(PART)) {
    const unit = word === '' ? below : MINUTES.get(word);
    if (unit === undefined) return null;
    minutes += Number(number.replace(',', '.')) * unit;
    below = unit === 60 ? 1 : undefined;
    end += whole.length;
  }
  return end === text.length && end > 0 ? minutes : null;
}

/** The unit at the end of a header: `Duration (min)`, `Dauer in Stunden`. */
const unitOf = (header: string): number | undefined => MINUTES.get(foldedWords(header).split(' ').at(-1) ?? '');
