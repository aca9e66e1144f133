import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from './config/config.ts';
import { crossCheck } from './config/cross-checks.ts';
import type { ConfigFile } from './config/declaration.ts';
import type { Environment } from './config/environment.ts';
import { readEnvironment } from './config/from-environment.ts';
import { readConfigText } from './config/read-file.ts';
import { resolveConfig } from './config/resolve.ts';
import type { Problem } from './problem.ts';

export type { Config } from './config/config.ts';

export interface LoadedConfig {
  /** Absent where there are problems. */
  readonly value?: Config;
  /** Everything that must be put right, in the order of the file. */
  readonly problems: readonly Problem[];
  /** What works, and had better be different. */
  readonly warnings: readonly Problem[];
}

/** Reads the file (`path`, else CONFIG, else config/calsyncd.yaml) and the environment; never throws. */
export function loadConfig({ path: named, env = process.env }: { readonly path?: string; readonly env?: Environment } = {}): LoadedConfig {
  const name = named ?? (env['CONFIG'] || 'config/calsyncd.yaml');
  const environment = readEnvironment(env);
  const text = readText(name);
  if (typeof text !== 'string') return { problems: [...environment.problems, text], warnings: [] };
  const { content, reading } = readConfigText(name, text, env);
  crossCheck(content, reading);
  const problems = [...environment.problems, ...inOrder(reading.problems)];
  const warnings = inOrder(reading.warnings);
  return problems.length > 0 ? { problems, warnings }
    // Without problems nothing is absent that has to be there.
    : { value: { ...environment.value, ...resolveConfig(content as ConfigFile, path.resolve(name)) }, problems, warnings };
}

function readText(file: string): string | Problem {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'it does not exist' : code === 'EISDIR' ? 'it is a directory' : message;
    return { code: 'config-file', message: `The configuration file ${path.resolve(file)} cannot be read: ${reason}. Name one with --config or CONFIG.`, where: { file } };
  }
}

const inOrder = (problems: readonly Problem[]): Problem[] =>
  problems.toSorted((one, other) => (one.where.line ?? 0) - (other.where.line ?? 0) || (one.where.column ?? 0) - (other.where.column ?? 0));
