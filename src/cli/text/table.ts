import { printable, widestWord, widthOf, wrapped } from './text-width.ts';

/** What a text's colour means. Colour never carries information on its own. */
export type Style = 'bad' | 'wait' | 'good' | 'dim' | 'strong';

/** Where output is printed. */
export interface Screen {
  /** The width of the terminal; undefined if the output is not a terminal, and each row is one line. */
  readonly columns: number | undefined;
  readonly paint: (style: Style, text: string) => string;
}

export type Cell = string | { readonly text: string; readonly style: Style };
/** A line of output; its indentation shows what it belongs to. */
export type Line = Cell;

export interface Row {
  readonly cells: readonly Cell[];
  /** Lines that belong to the row, indented below it. */
  readonly below?: readonly Line[];
}

export interface Table {
  /** The names of the columns, shown on a terminal but not in a file. */
  readonly headings?: readonly string[];
  readonly rows: readonly Row[];
  readonly indent?: number;
}

const GAP = 2;
/** Sentences in narrower columns are hard to read. */
const PROSE_MIN = 28;
const BELOW = 4;
/** The indentation of what belongs below an item. */
const below = (indent: number): number => BELOW * (Math.floor(indent / BELOW) + 1);

interface Shape {
  readonly natural: number;
  readonly least: number;
}

