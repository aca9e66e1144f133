import type { Command } from 'commander';
import type { Config } from '../../config/config.ts';
import type { Problem } from '../../problem.ts';
import { EXIT, type CommonOptions, type ExitCode, type Io } from './io.ts';
import { problemInWords } from './words.ts';

/** What a command is given: the terminal, the read configuration, its options and arguments. */
export interface Call {
  readonly io: Io;
  readonly config: Config;
  /** What the configuration says and cannot work. */
  readonly doubts: readonly Problem[];
  readonly options: CommonOptions & Readonly<Record<string, unknown>>;
  readonly args: readonly string[];
}

export interface CommandSpec {
  readonly usage: string;
  readonly description: string;
  readonly options?: readonly (readonly [flags: string, description: string, fallback?: string])[];
  readonly act: (call: Call) => Promise<ExitCode>;
  /** It ends in an orderly way when it is asked to stop; any other command is over at once. */
  readonly stopsItself?: true;
  /** It tells the doubts about the configuration itself; any other command notes them before it begins. */
  readonly tellsDoubts?: true;
}

/** Runs a command's function with what it needs; main provides it. */
export type Run = (act: CommandSpec['act'], options: Call['options'], args: readonly string[]) => Promise<void>;

/** Adds a command with the options that all have. */
export function addCommand(
  program: Command,
  run: Run,
  { usage, description, options = [], act, stopsItself, tellsDoubts }: CommandSpec,
): void {
  const telling = tellsDoubts ? act : notingDoubts(act);
  const command = program.command(usage).description(description);
  for (const [flags, text, fallback] of options) command.option(flags, text, fallback);
  command
    .option('--json', 'one JSON value on standard output')
    .option('--config <file>', 'the configuration file (default: CONFIG or config/calsyncd.yaml)');
  command.action(async () =>
    run(
      stopsItself ? telling : untilStopped(telling),
      command.opts(),
      command.processedArgs.flat().filter((arg): arg is string => typeof arg === 'string'),
    ),
  );
}

const notingDoubts =
  (act: CommandSpec['act']): CommandSpec['act'] =>
  async (call) => {
    for (const problem of call.doubts) call.io.err(`Note: ${problemInWords(problem)}\n`);
    return act(call);
  };

const untilStopped =
  (act: CommandSpec['act']): CommandSpec['act'] =>
  async (call) =>
    endedByStop(call.io, act(call));

/** What comes of work that may be cut off anywhere: a request to stop is its end. */
export const endedByStop = async (io: Io, work: Promise<ExitCode>): Promise<ExitCode> =>
  Promise.race([work, io.stopped.then(() => EXIT.failed)]);
