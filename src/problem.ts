import type { ProblemCode } from './codes.ts';

/** Where a problem is, as far as known. Lines, rows and columns count from 1. */
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

/** The result of a parser, which never fails: what it could read, and what it could not. */
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

const REPORTED_PER_CODE = 50;

/** At most 50 problems of one code, the rest counted, so that a hostile feed cannot flood a report. */
export function atMostOfEach(problems: readonly Problem[]): readonly Problem[] {
  const counts = new Map<ProblemCode, number>();
  const first = problems.filter(({ code }) => {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    return count <= REPORTED_PER_CODE;
  });
  const more = [...counts].filter(([, count]) => count > REPORTED_PER_CODE);
  return [
    ...first,
    ...more.map(([code, count]): Problem => ({
      code,
      message: `${count - REPORTED_PER_CODE} more problems of the kind "${code}".`,
      where: {},
    })),
  ];
}
