import { quoted } from './quoted.ts';
import { grouped } from '../count-in-words.ts';
import type { Parsed, Problem } from '../problem.ts';
import { dayAfter } from '../time.ts';
import type { ColumnField } from './column-names.ts';
import { areSides, columnsOf, DECIDING_FIELDS, isComposite, namesInWords, ofAnswers, type Columns } from './columns.ts';
import { dateOrderOf } from './date-order.ts';
import { withDaysAbove } from './days-above.ts';
import { foldedWords, isBlank } from '../ascii.ts';
import type { Row, Table } from './parse-rows.ts';
import { withoutOwnClock } from './own-clock.ts';
import { dateFromText } from './read-date.ts';
import { durationFromText } from './read-duration.ts';
import { isOnce, repeatedDays } from './repeated-days.ts';
import { settledColumns, withHalvesOfDay, withWholeHours } from './time-columns.ts';
import { isFault, rowTimes, wholeDays, type CellFault, type RowTimes } from './row-times.ts';
import { unreadTimes } from './unread-times.ts';
import { withWholeDays } from './whole-days.ts';

/** The event in one row; `text` gives a field's cell, undefined if the file has no such column. */
export interface RowEvent {
  readonly row: number;
  readonly line: number;
  readonly times: RowTimes;
  /** For a row that stands for a series, the occurrence's start as digits; otherwise null. */
  readonly occurrence: string | null;
  /** The recurrence rule of a row that stands for a series (RFC 5545, 3.3.10); null if it has none. */
  readonly rule: string | null;
  readonly text: (field: ColumnField) => string | undefined;
}

/** The first and last day of interest: `2027-01-31`. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

interface Budget {
  readonly window: Days;
  /** How many more occurrences may be created from rows. */ repeated: number;
}
const REPEATED_MAX = 50_000;

export interface RowEvents {
  readonly events: readonly RowEvent[];
  readonly unread: readonly Row[];
}

/**
 * The events of a table. Unreadable rows are left out; without columns for title and start, none can be read. `zoneOf`
 * gives the zone of a row from what the row itself says about it, which may be ''.
 */
export function rowEvents(
  table: Table,
  configured: Readonly<Record<string, string>>,
  timezone: string | undefined,
  window: Days,
  zoneOf: (written: string) => string,
): Parsed<RowEvents> {
  const { header, headerRow } = table;
  const { value: named, problems } = columnsOf(header, configured, headerRow);
  const namedJoints = jointsOf(named, header, configured);
  const cleaned = table.rows
    .map((row) => ({ ...row, cells: row.cells.map(cleanCell) }))
    .filter(({ cells }) => !isHeaderAgain(cells, header))
    .map((row) => inOwnClock(row, zoneOf(textOf('timezone', row, named, namedJoints) ?? '')));
  const listed = withWholeHours(withHalvesOfDay(cleaned, header.length), header, named);
  const columns = settledColumns(named, { ...table, rows: listed }, configured);
  const lacking = (['title', 'start_date'] as const).filter((field) => !columns.has(field));
  if (lacking.length > 0)
    return {
      value: { events: [], unread: listed.length > 0 ? listed : [{ row: headerRow, line: headerRow, cells: header }] },
      problems: [...problems, headerProblem(lacking, header, headerRow, columns)],
    };
  const { rows, problems: above } = withDaysAbove(
    listed.filter((row) => !isRemark(row, columns)),
    columns,
  );
  const order = dateOrderOf({
    dates: cellsOf(rows, columns, ['start_date', 'end_date']),
    times: cellsOf(rows, columns, ['start_time', 'end_time', 'start_date']),
    header,
    delimiter: table.delimiter,
    timezone,
  });
  const joints = jointsOf(columns, header, configured);
  const budget: Budget = { window, repeated: REPEATED_MAX };
  const read = rows.map((row) => ({ row, events: eventsOfRow(row, header, columns, order, joints, budget) }));
  const faults = read.flatMap(({ row, events }) => (isFault(events) ? [rowProblem(row, events, header, columns)] : []));
  const events = read.flatMap((each) => (isFault(each.events) ? [] : each.events));
  const readRows = read.flatMap((each) => (isFault(each.events) ? [] : each.row));
  return {
    value: {
      events: columns.has('all_day') ? events : withWholeDays(events),
      unread: read.flatMap(({ row, events }) => (isFault(events) ? [row] : [])),
    },
    problems: [
      ...problems,
      ...above,
      ...(areWholeDays(events, columns, configured) ? unreadTimes({ ...table, rows: readRows }, columns) : []),
      ...faults,
      ...read.flatMap(({ row, events }) => (isFault(events) ? [] : errorProblems(row, header, columns))),
      ...read.flatMap(({ row, events }) => (isFault(events) ? [] : durationProblems(row, header, columns))),
      ...read.flatMap(({ row, events }) =>
        isFault(events) || row.cells.length === header.length ? [] : [raggedProblem(row, header)],
      ),
    ],
  };
}

