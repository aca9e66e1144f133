import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * A source file: its path from the root, its number of lines, its code without comments and string contents, all that
 * it imports, and the imports that are loaded together with it.
 */
export interface SourceFile {
  readonly file: string;
  readonly lines: number;
  readonly code: string;
  readonly imports: readonly string[];
  readonly loads: readonly string[];
}

/**
 * The TypeScript files below `folder`. Relative imports become paths from the root (`src/time.ts`), others stay as
 * written.
 */
export const sourceFiles = (folder: string): readonly SourceFile[] =>
  globSync([`${folder}/**/*.ts`, `${folder}/**/platforms.js`])
    .toSorted()
    .map((file) => {
      const text = readFileSync(file, 'utf8');
      return {
        file,
        lines: text.split('\n').length - 1,
        code: codeOf(text),
        imports: found(file, text, IMPORTS),
        loads: found(file, text, LOADS),
      };
    });

/**
 * The part of the program that a file belongs to: its folder below src, or the file itself if it is directly in src.
 */
export const partOf = (file: string): string => file.split('/')[1] ?? file;

/** The package that an import names: `csv-parse` for `csv-parse/sync`. */
export const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

const IMPORTS = new RegExp(
  [
    String.raw`^(?:import|export)\b[^'";]*?from '([^']+)'`,
    String.raw`^import '([^']+)'`,
    String.raw`\bimport\('([^']+)'\)`,
    String.raw`import\.meta\.resolve\('([^']+)'\)`,
    String.raw`new URL\('(\.[^']+\.ts)', import\.meta\.url\)`,
  ].join('|'),
  'gm',
);
const LOADS = /^(?:import|export)\b(?! type\b)[^'";]*?from '([^']+)'|^import '([^']+)'/gm;

const found = (file: string, text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)]
    .map((groups) => groups.slice(1).find((group) => group !== undefined) as string)
    .map((specifier) =>
      specifier.startsWith('.')
        ? path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier))
        : specifier,
    );

function codeOf(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|(?<![:\\/'"`\w])\/\/.*$|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/gm, (found) =>
    found.startsWith('/') ? ' ' : "''",
  );
}
