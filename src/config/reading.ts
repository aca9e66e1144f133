import type { ConfigCode } from '../codes.ts';
import type { Document, LineCounter } from 'yaml';
import type { Problem, Where } from '../problem.ts';
import type { Environment } from './environment.ts';

export type Path = readonly (string | number)[];

/** One reading of a file: its inputs and what it collects. */
export interface Reading {
  readonly file: string;
  /** The whole file. */
  readonly text: string;
  readonly document: Document;
  readonly lines: LineCounter;
  readonly environment: Environment;
  readonly problems: Problem[];
  /** Settings that are valid but will not work: `check` fails, other commands only report them. */
  readonly doubts: Problem[];
  readonly warnings: Problem[];
  /** The offsets of secret values in the file; the second one is exclusive. */
  readonly secrets: (readonly [from: number, to: number])[];
  /** The position of each value, by its path. */
  readonly places: Map<string, Where>;
}

export const newReading = (
  file: string,
  text: string,
  document: Document,
  lines: LineCounter,
  environment: Environment,
): Reading => ({
  file,
  text,
  document,
  lines,
  environment,
  problems: [],
  doubts: [],
  warnings: [],
  secrets: [],
  places: new Map(),
});

const keyOf = (path: Path): string => JSON.stringify(path);

/** Records that the value at `path` begins at an offset of the file. */
export function place(reading: Reading, path: Path, offset: number | undefined): void {
  const { line, col } = offset === undefined ? { line: 0, col: 0 } : reading.lines.linePos(offset);
  reading.places.set(
    keyOf(path),
    line > 0
      ? { file: reading.file, line, column: col, field: path.join('.') }
      : { file: reading.file, field: path.join('.') },
  );
}

/** Whether the file has a value at `path`, valid or not. */
export const isGiven = (reading: Reading, path: Path): boolean => reading.places.has(keyOf(path));

/** The position of the value at `path`, or else of the nearest value around it. */
export function placeOf(reading: Reading, path: Path): Where {
  for (let length = path.length; length > 0; length -= 1) {
    const found = reading.places.get(keyOf(path.slice(0, length)));
    if (found) return { ...found, field: path.join('.') };
  }
  return { file: reading.file, ...(path.length > 0 && { field: path.join('.') }) };
}

export function complain(reading: Reading, path: Path, code: ConfigCode, message: string): void {
  reading.problems.push({ code, message, where: placeOf(reading, path) });
}

export function doubt(reading: Reading, path: Path, code: ConfigCode, message: string): void {
  reading.doubts.push({ code, message, where: placeOf(reading, path) });
}

export function warn(reading: Reading, path: Path, code: ConfigCode, message: string): void {
  reading.warnings.push({ code, message, where: placeOf(reading, path) });
}
