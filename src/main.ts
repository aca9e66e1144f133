import { lostOutput, writerTo, type LostOutput } from './cli/terminal/output.ts';
import { runProgram } from './cli/program.ts';

/** The terminal and npm both forward the same key press: a signal this soon after the first is not a second request. */
const STOP_AGAIN_MS = 500;
/** The signals that ask for an orderly end, and the exit code of a program that does not wait for it. */
const STOP_SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** `asked` resolves at the first `ask` or stop signal; a second signal ends the program at once. */
function stopRequest(): { asked: Promise<void>; ask: () => void; isAsked: () => boolean } {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  let isAsked = false;
  const ask = (): void => {
    isAsked = true;
    resolve();
  };
  let first: number | undefined;
  for (const [signal, exitCode] of Object.entries(STOP_SIGNALS)) {
    process.on(signal, () => {
      if (first !== undefined && Date.now() - first > STOP_AGAIN_MS) process.exit(exitCode);
      first ??= Date.now();
      ask();
    });
  }
  // A killed launcher cannot forward a signal, but its channel closes. The channel must not keep a finished command
  // alive.
  process.on('disconnect', ask);
  process.channel?.unref();
  return { asked, ask, isAsked: () => isAsked };
}

const stop = stopRequest();
// If errors cannot be written either, there is nobody to tell, and the work goes on.
const err = writerTo(process.stderr, () => undefined);
let lost: LostOutput | undefined;
const out = writerTo(process.stdout, (error) => {
  lost = lostOutput(error);
  if (lost.message !== undefined) err(`${lost.message}\n`);
  process.exitCode = lost.exitCode;
  stop.ask();
});

const exitCode = await runProgram(process.argv.slice(2), {
  out,
  err,
  isTerminal: process.stderr.isTTY,
  columns: () => process.stderr.columns,
  now: () => Date.now(),
  stopped: stop.asked,
});
process.exitCode = lost?.exitCode ?? exitCode;
// A command that was cut off may still be waiting for answers.
if (stop.isAsked()) process.exit();
