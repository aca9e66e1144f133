import type { ProblemCode } from './codes.ts';

/** The place of a problem, as far as known. Lines, rows and columns are counted from 1. */
export interface Where {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly row?: number;
  readonly uid?: string;
  readonly field?: string;
  readonly slug?: string;
}

/** A problem with outside input: a code for machines, a sentence for people, and a place. */
export interface Problem<Code extends ProblemCode = ProblemCode> {
  readonly code: Code;
  readonly message: string;
  readonly where: Where;
}

/** The result of a parser, which never fails: what could be read, and what could not. */
export interface Parsed<T> {
  readonly value: T;
  readonly problems: readonly Problem[];
}

/** `where` in words: "line 12, UID abc". */
export function whereInWords(where: Where): string {
  const { row, uid, field, slug } = where;
  return [placeInFile(where), row === undefined ? '' : `row ${row}`, field, uid === undefined ? '' : `UID ${uid}`, slug]
    .filter((part) => part !== undefined && part !== '')
    .join(', ');
}

function placeInFile({ file, line, column }: Where): string {
  if (file !== undefined) return [file, line, column].filter((part) => part !== undefined).join(':');
  return line === undefined ? '' : `line ${line}`;
}

/** How many problems per code are reported; the rest are only counted, so that a hostile feed cannot flood a report. */
export const REPORTED_PER_CODE = 50;

/** The first problems of each code, then an entry for each code that has more of them. */
export function atMostOfEach(problems: readonly Problem[]): readonly Problem[] {
  const counts = new Map<ProblemCode, number>();
  const first = problems.filter(({ code }) => {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    return count <= REPORTED_PER_CODE;
  });
  return [...first, ...furtherProblems(counts)];
}

/** An entry for each code with more problems than are reported; `counts` has all problems by code. */
export const furtherProblems = (counts: ReadonlyMap<ProblemCode, number>): readonly Problem[] =>
  [...counts]
    .filter(([, count]) => count > REPORTED_PER_CODE)
    .map(([code, count]) => ({
      code,
      message: `${count - REPORTED_PER_CODE} more problems of the kind "${code}".`,
      where: {},
    }));

/** How many further problems of its kind an entry only counts; 0 for an ordinary entry. */
export const furtherCount = ({ message, where }: Problem): number =>
  Object.keys(where).length > 0 ? 0 : Number(/^(\d+) more problems of the kind "/.exec(message)?.[1] ?? 0);

/** The first sentence of a message, as part of another sentence; the rest says what to do. */
export const asPartOfSentence = (message: string): string =>
  (/^.*?[.?!](?=\s+\p{Lu})/su.exec(message)?.[0] ?? message)
    .replace(/\.$/, '')
    .replace(/^(?:The|An?|No|It) /, (word) => word.toLowerCase());
