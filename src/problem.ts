/** Where a problem is, as far as it is known. Lines, rows and columns count from 1. */
export interface Where {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly row?: number;
  readonly uid?: string;
  readonly field?: string;
  readonly slug?: string;
}

/** Something that is wrong with what came from outside: a code for machines, a sentence for a person, a place. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly where: Where;
}

/** What a parser gives: it never fails, it returns what it could read and what it could not. */
export interface Parsed<T> {
  readonly value: T;
  readonly problems: readonly Problem[];
}

/** `where` in words: "line 12, UID abc". */
export function whereInWords(where: Where): string {
  const { file, line, column, row, uid, field, slug } = where;
  const place = file === undefined ? line === undefined ? '' : `line ${line}` : [file, line, column].filter((part) => part !== undefined).join(':');
  return [place, row === undefined ? '' : `row ${row}`, field ?? '', uid === undefined ? '' : `UID ${uid}`, slug ?? '']
    .filter((part) => part !== '').join(', ');
}
