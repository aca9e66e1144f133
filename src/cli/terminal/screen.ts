import type { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import { askedColumns, isDumbTerminal } from '../../config.ts';
import { lineText, tableText, type Cell, type Line, type Screen, type Style, type Table } from '../text/table.ts';
import type { Io } from './io.ts';

const COLUMNS_USUAL = 80;
const FORMATS: Readonly<Record<Style, Parameters<typeof styleText>[0]>> = {
  bad: 'red',
  wait: 'yellow',
  good: 'green',
  dim: 'dim',
  strong: 'bold',
};

/** The width of a terminal, which COLUMNS overrules; undefined where the stream is none. */
export function columnsOf({
  isTTY,
  columns,
}: Pick<WriteStream, 'columns'> & { readonly isTTY?: boolean }): number | undefined {
  if (!isTTY) return undefined;
  // Some terminals do not say how wide they are.
  return askedColumns() ?? (columns > 0 ? columns : COLUMNS_USUAL);
}

/** Whether a line on a stream can be taken back and written anew: terminals that say they are dumb only go forward. */
export const canRedraw = ({ isTTY }: { readonly isTTY?: boolean }): boolean => isTTY === true && !isDumbTerminal();

/** What is printed to a stream: in its width, and in colours where it has them, as NO_COLOR and FORCE_COLOR say. */
export const screenOn = (stream: WriteStream): Screen => ({
  get columns() {
    return columnsOf(stream);
  },
  paint: (style, text) => styleText(FORMATS[style], text, { stream }),
});

const PLAIN: Screen = { columns: undefined, paint: (_style, text) => text };

/** Where a command prints. */
export const screenOf = ({ screen }: Pick<Io, 'screen'>): Screen => screen ?? PLAIN;

/** Whether something works, in a table. */
export const okOrBad = (isOk: boolean): Cell => (isOk ? { text: 'ok', style: 'good' } : { text: 'BAD', style: 'bad' });

/** Prints a table. */
export const printTable = (io: Io, table: Table): void => io.out(tableText(table, screenOf(io)));

/** Prints lines, which a terminal shows broken between words. */
export const printLines = (io: Io, lines: readonly Line[]): void =>
  io.out(
    lines
      .flatMap((line) => lineText(line, screenOf(io)))
      .map((line) => `${line}\n`)
      .join(''),
  );
