import { LineCounter, parseDocument, type Node, type YAMLParseError } from 'yaml';
import type { Problem } from '../problem.ts';
import { ConfigFile } from './declaration.ts';
import type { Environment } from './environment.ts';
import { readValue } from './read-value.ts';
import { newReading, type Reading } from './reading.ts';
import type { Secret } from './secret.ts';
import { slipOf } from './yaml-slips.ts';

/** The readable content of a file that has problems: anything may be absent. */
export type Incomplete<T> = T extends Secret | string | number | boolean
  ? T
  : { readonly [K in keyof T]?: Incomplete<T[K]> | undefined };

/** Reads a file's text: its content, complete if there are no problems, and the reading with problems and positions. */
export function readConfigText(
  file: string,
  text: string,
  environment: Environment,
): { readonly content: Incomplete<ConfigFile>; readonly reading: Reading } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, keepSourceTokens: false });
  const reading = newReading(file, text, document, lines, environment);
  reading.problems.push(...yamlProblems(file, text, document.errors, lines));
  // The parser guesses at what it cannot read; complaints about its guesses would be noise.
  const content = document.errors.some(({ code }) => code !== 'DUPLICATE_KEY')
    ? undefined
    : readValue(ConfigFile, document.contents as Node | null, [], reading);
  return { content: (content ?? {}) as Incomplete<ConfigFile>, reading };
}

/** The parser's errors in plain words: the first of each line, as further ones are mostly consequences. */
function yamlProblems(
  file: string,
  text: string,
  errors: readonly YAMLParseError[],
  counter: LineCounter,
): readonly Problem[] {
  const rows = text.split(/\r?\n/);
  const problems = new Map<number, Problem>();
  for (const {
    code,
    message,
    pos: [offset],
  } of errors) {
    const { line, col } = counter.linePos(offset);
    const inPlainWords =
      code === 'DUPLICATE_KEY'
        ? `The key "${/^[^\s:]*/.exec(text.slice(offset))?.[0]}" appears a second time here`
        : message.replace(/[.:]?$/, '');
    const slip = slipOf({ code, message, line, column: col }, rows);
    const at = slip?.line ?? line;
    if (!problems.has(at))
      problems.set(at, {
        code: 'config-yaml',
        message: slip?.message ?? `${inPlainWords}.`,
        where: { file, line: at, column: slip?.column ?? col },
      });
  }
  return [...problems.values()];
}
