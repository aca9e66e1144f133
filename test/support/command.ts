import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runProgram } from '../../src/cli/program.ts';
import { urlOf } from './database-address.ts';
import { sharedParser } from './shared-parser.ts';
import type { SyncingApp } from './syncing-app.ts';

/** A command's exit code and output; `json` is its standard output, parsed if it is JSON. */
export interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly json: Readonly<Record<string, unknown>> & { readonly runs: readonly Readonly<Record<string, unknown>>[] };
}

/** A user who watches a running command and may stop it. */
export interface Watching {
  readonly err?: (text: string) => void;
  readonly stopped?: Promise<void>;
  /** Answers prompts, like a user at a terminal. */
  readonly ask?: (question: string) => Promise<string | undefined>;
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command line in this process, on the database of `syncing` and with its own configuration. */
export async function commandIn(
  syncing: SyncingApp,
  yaml: string,
  words: readonly string[],
  watching: Watching = {},
): Promise<Said> {
  const file = path.join(syncing.directory, 'command.yaml');
  await writeFile(file, yaml);
  const env = { DATABASE_URL: urlOf(syncing.address), LOG_LEVEL: 'fatal', ...watching.env };
  Object.assign(process.env, env);
  let [out, err] = ['', ''];
  try {
    const code = await runProgram([...words, '--config', file], {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
        watching.err?.(text);
      },
      isTerminal: false,
      now: () => syncing.clock.now,
      stopped: watching.stopped ?? new Promise(() => undefined),
      parser: sharedParser,
      ...(watching.ask ? { ask: watching.ask } : {}),
    });
    return { code, out, err, json: out.startsWith('{') ? (JSON.parse(out) as Said['json']) : { runs: [] } };
  } finally {
    for (const name of Object.keys(env)) delete process.env[name];
  }
}
