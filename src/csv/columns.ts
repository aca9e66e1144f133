import { quoted } from './quoted.ts';
import type { Parsed, Problem } from '../problem.ts';
import { foldedWords } from '../ascii.ts';
import {
  COMPLETION_NAMES,
  GUEST_NAMES,
  HOST_NAMES,
  LATE_TITLE_NAMES,
  NAMES_OF,
  SENDER_NAMES,
  type ColumnField,
} from './column-names.ts';

/** The columns (from 0) of each field; if a field has several, their values are joined. */
export type Columns = ReadonlyMap<ColumnField, readonly number[]>;

/** The names of all fields that a column may hold. */
export const COLUMN_FIELDS: readonly string[] = [...NAMES_OF.keys()];
/**
 * Fields that decide whether a row is an event, which one, when it takes place, and whether it is shown. If such a
 * value is unreadable or its column is gone, an event could be shown or removed by mistake.
 */
export const DECIDING_FIELDS = [
  'title',
  'start_date',
  'start_time',
  'end_date',
  'end_time',
  'duration',
  'all_day',
  'timezone',
  'recurrence',
  'exdates',
  'uid',
  'private',
  'published',
  'sensitivity',
  'status',
  'cancelled',
] as const satisfies readonly ColumnField[];

const isColumnField = (field: string): field is ColumnField => COLUMN_FIELDS.includes(field);

/** Maps a header to columns: the configured ones, then those whose names are known. `row` is the header's position. */
export function columnsOf(
  header: readonly string[],
  configured: Readonly<Record<string, string>>,
  row = 1,
): Parsed<Columns> {
  const written = indexed(header, foldedWords);
  const folded = indexed(header, headerWords);
  const problems: Problem[] = [];
  const columns = new Map<ColumnField, readonly number[]>();
  const claimed = new Set<number>();
  const claim = (indexes: readonly number[]): void => {
    for (const index of indexes) claimed.add(index);
  };
  for (const [field, name] of Object.entries(configured)) {
    const found = configuredColumns(written, name, claimed);
    if (!isColumnField(field)) problems.push(unknownField(field));
    else if (found.length > 0) columns.set(field, found);
    else if (!isNone(name)) problems.push(missingColumn(field, name, header, row));
    if (!isComposite(name)) claim(found);
  }
  claim(ofAnswers(header));
  for (const [field, names] of NAMES_OF) {
    if (Object.hasOwn(configured, field)) continue;
    const named = indexesOf(folded, names, claimed);
    const found = field === 'title' && named.length === 0 ? lateTitlesIn(folded, claimed) : named;
    if (found.length > 0) columns.set(field, found);
    claim(found);
  }
  return { value: columns, problems };
}

/**
 * The columns in which Microsoft Forms records when an answer was begun and sent, and by whom: the first ones after the
 * number. They say nothing about the event.
 */
export function ofAnswers(header: readonly string[]): readonly number[] {
  const [id, start = '', completion = '', ...questions] = header.slice(0, ANSWER_MAX).map(foldedWords);
  if (id !== 'id' || !isNameOf('start_time', start) || !COMPLETION_NAMES.includes(completion)) return [];
  const question = questions.findIndex((name) => !SENDER_NAMES.includes(name));
  const length = question < 0 ? questions.length : question;
  // "Heure de fin" would be the end of an event, if it were not followed by the mail address.
  if (isNameOf('end_time', completion) && (length === 0 || isNameOf('title', questions[0] ?? ''))) return [];
  return Array.from({ length: 2 + length }, (_, index) => 1 + index);
}

/** The number, two times, a mail address and a name. */
const ANSWER_MAX = 5;

/** If no column is called a title, the two sides of a game form the title: `Heim;Gast`. */
function lateTitlesIn(folded: Indexed, claimed: ReadonlySet<number>): readonly number[] {
  const sides = [HOST_NAMES, GUEST_NAMES].map((names) => indexesOf(folded, names, claimed).slice(0, 1));
  return sides.every(({ length }) => length > 0) ? sides.flat() : indexesOf(folded, LATE_TITLE_NAMES, claimed);
}

/** Whether columns are those of the two sides of a game. */
export const areSides = (header: readonly string[], indexes: readonly number[]): boolean =>
  indexes.length === 2 &&
  [HOST_NAMES, GUEST_NAMES].every((names, side) => names.includes(headerWords(header[indexes[side] ?? 0] ?? '')));

/** With `columns: { categories: none }`, the field stays empty, whatever the header says. */
const isNone = (name: string): boolean => name === 'none';

/**
 * The words of a header, without bracketed hints on how to fill it in, as forms have them: `Date (DD/MM/YYYY)`. Words
 * that programs join with capital letters (`eventStart`) are separated, and any mention of "event" is dropped if the
 * rest is a known name.
 */
