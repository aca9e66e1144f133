import { runProgram } from './cli/program.ts';

const STOP_AGAIN_MS = 1_000;

/** Resolves at the first SIGINT or SIGTERM; one that comes more than a second later ends the program at once. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let first: number | undefined;
    const stop = (signal: NodeJS.Signals): void => {
      // The terminal and npm both pass the same key press on.
      if (first !== undefined && Date.now() - first > STOP_AGAIN_MS) process.exit(signal === 'SIGINT' ? 130 : 143);
      first ??= Date.now();
      resolve();
    };
    process.on('SIGINT', stop).on('SIGTERM', stop);
  });
}

process.exitCode = await runProgram(process.argv.slice(2), {
  out: (text) => { process.stdout.write(text); },
  err: (text) => { process.stderr.write(text); },
  isTerminal: process.stderr.isTTY,
  now: () => Date.now(),
  stopped: stopSignal(),
});
