import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { ErrorCode } from '../codes.ts';
import { Command, CommanderError, type OutputConfiguration } from 'commander';
import {
  configFileName,
  loadConfig,
  readConfig,
  USUAL_CONFIG_FILE,
  type Config,
  type LoadedConfig,
} from '../config.ts';
import { databaseRefusal } from '../db/refusals.ts';
import { AppError } from '../error.ts';
import type { Problem } from '../problem.ts';
import { redact } from '../redact.ts';
import { putSamples } from './open/put-samples.ts';
import { GROUPS, type Call, type ProgramCommand, type Run } from './terminal/command.ts';
import { Declined } from './terminal/confirmed.ts';
import { helpLayout } from './terminal/help.ts';
import { EXIT, printJson, type CommonOptions, type ExitCode, type Io } from './terminal/io.ts';
import { screenOf } from './terminal/screen.ts';
import { VERSION } from './terminal/version.ts';
import { problemInWords } from './terminal/words.ts';
import { WrongUse } from './terminal/wrong-use.ts';
import { wrongCommandLine } from './text/wrong-command-line.ts';

/** The command that an empty command line runs. */
const USUAL_COMMAND = 'start';

/**
 * Runs a command line and returns the exit code: 0 done, 1 failed, 2 needs review, 64 wrong use. An empty command line
 * starts the daemon.
 */
export async function runProgram(words: readonly string[], io: Io): Promise<number> {
  const argv = words.length === 0 ? [USUAL_COMMAND] : withoutUselessHelp(words);
  let code: ExitCode = EXIT.done;
  const run: Run = async (act, options, needs) => {
    code = await runCommand(act, options, needs, io);
  };
  const program = new Command('calsyncd')
    .version(VERSION)
    .description(
      'Keeps an events-calendar site in step with iCalendar and CSV feeds, and publishes it back as .ics feeds.',
    )
    .exitOverride()
    .configureOutput(outputTo(io))
    .configureHelp(helpLayout(screenOf(io).columns));
  // Commands inherit the settings made here.
  for (const { addTo } of await commandsFor(argv)) addTo(program, run);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return EXIT.done;
      const [name = ''] = argv;
      const message = wrongCommandLine(error, commandNames().includes(name) ? name : '');
      return failed(new WrongUse(message), { json: argv.includes('--json') }, io);
    }
    throw error;
  }
}

/** Treats "help NAME" for an unknown command as NAME alone, so that the error names the probable one. */
function withoutUselessHelp(words: readonly string[]): readonly string[] {
  const [help, name] = words;
  const isUseless =
    help === 'help' && name !== undefined && !/^(?:-|help$)/.test(name) && !commandNames().includes(name);
  return isUseless ? words.slice(1) : words;
}

/** Errors in a command line are reported in our own words after parsing. */
const outputTo = ({ out, err, screen }: Io): OutputConfiguration => ({
  writeOut: out,
  writeErr: err,
  getOutHelpWidth: () => screen?.columns ?? 80,
  getErrHelpWidth: () => screen?.columns ?? 80,
  outputError: () => undefined,
});

/**
 * The command that a command line names, or all of them for the help. Each is the file of `commands/` with its name.
 * Only what is needed is loaded, because all together take seconds.
 */
async function commandsFor([asked = '']: readonly string[]): Promise<readonly ProgramCommand[]> {
  if (ASKS_VERSION.includes(asked)) return [];
  const names = commandNames();
  const named = names.filter((name) => name === asked);
  const commands = await Promise.all((named.length > 0 ? named : names.toSorted()).map(loadedCommand));
  return commands.toSorted((one, other) => GROUPS.indexOf(one.group) - GROUPS.indexOf(other.group));
}

const ASKS_VERSION = ['-V', '--version'];

const commandNames = (): readonly string[] =>
  readdirSync(path.join(import.meta.dirname, 'commands')).map((file) => path.basename(file, '.ts'));