export function headerWords(name: string): string {
  const plain = name.replace(IN_BRACKETS, (said, hint: string) => (HINT.test(hint) ? ' ' : said));
  if (YEAR.test(plain.normalize('NFC'))) return YEAR_WORD;
  const words = foldedWords(plain);
  if (KNOWN_NAMES.has(words)) return words;
  const apart = foldedWords(plain.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '));
  const bare = apart.replace(OF_EVENT, '');
  if (KNOWN_NAMES.has(apart)) return apart;
  return KNOWN_NAMES.has(bare) ? bare : (edgeNamedBy(apart) ?? apart);
}

/**
 * The usual name for what two words say together, in any order: `Ende Uhrzeit`, `Hora Fin`, `Jour de début`. One must
 * mean a start or an end, the other a day or a time of day.
 */
function edgeNamedBy(words: string): string | undefined {
  const [one = '', other = '', ...more] = words.replace(PREPOSITION, ' ').split(' ');
  const edge = [one, other].find(isEdge);
  const unit = one === edge ? other : one;
  const kind = DAY_NAMES.includes(unit) ? 'date' : 'time';
  if (edge === undefined || more.length > 0 || !(kind === 'date' || TIME_NAMES.has(unit))) return undefined;
  return `${namesOf('end_date').includes(edge) ? 'end' : 'start'} ${kind}`;
}

const PREPOSITION = /(?<=^\p{L}+) (?:de|del|di|do|da|du|of|der|des) (?=\p{L}+$)/u;
/** Words for a time of day. */
const TIME_NAMES: ReadonlySet<string> = new Set(
  [
    'time uhrzeit zeit godzina godz czas heure horaire hora horario ora orario tijd cas hodina tid klockslag',
    'klokkeslaet klokkeslett kellonaika ido',
  ].flatMap((names) => names.split(' ')),
);
const namesOf = (field: ColumnField): readonly string[] => NAMES_OF.get(field) ?? [];
const isEdge = (word: string): boolean =>
  (namesOf('start_date').includes(word) || namesOf('end_date').includes(word)) &&
  !DAY_NAMES.includes(word) &&
  !TIME_NAMES.has(word);

/** Mentions of the event in the header of a table of events: `Event location`, `Link to the event`. */
const OF_EVENT = /^(?:event|events|event s) | (?:of|for|to) (?:the )?event$/;

/** "Year" in Swedish, Danish and Norwegian, which without its ring would be "price" in Hungarian. */
const YEAR = /^\s*år\s*$/iu;
const YEAR_WORD = 'år';

const KNOWN_NAMES: ReadonlySet<string> = new Set(
  [...NAMES_OF.values(), LATE_TITLE_NAMES, HOST_NAMES, GUEST_NAMES].flat(),
);
const IN_BRACKETS = /\(([^()]*)\)/g;
/**
 * A format of dates or times with one letter per part, in several languages; or a remark that the cell is optional or
 * required.
 */
const HINT =
  /^\s*(?:([a-z])\1{0,3}(?:\s?[./:-]\s?([a-z])\2{0,3})+|24\s?-?\s?(?:h|hours?)|optional|required|pflichtfeld)\s*$/i;

/** The rank of a header among the known names of a field, where lower ranks win; -1 if it is none of them. */
export const rankAmongNames = (field: ColumnField, name: string): number =>
  NAMES_OF.get(field)?.indexOf(headerWords(name)) ?? -1;

/** Whether a header is one of the known names of a field. */
export const isNameOf = (field: ColumnField, name: string): boolean => rankAmongNames(field, name) >= 0;

/** Whether the cells of a row are column names, including those of title and start. */
export function isHeader(cells: readonly string[], configured: Readonly<Record<string, string>>): boolean {
  const { value: columns } = columnsOf(cells, configured);
  return columns.has('title') && columns.has('start_date');
}

/** Headers of date columns in tables whose times are in other columns. */
export const DAY_NAMES: readonly string[] = [
  'date',
  'datum',
  'data',
  'fecha',
  'termin',
  'tag',
  'jour',
  'dia',
  'dzien',
  'day',
  'dag',
  'giorno',
  'dato',
  'pvm',
  'paiva',
  'paivamaara',
  'nap',
  'den',
];

/** Columns by folded name. */
type Indexed = ReadonlyMap<string, readonly number[]>;

function indexed(header: readonly string[], wordsOf: (name: string) => string): Indexed {
  const columns = new Map<string, number[]>();
  for (const [index, name] of header.entries()) {
    const folded = wordsOf(name);
    const known = columns.get(folded);
    if (known) known.push(index);
    else if (folded !== '') columns.set(folded, [index]);
  }
  return columns;
}

/** The column with a name, or several joined by ` + `; empty if one of them is missing. */
function configuredColumns(folded: Indexed, name: string, claimed: ReadonlySet<number>): readonly number[] {
  const whole = indexesOf(folded, [foldedWords(name)], claimed);
  if (whole.length > 0 || !isComposite(name)) return whole;
  const parts = name.split(' + ').map((part) => indexesOf(folded, [foldedWords(part)], new Set())[0]);
  return parts.flatMap((index) => (index === undefined ? [] : [index])).length === parts.length
    ? parts.flatMap((index) => index ?? [])
    : [];
}

/** Whether a configured column combines several: `Name + Date`. */
export const isComposite = (name: string | undefined): boolean => name !== undefined && name.includes(' + ');

/** The columns of the first name found in the header; several if the header repeats it. */
function indexesOf(folded: Indexed, names: readonly string[], claimed: ReadonlySet<number>): readonly number[] {
  for (const name of names) {
    const found = folded.get(name)?.filter((index) => !claimed.has(index)) ?? [];
    if (found.length > 0) return found;
  }
  return [];
}

/** The names of a file's columns for a sentence; only the first ones if there are many. */
export function namesInWords(header: readonly string[]): string {
  const named = header.slice(0, NAMES_SHOWN).map(quoted).join(', ');
  return header.length > NAMES_SHOWN ? `${named} and ${header.length - NAMES_SHOWN} more` : named;
}

const NAMES_SHOWN = 40;

const unknownField = (field: string): Problem => ({
  code: 'column-field',
  message: `columns names the field "${field}", which does not exist; the fields are ${COLUMN_FIELDS.join(', ')}.`,
  where: { field: `columns.${field}` },
});
const missingColumn = (field: string, name: string, header: readonly string[], row: number): Problem => ({
  code: 'column-missing',
  message: `The file has no column "${name}" for ${field}; its columns are ${namesInWords(header)}.`,
  where: { field: `columns.${field}`, row },
});
