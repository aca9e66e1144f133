import { isScalar, LineCounter, parseDocument, visit, type Document, type Node, type YAMLParseError } from 'yaml';
import type { Problem } from '../problem.ts';
import { ConfigFile } from './declaration.ts';
import type { Environment } from './environment.ts';
import { readValue } from './read-value.ts';
import { newReading, type Reading } from './reading.ts';
import type { Secret } from './secret.ts';
import { falseSpaces, indentOf, slipOf } from './yaml-slips.ts';

/** The valid part of the content of a file that has problems; anything may be absent. */
export type Incomplete<T> = T extends Secret | string | number | boolean
  ? T
  : { readonly [K in keyof T]?: Incomplete<T[K]> | undefined };

/**
 * Parses a file's text into its content, which is complete if there are no problems, and a reading with problems and
 * positions.
 */
export function readConfigText(
  file: string,
  text: string,
  environment: Environment,
): { readonly content: Incomplete<ConfigFile>; readonly reading: Reading } {
  const lines = new LineCounter();
  // The parser would compare each key with all others of its map, which takes seconds for ten thousand sources.
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    keepSourceTokens: false,
    uniqueKeys: false,
  });
  const reading = newReading(file, text, document, lines, environment);
  const errors = [...document.errors, ...repeatedKeys(document)].toSorted((one, other) => one.pos[0] - other.pos[0]);
  reading.problems.push(...yamlProblems(file, text, errors, lines));
  // The parser guesses at what it cannot read; complaints about its guesses would be noise.
  const content =
    document.errors.length > 0 ? undefined : readValue(ConfigFile, document.contents as Node | null, [], reading);
  if (reading.problems.length > 0) blameFalseSpaces(file, text, reading);
  return { content: (content ?? {}) as Incomplete<ConfigFile>, reading };
}

/**
 * Replaces problems caused by false spaces, on their line or the one before, whose map has lost a key, by problems
 * about these spaces. Elsewhere such characters are part of a text.
 */
function blameFalseSpaces(file: string, text: string, { problems }: Reading): void {
  const lines = new Set(problems.map(({ where }) => where.line));
  const slips = falseSpaces(text.replace(/^\uFEFF/, '').split(/\r?\n/)).filter(({ line }) => lines.has(line));
  const blamed = new Set<number | undefined>(slips.flatMap(({ line }) => [line - 1, line]));
  const others = problems.filter(({ where }) => !blamed.has(where.line));
  const told = slips.map(({ message, line, column }) => ({
    code: 'config-yaml' as const,
    message,
    where: { file, line, column },
  }));
  problems.splice(0, problems.length, ...told, ...others);
}

type YamlError = Pick<YAMLParseError, 'code' | 'message' | 'pos'>;

/** Keys that occur twice in their map. */
function repeatedKeys(document: Document): readonly YamlError[] {
  const repeated: YamlError[] = [];
  visit(document, {
    Map: (_, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const [from = 0, to = from] = key.range ?? [];
        if (seen.has(key.value)) repeated.push({ code: 'DUPLICATE_KEY', message: '', pos: [from, to] });
        seen.add(key.value);
      }
    },
  });
  return repeated;
}

/**
 * The parser's errors in plain words. Only the first of each line is kept, and none among the lines that are indented
 * below it, because further ones are usually its consequences; and none after an error that began in an earlier line and
 * has swallowed what follows.
 */
function yamlProblems(
  file: string,
  text: string,
  errors: readonly YamlError[],
  counter: LineCounter,
): readonly Problem[] {
  const rows = text.split(/\r?\n/);
  const problems = new Map<number, Problem>();
  let unread = 0;
  for (const {
    code,
    message,
    pos: [offset],
  } of errors) {
    const { line, col } = counter.linePos(offset);
    if (line < unread) continue;
    const slip = slipOf({ code, message, line, column: col }, rows);
    const at = slip?.line ?? line;
    if (!problems.has(at))
      problems.set(at, {
        code: 'config-yaml',
        message: slip?.message ?? inPlainWords({ code, message }, text.slice(offset)),
        where: { file, line: at, column: slip?.column ?? col },
      });
    if (at < line) break;
    if (code !== 'DUPLICATE_KEY') unread = endOfGroup(rows, at);
  }
  return [...problems.values()];
}

const inPlainWords = ({ code, message }: Pick<YamlError, 'code' | 'message'>, rest: string): string =>
  code === 'DUPLICATE_KEY'
    ? `The key "${/^[^\s:]*/.exec(rest)?.[0]}" appears a second time here.`
    : message.replace(/[.:]?$/, '.');

/** The number of the first line after `line` that is not indented below it. */
function endOfGroup(rows: readonly string[], line: number): number {
  const end = rows.findIndex(
    (row, index) => index >= line && row.trim() !== '' && indentOf(row) <= indentOf(rows[line - 1] ?? ''),
  );
  return end < 0 ? rows.length + 1 : end + 1;
}
