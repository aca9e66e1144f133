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

/** The width of a terminal, which COLUMNS overrides; undefined if the stream is not a terminal. */
export function columnsOf({
  isTTY,
  columns,
}: Pick<WriteStream, 'columns'> & { readonly isTTY?: boolean }): number | undefined {
  if (!isTTY) return undefined;
  // Some terminals do not report their width.
  return askedColumns() ?? (columns > 0 ? columns : COLUMNS_USUAL);
}

/** Whether a line can be erased and redrawn; dumb terminals only move forward. */
export const canRedraw = ({ isTTY }: { readonly isTTY?: boolean }): boolean => isTTY === true && !isDumbTerminal();

/** A stream as a screen: its width, and its colours subject to NO_COLOR and FORCE_COLOR. */
export const screenOn = (stream: WriteStream): Screen => ({
  get columns() {
    return columnsOf(stream);
  },
  paint: (style, text) => styleText(FORMATS[style], text, { stream }),
});

const PLAIN: Screen = { columns: undefined, paint: (_style, text) => text };

/** The screen that a command prints to. */
export const screenOf = ({ screen }: Pick<Io, 'screen'>): Screen => screen ?? PLAIN;

/** A table cell that says whether something works. */
export const okOrBad = (isOk: boolean): Cell => (isOk ? { text: 'ok', style: 'good' } : { text: 'BAD', style: 'bad' });

/** Prints a table. */
export const printTable = (io: Io, table: Table): void => io.out(tableText(table, screenOf(io)));

/** Prints lines, which are wrapped between words on a terminal. */
export const printLines = (io: Io, lines: readonly Line[]): void =>
  io.out(
    lines
      .flatMap((line) => lineText(line, screenOf(io)))
      .map((line) => `${line}\n`)
      .join(''),
  );