/** Renders a table as text, ending with a line break. */
export function tableText({ headings, rows, indent = 0 }: Table, screen: Screen): string {
  const isShown = headings !== undefined && screen.columns !== undefined && rows.length > 0;
  const all = rows.map((row) => ({ cells: row.cells.map(cleaned), under: row.below ?? [] }));
  const head = isShown ? [headings.map((text) => ({ text, style: 'dim' as const }))] : [];
  const grid = [...head, ...all.map(({ cells }) => cells)];
  const layout = layoutFor(shapesOf(grid), indent, screen.columns);
  const lines = [
    ...head.flatMap((cells) =>
      layout.length === 1 ? linesOf(cells, layout, screen) : headingLine(cells, indent, screen),
    ),
    ...all.flatMap(({ cells, under }) => [
      ...linesOf(cells, layout, screen),
      ...under.flatMap((line) => lineText(indented(line, below(indent)), screen)),
    ]),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** The column names as one line, if the columns are not side by side; some columns have none. */
function headingLine(cells: readonly CleanCell[], indent: number, screen: Screen): readonly string[] {
  const names = cells.flatMap(({ text }) => (text === '' ? [] : [text]));
  return lineText({ text: `${' '.repeat(indent)}${names.join(' · ')}`, style: 'dim' }, screen);
}

interface CleanCell {
  readonly text: string;
  readonly style?: Style;
}

const cleaned = (cell: Cell): CleanCell =>
  typeof cell === 'string' ? { text: printable(cell) } : { ...cell, text: printable(cell.text) };

/** The natural and minimum width of each column. */
function shapesOf(grid: readonly (readonly CleanCell[])[]): readonly Shape[] {
  const shapes: { natural: number; least: number }[] = [];
  for (const row of grid)
    for (const [column, { text }] of row.entries()) {
      const shape = (shapes[column] ??= { natural: 0, least: 0 });
      const width = widthOf(text);
      shape.natural = Math.max(shape.natural, width);
      shape.least = Math.max(shape.least, width <= PROSE_MIN ? width : Math.max(PROSE_MIN, widestWord(text)));
    }
  return shapes;
}

/** Bands of columns below each other, with the widths of their columns. */
type Layout = readonly { readonly indent: number; readonly widths: readonly number[] }[];

/** Places as many columns as possible side by side. Those before them get a line each, with these below. */
function layoutFor(shapes: readonly Shape[], indent: number, columns: number | undefined): Layout {
  if (columns === undefined) return [{ indent, widths: shapes.map(({ natural }) => natural) }];
  const indentOf = (column: number): number => (column === 0 ? indent : below(indent));
  const roomFrom = (column: number): number => columns - indentOf(column) - GAP * (shapes.length - column - 1);
  const fits = (column: number): boolean => sum(shapes.slice(column).map(({ least }) => least)) <= roomFrom(column);
  const together = shapes.findIndex((_shape, column) => fits(column));
  const alone = together === -1 ? shapes.length : together;
  return [
    ...shapes.slice(0, alone).map(({ natural }, column) => ({
      indent: indentOf(column),
      widths: [Math.max(1, Math.min(natural, columns - indentOf(column)))],
    })),
    ...(alone < shapes.length
      ? [{ indent: indentOf(alone), widths: shared(shapes.slice(alone), roomFrom(alone)) }]
      : []),
  ];
}

/** Gives each column its natural width; what is missing is taken from the columns with most to spare. */
function shared(shapes: readonly Shape[], room: number): readonly number[] {
  const widths = shapes.map(({ natural }) => natural);
  let missing = sum(widths) - room;
  while (missing > 0) {
    const spare = shapes.map(({ least }, column) => (widths[column] ?? 0) - least);
    const most = spare.indexOf(Math.max(...spare));
    const taken = Math.min(missing, spare[most] ?? 0);
    widths[most] = (widths[most] ?? 0) - taken;
    missing -= taken;
  }
  return widths;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

function linesOf(cells: readonly CleanCell[], layout: Layout, screen: Screen): readonly string[] {
  let column = 0;
  return layout.flatMap(({ indent, widths }) => {
    const band = widths.map((width, index) => ({ width, cell: cells[column + index] ?? { text: '' } }));
    column += widths.length;
    return bandLines(band, indent, screen);
  });
}

function bandLines(
  band: readonly { readonly width: number; readonly cell: CleanCell }[],
  indent: number,
  { columns, paint }: Screen,
): readonly string[] {
  const parts = band.map(({ width, cell }) => (columns === undefined ? [cell.text] : wrapped(cell.text, width)));
  const height = Math.max(...parts.map(({ length }) => length));
  return Array.from({ length: height }, (_, row) => {
    const last = parts.findLastIndex((part) => (part[row] ?? '') !== '');
    const line = band.slice(0, last + 1).map(({ width, cell: { style } }, index) => {
      const text = parts[index]?.[row] ?? '';
      const painted = style === undefined || text === '' ? text : paint(style, text);
      return index === last ? painted : painted + ' '.repeat(Math.max(0, width - widthOf(text)));
    });
    return `${' '.repeat(indent)}${line.join(' '.repeat(GAP))}`;
  }).filter((line) => line.trim() !== '');
}

/** Commands are meant to be copied, so they must not be wrapped. */
const IS_COMMAND = /npm run -s calsyncd -- /;

/** A line indented further. */
export const indented = (line: Line, by: number): Line =>
  typeof line === 'string' ? `${' '.repeat(by)}${line}` : { ...line, text: `${' '.repeat(by)}${line.text}` };

/** A line, wrapped for a terminal. */
export function lineText(line: Line, screen: Screen): readonly string[] {
  if (typeof line === 'string') return hanging(line, screen);
  return hanging(line.text, screen).map((text) => screen.paint(line.style, text));
}

/** Wraps a line; continuation lines are indented a little further. */
function hanging(text: string, { columns }: Pick<Screen, 'columns'>): readonly string[] {
  const line = printable(text);
  if (columns === undefined || IS_COMMAND.test(line)) return [line];
  const indent = /^ */.exec(line)?.[0].length ?? 0;
  const [first = '', ...rest] = wrapped(line, columns);
  if (rest.length === 0) return [first];
  const hang = ' '.repeat(Math.min(indent + BELOW, Math.floor(columns / 2)));
  const after = wrapped(line.slice(first.length).trimStart(), columns - hang.length);
  return [first, ...after.map((each) => `${hang}${each}`)];
}
