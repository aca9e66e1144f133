import type { ErrorCode } from '../codes.ts';
import { Command, CommanderError } from 'commander';
import { loadConfig } from '../config.ts';
import { AppError } from '../error.ts';
import { redact } from '../log.ts';
import { addAdopt } from './commands/adopt.ts';
import { addApprove } from './commands/approve.ts';
import { addCheck } from './commands/check.ts';
import type { Run } from './terminal/command.ts';
import { addDoctor } from './commands/doctor.ts';
import { addExplain } from './commands/explain.ts';
import { addExport } from './commands/export.ts';
import { addForget } from './commands/forget.ts';
import { EXIT, printJson, type ExitCode, type Io } from './terminal/io.ts';
import { addPassword } from './commands/password.ts';
import { addPreview } from './commands/preview.ts';
import { addReject } from './commands/reject.ts';
import { addRestore } from './commands/restore.ts';
import { addRuns } from './commands/runs.ts';
import { addSettle } from './commands/settle.ts';
import { addShow } from './commands/show.ts';
import { addStart } from './commands/start.ts';
import { addSync } from './commands/sync.ts';
import { addUndo } from './commands/undo.ts';
import { VERSION } from './terminal/version.ts';
import { problemInWords } from './terminal/words.ts';
import { WrongUse } from './terminal/wrong-use.ts';

/** Runs a command line and returns the exit code: 0 done, 1 failed, 2 needs review, 64 wrong use. */
export async function runProgram(argv: readonly string[], io: Io): Promise<number> {
  let code: ExitCode = EXIT.done;
  const run: Run = async (act, options) => {
    code = await runCommand(act, options, io);
  };
  const program = new Command('calsyncd')
    .version(VERSION)
    .description(
      'Keeps an events-calendar site in step with iCalendar and CSV feeds, and publishes it back as .ics feeds.',
    )
    .exitOverride()
    .showHelpAfterError('(see --help)')
    .configureOutput({ writeOut: io.out, writeErr: io.err });
  for (const add of [
    addStart,
    addCheck,
    addDoctor,
    addPreview,
    addSync,
    addRuns,
    addShow,
    addApprove,
    addReject,
    addUndo,
    addSettle,
    addRestore,
    addAdopt,
    addForget,
    addExplain,
    addExport,
    addPassword,
  ])
    add(program, run);
  for (const command of program.commands)
    command.exitOverride().configureOutput({ writeOut: io.out, writeErr: io.err });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode !== 0 && argv.includes('--json'))
        printJson(io, { error: { code: 'wrong-use', message: error.message } });
      return error.exitCode === 0 ? EXIT.done : EXIT.wrongUse;
    }
    throw error;
  }
}

const runCommand: (...call: [...Parameters<Run>, Io]) => Promise<ExitCode> = async (act, options, io) => {
  const {
    value: config,
    problems,
    doubts,
    warnings,
  } = loadConfig(options.config === undefined ? {} : { path: options.config });
  if (!config) {
    const all = [...problems, ...doubts];
    if (options.json) printJson(io, { ok: false, problems: all });
    else
      io.err(`The configuration cannot be used:\n${all.map((problem) => `  ${problemInWords(problem)}\n`).join('')}`);
    return EXIT.failed;
  }
  for (const warning of warnings) io.err(`Note: ${problemInWords(warning)}\n`);
  try {
    return await act({ io, config, doubts, options });
  } catch (error) {
    if (error instanceof WrongUse) {
      if (options.json) printJson(io, { error: { code: 'wrong-use', message: error.message } });
      io.err(`${error.message}\n`);
      return EXIT.wrongUse;
    }
    if (!(error instanceof AppError)) throw error;
    const message = redact(error.message);
    if (options.json) printJson(io, { error: { code: error.code, message } });
    io.err(`${message}\n`);
    return NAMES_NOTHING.has(error.code) ? EXIT.wrongUse : EXIT.failed;
  }
};

/** Naming a run, event, source or feed that does not exist is wrong use, like an unknown option. */
const NAMES_NOTHING: ReadonlySet<ErrorCode> = new Set([
  'run-unknown',
  'event-unknown',
  'source-unknown',
  'unknown-feed',
]);
