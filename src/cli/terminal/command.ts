import type { Command } from 'commander';
import type { Config } from '../../config/config.ts';
import type { Problem } from '../../problem.ts';
import { ARGUMENTS, slugNamed } from '../text/arguments.ts';
import { COMMON_OPTIONS, type Shape } from '../complete/wanted.ts';
import { EXIT, type CommonOptions, type ExitCode, type Io } from './io.ts';
import { problemInWords } from './words.ts';

/** What a command receives: the terminal, the configuration, its options and arguments. */
export interface Call<Args extends Arguments = Arguments> {
  readonly io: Io;
  readonly config: Config;
  /** The configuration file: its name as given, and its content. */
  readonly file: { readonly name: string; readonly bytes: Buffer };
  /** Whether the file cannot be used; `config` is then that of an empty one. Only for commands that work without. */
  readonly isBroken: boolean;
  /** Settings that will not work. */
  readonly doubts: readonly Problem[];
  /** Settings that work but should be written differently. */
  readonly warnings: readonly Problem[];
  readonly options: CommonOptions & Readonly<Record<string, unknown>>;
  readonly args: Args;
  /** The other commands. */
  readonly program: {
    readonly names: readonly string[];
    readonly shapeOf: (name: string) => Promise<Shape | undefined>;
  };
}

type Arguments = readonly (string | undefined)[];

/**
 * The types of a usage's arguments: `<name>` is required, `[name]` optional, `[name...]` any number, `<name...>` one or
 * more.
 */
type ArgsOf<Usage extends string> = Usage extends `${string}...>`
  ? readonly [string, ...string[]]
  : Usage extends `${string}<${string}> [${string}]`
    ? readonly [string, string?]
    : Usage extends `${string}<${string}>`
      ? readonly [string]
      : Usage extends `${string}...]`
        ? readonly string[]
        : Usage extends `${string}[${string}] [${string}] [${string}]`
          ? readonly [string?, string?, string?]
          : Usage extends `${string}[${string}] [${string}]`
            ? readonly [string?, string?]
            : Usage extends `${string}[${string}]`
              ? readonly [string?]
              : readonly [];

type Act<Args extends Arguments> = (call: Call<Args>) => Promise<ExitCode>;

/** The headings of the help's list of commands, in order. */
export const GROUPS = ['Start and check', 'Runs', 'Events and sources', 'The built-in site and the feeds'] as const;
type Group = (typeof GROUPS)[number];

export interface CommandSpec<Usage extends string> {
  readonly group: Group;
  readonly usage: Usage;
  readonly description: string;
  /** The command with typical arguments. */
  readonly example?: string;
  readonly options?: readonly (readonly [flags: string, description: string, fallback?: string])[];
  readonly act: Act<ArgsOf<Usage>>;
  /** The possible values of its arguments and options, by their names in `usage` and `options`. */
  readonly choices?: Shape['choices'];
  /** Not listed in the help; for scripts. */
  readonly isHidden?: true;
  /** Shuts down in an orderly way when asked to stop; other commands end immediately. */
  readonly stopsItself?: true;
  /**
   * Works without a valid configuration, with the settings of the environment: `unread` if the file does not matter or
   * the command reports it itself; `noted` if a note is printed, and only if the file exists.
   */
  readonly worksWithout?: 'unread' | 'noted';
  /** Copies the samples if there is no configuration yet and none is named. */
  readonly beginsHere?: boolean;
  /** Reports doubts about the configuration itself; for other commands they are printed first. */
  readonly tellsDoubts?: true;
}

/** Runs a command's function with what it needs; provided by `src/cli/program.ts`. */
export type Run = (
  act: (call: Omit<Call, 'args'>) => Promise<ExitCode>,
  options: Call['options'],
  needs: Pick<CommandSpec<string>, 'worksWithout' | 'beginsHere'>,
) => Promise<void>;

/** A command as its file in `commands/` exports it. */
export interface ProgramCommand {
  readonly group: Group;
  readonly shape: Shape;
  readonly addTo: (program: Command, run: Run) => void;
}

/** Builds a command with the common options. */
export const commandOf = <Usage extends string>(spec: CommandSpec<Usage>): ProgramCommand => ({
  group: spec.group,
  shape: spec,
  addTo: (program, run) => addCommand(program, run, spec),
});

function addCommand<Usage extends string>(
  program: Command,
  run: Run,
  {
    group,
    usage,
    description,
    example,
    isHidden,
    options = [],
    choices,
    act,
    stopsItself,
    tellsDoubts,
    worksWithout,
    beginsHere = false,
  }: CommandSpec<Usage>,
): void {
  const telling = tellsDoubts ? act : notingDoubts(act);
  const command = program
    .command(usage, { hidden: isHidden === true })
    .description(description)
    .helpGroup(`${group}:`);
  for (const argument of command.registeredArguments) {
    argument.description = whatIs(argument.name(), choices);
    if (argument.name().endsWith('slug')) argument.argParser(slugNamed);
  }
  for (const [flags, text, fallback] of options) {
    if (flags.endsWith('<slug>')) command.option(flags, text, slugNamed);
    else command.option(flags, text, fallback);
  }
  for (const [flags, text] of COMMON_OPTIONS) command.option(flags, text);
  if (example !== undefined) command.addHelpText('after', `\nFor example:\n  npm run -s calsyncd -- ${example}`);
  const stopping = stopsItself ? telling : untilStopped(telling);
  command.action(async () => {
    // Commander has checked them against the usage, from which this type derives.
    const args = command.processedArgs.flat().filter((arg) => typeof arg === 'string') as unknown as ArgsOf<Usage>;
    return run((call) => stopping({ ...call, args }), command.opts(), {
      ...(worksWithout && { worksWithout }),
      beginsHere,
    });
  });
}

/** What an argument is, or its possible values. */
const whatIs = (name: string, choices: Shape['choices']): string =>
  choices?.[name]?.join(', ') ?? ARGUMENTS[name] ?? '';

const notingDoubts =
  <Args extends Arguments>(act: Act<Args>): Act<Args> =>
  async (call) => {
    for (const problem of call.doubts) call.io.err(`Note: ${problemInWords(problem)}\n`);
    return act(call);
  };

const untilStopped =
  <Args extends Arguments>(act: Act<Args>): Act<Args> =>
  async (call) =>
    endedByStop(call.io, act(call));

/** Runs work that can be cut off at any point when the program is asked to stop. */
export const endedByStop = async (io: Io, work: Promise<ExitCode>): Promise<ExitCode> =>
  Promise.race([work, io.stopped.then(() => EXIT.failed)]);
