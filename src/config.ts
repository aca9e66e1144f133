import { isUtf8 } from 'node:buffer';
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { isUtf16 } from './files/unicode-bytes.ts';
import { readWholeSync } from './files/read-whole.ts';
import { whyUnreadable } from './files/why-unreadable.ts';
import type { Config } from './config/config.ts';
import { crossCheck } from './config/cross-checks.ts';
import type { ConfigFile } from './config/declaration.ts';
import type { Environment } from './config/environment.ts';
import { findDoubts, type InspectPath } from './config/doubts.ts';
import { readEnvironment } from './config/from-environment.ts';
import { readConfigText } from './config/read-file.ts';
import { resolveConfig } from './config/resolve.ts';
import { uploadsIn } from './config/uploads.ts';
import type { Problem } from './problem.ts';

export type { Config } from './config/config.ts';

export interface LoadedConfig {
  /** Absent if there are problems. */
  readonly value?: Config;
  /** The content of the file; absent if it cannot be read. */
  readonly bytes?: Buffer;
  /** Everything that must be fixed, in file order. */
  readonly problems: readonly Problem[];
  /**
   * What can be read but will not work, such as a missing file: `check` fails because of it, other commands only report
   * it.
   */
  readonly doubts: readonly Problem[];
  /** What works but should be written differently. */
  readonly warnings: readonly Problem[];
}

/** What to load: the file (`path`, else CONFIG, else config/calsyncd.yaml) and the environment. */
interface Asked {
  readonly path?: string | undefined;
  readonly env?: Environment;
}

/** The configuration file if nobody names one. */
export const USUAL_CONFIG_FILE = 'config/calsyncd.yaml';

/** The name of the configuration file, as it was given. */
export const configFileName = ({ path: named, env = process.env }: Asked = {}): string =>
  named ?? (env['CONFIG'] || USUAL_CONFIG_FILE);

/** The width of a terminal, if COLUMNS gives one. */
export function askedColumns(env: Environment = process.env): number | undefined {
  const asked = Number(env['COLUMNS']);
  return Number.isInteger(asked) && asked > 0 ? asked : undefined;
}

/** Whether the terminal can neither move its cursor nor delete a line, like that of an editor. */
export const isDumbTerminal = (env: Environment = process.env): boolean => env['TERM'] === 'dumb';

/** How the program's commands are typed on this machine, if whoever installed it has set that: "calsyncd". */
export const askedCommand = (env: Environment = process.env): string | undefined =>
  env['CALSYNCD_COMMAND'] || undefined;

/** Reads the file and the environment; never throws. */
export function loadConfig(asked: Asked = {}): LoadedConfig {
  const name = configFileName(asked);
  try {
    const bytes = readWholeSync(name);
    return { ...readConfig(name, bytes, asked.env), bytes };
  } catch (error) {
    const { problems } = readEnvironment(asked.env ?? process.env);
    return { problems: [...problems, unreadable(name, error as NodeJS.ErrnoException)], doubts: [], warnings: [] };
  }
}

/** Reads the configuration from the bytes of a file called `name`, with the current environment; never throws. */
export function readConfig(name: string, bytes: Buffer, env: Environment = process.env): LoadedConfig {
  const environment = readEnvironment(env);
  const text = textOf(bytes, name);
  if (typeof text !== 'string') return { problems: [...environment.problems, text], doubts: [], warnings: [] };
  const { content, reading } = readConfigText(name, text, env);
  crossCheck(content, reading);
  findDoubts(content, reading, lookAt, [uploadsIn(environment.value.dataDir)]);
  const problems = [...environment.problems, ...inOrder(reading.problems)];
  const [doubts, warnings] = [inOrder(reading.doubts), inOrder(reading.warnings)];
  if (problems.length > 0) return { problems, doubts, warnings };
  // Without problems, everything required is present.
  return {
    value: withUploads({ ...environment.value, ...resolveConfig(content as ConfigFile, path.resolve(name)) }),
    problems,
    doubts,
    warnings,
  };
}

/** Uploaded files may be read wherever the data directory is. */
const withUploads = (config: Config): Config => ({
  ...config,
  fetch: { ...config.fetch, allowFiles: [...config.fetch.allowFiles, uploadsIn(config.dataDir)] },
});

/** The problem for a configuration file that cannot be read. */
export function unreadable(file: string, error: NodeJS.ErrnoException): Problem {
  const why =
    file === ''
      ? 'No configuration file is named: the value of --config is empty.'
      : `The configuration file ${path.resolve(file)} cannot be read: ${whyUnreadable(error) ?? error.message}.`;
  return { code: 'config-file', message: `${why} Name one with --config or CONFIG.`, where: { file } };
}

function textOf(bytes: Buffer, file: string): string | Problem {
  if (isUtf16(bytes))
    return {
      code: 'config-encoding',
      message:
        'The file is written in UTF-16. Save it as UTF-8: in Notepad under "Save as", Encoding; elsewhere with iconv -f UTF-16 -t UTF-8.',
      where: { file, line: 1, column: 1 },
    };
  const text = bytes.toString('utf8');
  if (text.includes('\0'))
    return {
      code: 'config-encoding',
      message:
        'There is a zero byte here, which no editor writes: a crash or a full disk may have damaged the file. ' +
        'Delete it, or take the file from a backup.',
      where: { file, ...placeIn(text, '\0') },
    };
  if (isUtf8(bytes)) return text;
  return {
    code: 'config-encoding',
    message:
      'A character here is not UTF-8. Save the file as UTF-8: in an editor under "Save as", Encoding; elsewhere with iconv -f WINDOWS-1252 -t UTF-8.',
    where: { file, ...placeIn(text, '\uFFFD') },
  };
}

/** The place of the first occurrence of a character in a text. */
function placeIn(text: string, character: string): { readonly line: number; readonly column: number } {
  const before = text.slice(0, text.indexOf(character)).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

const lookAt: InspectPath = (file) => {
  try {
    if (statSync(file).isDirectory()) return { kind: 'directory', beside: namesIn(file) };
    accessSync(file, constants.R_OK);
    return { kind: 'file', beside: [] };
  } catch (error) {
    const beside = namesIn(path.dirname(file));
    if (!isDenied(error)) return { kind: 'nothing', beside };
    const closed = closedOnTheWay(path.dirname(file));
    return { kind: 'unreadable', beside, ...(closed === undefined ? {} : { closed }) };
  }
};

const isDenied = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EACCES';

/** The first folder, from the root down to `directory`, that may not be entered. */
function closedOnTheWay(directory: string): string | undefined {
  const above = path.dirname(directory);
  const closed = above === directory ? undefined : closedOnTheWay(above);
  if (closed !== undefined) return closed;
  try {
    // Anything in a folder, even itself by ".", can be reached only by those who may enter the folder.
    statSync(`${directory}${path.sep}.`);
    return undefined;
  } catch (error) {
    return isDenied(error) ? directory : undefined;
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    // The names only help with misspelt ones.
    return [];
  }
}

const inOrder = (problems: readonly Problem[]): Problem[] =>
  problems.toSorted(
    (one, other) =>
      (one.where.line ?? 0) - (other.where.line ?? 0) || (one.where.column ?? 0) - (other.where.column ?? 0),
  );