/** Whether all events take whole days merely because no time was found. */
const areWholeDays = (
  events: readonly RowEvent[],
  columns: Columns,
  configured: Readonly<Record<string, string>>,
): boolean =>
  events.every(({ times }) => times.allDay) &&
  !columns.has('start_time') &&
  !columns.has('all_day') &&
  !Object.hasOwn(configured, 'start_time');

const inOwnClock = (row: Row, zone: string): Row => ({
  ...row,
  cells: row.cells.map((cell) => withoutOwnClock(cell, zone)),
});

/** Printed tables repeat their header on each page. */
const isHeaderAgain = (cells: readonly string[], header: readonly string[]): boolean =>
  header.every((name, index) => name === (cells[index] ?? ''));

/** Whether a row holds nothing of an event (no title, no time, no id), such as a note below the table. */
const isRemark = ({ cells }: Row, columns: Columns): boolean =>
  !DECIDING_FIELDS.some((field) => columns.get(field)?.some((index) => (cells[index] ?? '') !== ''));

function eventsOfRow(
  row: Row,
  header: readonly string[],
  columns: Columns,
  order: ReturnType<typeof dateOrderOf>,
  joints: Joints,
  budget: Budget,
): readonly RowEvent[] | CellFault {
  const text = (field: ColumnField): string | undefined => textOf(field, row, columns, joints);
  const cell = (field: ColumnField): string => text(field) ?? '';
  const fault = faultOf(row, header, columns, cell('title'));
  if (fault) return fault;
  const times = rowTimes(
    {
      startDate: cell('start_date'),
      startTime: cell('start_time'),
      endDate: cell('end_date'),
      endTime: cell('end_time'),
      minutes: durationFromText(cell('duration'), header[columns.get('duration')?.[0] ?? -1]),
      allDay: flagFrom(cell('all_day')),
    },
    order,
  );
  if (isFault(times)) return times;
  const event: RowEvent = { row: row.row, line: row.line, times, occurrence: null, rule: null, text };
  const recurrence = cell('recurrence');
  if (recurrence === '' || flagFrom(recurrence) === false || isOnce(recurrence)) return [event];
  if (/\bFREQ\s*=/i.test(recurrence)) return [{ ...event, rule: recurrence }];
  return onEachDay(event, recurrence, budget);
}

/** The separator for each field that uses all of its columns; other fields use the first column that is not empty. */
type Joints = ReadonlyMap<ColumnField, string>;

function jointsOf(columns: Columns, header: readonly string[], configured: Readonly<Record<string, string>>): Joints {
  const jointOf = (field: ColumnField, indexes: readonly number[]): string | undefined => {
    if (LISTS.has(field)) return '; ';
    if (field === 'title' && areSides(header, indexes)) return ' – ';
    if (!isComposite(configured[field])) return undefined;
    return field === 'uid' ? ' | ' : ' ';
  };
  return new Map(
    [...columns].flatMap(([field, indexes]) => {
      const joint = jointOf(field, indexes);
      return joint === undefined ? [] : [[field, joint]];
    }),
  );
}

/** The text of a field's cells, joined. */
function textOf(field: ColumnField, row: Row, columns: Columns, joints: Joints): string | undefined {
  const all = columns.get(field)?.map((index) => row.cells[index] ?? '');
  // A spreadsheet error says nothing about the field.
  if (all === undefined || all.some(isError)) return undefined;
  const cells = all.filter((each) => each !== '');
  const joint = joints.get(field);
  return joint === undefined ? (cells[0] ?? '') : cells.join(joint);
}

