import type { Command } from 'commander';
import type { Config } from '../config/config.ts';
import { EXIT, type CommonOptions, type ExitCode, type Io } from './io.ts';

/** What a command is given: the terminal, the read configuration, its options and arguments. */
export interface Call {
  readonly io: Io;
  readonly config: Config;
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
}

/** Runs a command's function with what it needs; main provides it. */
export type Run = (act: CommandSpec['act'], options: Call['options'], args: readonly string[]) => Promise<void>;

/** Adds a command with the options that all have. */
export function addCommand(program: Command, run: Run, { usage, description, options = [], act, stopsItself }: CommandSpec): void {
  const command = program.command(usage).description(description);
  for (const [flags, text, fallback] of options) command.option(flags, text, fallback);
  command.option('--json', 'one JSON value on standard output').option('--config <file>', 'the configuration file (default: CONFIG or config/calsyncd.yaml)');
  command.action(async () => run(stopsItself ? act : untilStopped(act), command.opts(), command.processedArgs.flat().filter((arg): arg is string => typeof arg === 'string')));
}

const untilStopped = (act: CommandSpec['act']): CommandSpec['act'] => async (call) => endedByStop(call.io, act(call));

/** What comes of work that may be cut off anywhere: a request to stop is its end. */
export const endedByStop = async (io: Io, work: Promise<ExitCode>): Promise<ExitCode> => Promise.race([work, io.stopped.then(() => EXIT.failed)]);