/** What `complete` needs to know about the other commands. */
const PROGRAM: Call['program'] = {
  get names() {
    return commandNames().filter((name) => name !== 'complete');
  },
  shapeOf: async (name) => (commandNames().includes(name) ? (await loadedCommand(name)).shape : undefined),
};

async function loadedCommand(name: string): Promise<ProgramCommand> {
  // test/unit/cli/commands.test.ts checks that each file exports its command.
  const { command } = (await import(`./commands/${name}.ts`)) as { readonly command: ProgramCommand };
  return command;
}

const runCommand: (...call: [...Parameters<Run>, Io]) => Promise<ExitCode> = async (act, options, needs, io) => {
  const asked = options.config === undefined ? {} : { path: options.config };
  const name = configFileName(asked);
  const put = needs.beginsHere && name === USUAL_CONFIG_FILE ? putSamples(name) : undefined;
  if (put !== undefined) io.err(`${put}\n\n`);
  const loaded = loadConfig(asked);
  const { value, bytes = Buffer.alloc(0), problems, doubts, warnings } = loaded;
  for (const warning of warnings) io.err(`Note: ${problemInWords(warning)}\n`);
  const config = value ?? (canDoWithout(loaded, needs) ? withoutFile(name) : undefined);
  if (!config) return refused(loaded, options, io);
  if (!value && needs.worksWithout === 'noted')
    io.err(`Note: the configuration cannot be used. This command works without it:\n${listed(problems)}`);
  return act({
    io,
    config,
    file: { name, bytes },
    isBroken: !value,
    doubts,
    warnings,
    options,
    program: PROGRAM,
  }).catch((error: unknown) => failed(databaseRefusal(error, config.databaseUrl?.reveal()) ?? error, options, io));
};

function refused({ problems, doubts, warnings }: LoadedConfig, options: CommonOptions, io: Io): ExitCode {
  const all = [...problems, ...doubts];
  if (options.json) printJson(io, { ok: false, problems: all, notes: warnings });
  else io.err(`The configuration cannot be used:\n${listed(all)}`);
  return EXIT.failed;
}

const listed = (problems: readonly Problem[]): string =>
  problems.map((problem) => `  ${problemInWords(problem)}\n`).join('');

/** Without any file this may be the wrong folder, in which nothing should be created. */
const canDoWithout = ({ bytes }: LoadedConfig, { worksWithout }: Parameters<Run>[2]): boolean =>
  worksWithout === 'unread' || (worksWithout === 'noted' && bytes !== undefined);

/** The configuration from the environment alone. */
const withoutFile = (name: string): Config | undefined => readConfig(name, Buffer.alloc(0)).value;

function failed(error: unknown, options: CommonOptions, io: Io): ExitCode {
  if (error instanceof Declined) {
    if (options.json) printJson(io, { error: { code: 'declined', message: error.message } });
    io.err(`${error.message}\n`);
    return EXIT.failed;
  }
  if (error instanceof WrongUse) {
    if (options.json) printJson(io, { error: { code: 'wrong-use', message: error.message } });
    io.err(`${error.message}\n`);
    return EXIT.wrongUse;
  }
  if (!(error instanceof AppError)) throw error;
  const message = redact(error.message);
  if (options.json) printJson(io, { error: { code: error.code, message } });
  io.err(`${message}\n`);
  if (error.code === 'database-refused' && error.cause instanceof Error) io.err(`${redact(error.cause.stack ?? '')}\n`);
  return NAMES_NOTHING.has(error.code) ? EXIT.wrongUse : EXIT.failed;
}

/** Naming a run, event, source or feed that does not exist is wrong use, like an unknown option. */
const NAMES_NOTHING: ReadonlySet<ErrorCode> = new Set([
  'run-unknown',
  'event-unknown',
  'source-unknown',
  'unknown-feed',
  'version-unknown',
]);