/** Why a row is not an event, apart from its times; undefined if it is one. */
function faultOf(row: Row, header: readonly string[], columns: Columns, title: string): CellFault | undefined {
  const broken = DECIDING_FIELDS.find((field) => columns.get(field)?.some((index) => isError(row.cells[index] ?? '')));
  if (broken)
    return {
      code: 'row-formula',
      field: broken,
      message: 'The cell contains a spreadsheet error instead of a value.',
    };
  if (isBlank(title)) return { code: 'row-title', field: 'title', message: 'The title is missing.' };
  const cut = (['start_date', 'start_time'] as const).find((field) =>
    columns.get(field)?.every((index) => index >= row.cells.length),
  );
  if (!cut) return undefined;
  return {
    code: 'row-cut',
    field: cut,
    message: `The row has ${row.cells.length} of ${header.length} cells and ends before ${quoted(header[columns.get(cut)?.[0] ?? 0] ?? cut)}.`,
  };
}

/** Makes one event per day for a row that recurs on listed weekdays. */
function onEachDay(event: RowEvent, weekdays: string, budget: Budget): readonly RowEvent[] | CellFault {
  const days = repeatedDays(weekdays, event.times.startDay, event.times.endDay, budget.window);
  budget.repeated -= days?.length ?? 0;
  if (budget.repeated < 0)
    return {
      code: 'row-limit',
      field: 'recurrence',
      message: `The rows of the file are repeated more than ${grouped(REPEATED_MAX)} times in the window.`,
    };
  return days === null
    ? {
        code: 'row-recurrence',
        field: 'recurrence',
        message: `${quoted(weekdays)} is neither a list of weekdays such as M,W,F nor a rule such as FREQ=WEEKLY;BYDAY=MO;COUNT=10.`,
      }
    : days.map((day) => onDay(event, day));
}

// Fields that use all of their columns; other fields use the first one that is not empty.
const LISTS: ReadonlySet<ColumnField> = new Set(['categories', 'tags', 'organizer']);

/**
 * Gives all cells the same line ends, whatever the file uses, and empties those with a person's dash or a program's
 * word for nothing.
 */
const cleanCell = (cell: string): string => {
  const text = unguarded(cell.trim().replace(/\r\n?/g, '\n'));
  return SAYS_NOTHING.test(text) ? '' : text.replace(DAY_OF_NO_DATE, '');
};
/** The date that spreadsheets put before a bare time: the day from which they count, or the day before or after it. */
const DAY_OF_NO_DATE = new RegExp(
  [
    String.raw`^(?:1899-12-3[01]|1900-01-0[01]|(?:30|31)[./-]12[./-]1899|12[./-](?:30|31)[./-]1899`,
    String.raw`0?[01][./-]0?[01][./-]1900)[T ]\s*(?=\d{1,2}:\d\d[^Z]*$)`,
  ].join('|'),
);
const SAYS_NOTHING = /^(?:[-–—]+|n\/a|N\/A|\(?null\)?|\(?NULL\)?|NaN|nan|NaT|None)$/;

/**
 * Some exports, including ours, put an apostrophe before anything that a spreadsheet would compute (`=1+1`). Others
 * write `="0123"` to keep it text.
 */
const unguarded = (cell: string): string =>
  /^'+[=+\-@＝＋－＠]/.test(cell) ? cell.slice(1) : (/^="([^"]*)"$/.exec(cell)?.[1]?.trim() ?? cell);

/**
 * Whether a cell is a formula error of Excel, LibreOffice or Google Sheets, also in German, French, Spanish, Polish and
 * Dutch.
 */
const isError = (cell: string): boolean => FORMULA_ERROR.test(cell);
const FORMULA_ERROR = new RegExp(
  [
    '^#(?:N/[ADB]|NV',
    '¡?(?:REF|BEZUG|ADR|VALUE|WERT|VALEUR|VALOR|ARG|WAARDE|DIV/0|DEEL/0|NULL|NUL|NUM|ZAHL|NOMBRE|LICZBA|GETAL)!',
    '¡?(?:ERROR|SPILL|CALC|VERW)!',
    String.raw`(?:NAME|NOM|NAAM|NAZWA|¿NOMBRE)\?)$`,
  ].join('|'),
);

/** The occurrence of a series on one day. */
function onDay(event: RowEvent, day: string): RowEvent {
  const { allDay, startTime, endTime } = event.times;
  const endDay = endTime < startTime ? dayAfter(day) : day;
  const digits = `${day}${allDay ? '' : `T${startTime}`}`.replace(/[-:]/g, '');
  const times = allDay ? wholeDays(day, day) : { ...event.times, startDay: day, endDay };
  return { ...event, occurrence: digits, times };
}

const TRUE = new Set(
  [
    'true yes y 1 x on ein ja wahr tak prawda oui vrai si verdadero vero waar ano sim kylla igen sant sand',
    'igaz да так ναι evet dogru da adevarat はい 是 예 네',
  ].flatMap((words) => words.split(' ')),
);
const FALSE = new Set(
  [
    'false no n 0 off aus nein falsch nie falsz non faux falso nee onwaar ne nao nej nei ei nem falskt',
    'falsk hamis нет ні οχι hayir nu いいえ 否 아니오 아니요',
  ].flatMap((words) => words.split(' ')),
);

/** A yes or no in the languages of exporters; null if it is neither. */
export function flagFrom(text: string): boolean | null {
  const word = foldedWords(text);
  if (TRUE.has(word)) return true;
  return FALSE.has(word) ? false : null;
}

const cellsOf = (rows: readonly Row[], columns: Columns, fields: readonly ColumnField[]): readonly string[] =>
  fields
    .flatMap((field) => columns.get(field) ?? [])
    .flatMap((index) => rows.map(({ cells }) => cells[index] ?? '').filter((cell) => cell !== ''));

const headerProblem = (
  lacking: readonly string[],
  header: readonly string[],
  row: number,
  columns: Columns,
): Problem => ({
  code: 'csv-header',
  message: header.some((name) => dateFromText(name, 'day first') !== null)
    ? `The first row is not one of headings: ${namesInWords(header)}. Put one above it, such as Title, Date, Time.`
    : `No column was recognized as ${lacking.join(' or ')}; the file's columns are ${namesInWords(header)}. ` +
      howToName(lacking[0] ?? 'title', unclaimed(header, columns)),
  where: { row },
});

const howToName = (field: string, column: string): string =>
  column === ''
    ? 'Give each column a heading.'
    : `Name them under columns in the configuration, for example columns: { ${field}: ${quoted(column)} }.`;

/** The first column with a name that is not read into any field; '' if there is none. */
function unclaimed(header: readonly string[], columns: Columns): string {
  const claimed = new Set([...columns.values(), ofAnswers(header)].flat());
  return header.find((name, index) => name !== '' && !claimed.has(index)) ?? '';
}

function rowProblem(
  { row, line }: Row,
  { code, field, message }: CellFault,
  header: readonly string[],
  columns: Columns,
): Problem {
  // The fields of cell faults are column fields.
  const index = columns.get(field as ColumnField)?.[0];
  const column = index === undefined ? field : (header[index] ?? field);
  return {
    code,
    message: `${message} The row is left out.`,
    where: { row, line, field: column, ...(index === undefined ? {} : { column: index + 1 }) },
  };
}

function errorProblems({ row, line, cells }: Row, header: readonly string[], columns: Columns): readonly Problem[] {
  return [...columns.values()]
    .flat()
    .filter((index) => isError(cells[index] ?? ''))
    .map((index) => ({
      code: 'cell-formula',
      message: `The cell contains the spreadsheet error ${cells[index] ?? ''}; the site keeps what it has.`,
      where: { row, line, field: header[index] ?? '', column: index + 1 },
    }));
}

function durationProblems({ row, line, cells }: Row, header: readonly string[], columns: Columns): readonly Problem[] {
  return (columns.get('duration') ?? []).flatMap((index) => {
    const [text, name] = [cells[index] ?? '', header[index] ?? ''];
    return text === '' || durationFromText(text, name) !== null
      ? []
      : [
          {
            code: 'row-duration',
            message: `"${text.slice(0, 60)}" is not a duration; write it as 1:30 or 90 min. The event has no length, unless it has an end.`,
            where: { row, line, field: name, column: index + 1 },
          },
        ];
  });
}

const raggedProblem = ({ row, line, cells }: Row, header: readonly string[]): Problem => ({
  code: 'row-ragged',
  message:
    `The row has ${cells.length} cells, the header ${header.length}; ` +
    `${cells.length > header.length ? 'those after the last column are ignored' : 'the missing ones count as empty'}.`,
  where: { row, line },
});
