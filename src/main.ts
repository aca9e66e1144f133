import { isatty } from 'node:tty';
import { askPerson } from './cli/terminal/ask-person.ts';
import { withCommandAsCalled, lostOutput, writerTo, type LostOutput } from './cli/terminal/output.ts';
import { canRedraw, columnsOf, screenOn } from './cli/terminal/screen.ts';
import { runProgram } from './cli/program.ts';
import { askedCommand } from './config.ts';

/**
 * The terminal and npm both forward the same key press: a signal this soon after the first does not count as a second
 * request.
 */
const STOP_AGAIN_MS = 500;
/** On this signal a daemon reads its configuration again. It may also mean that the terminal is gone. */
const RELOAD_SIGNAL = 'SIGHUP';
/** The signals that request an orderly end, with the exit codes of a program that does not wait for it. */
const STOP_SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** `asked` resolves at the first `ask` or stop signal; a second signal ends the program immediately. */
function stopRequest(isReload: (signal: string) => boolean): {
  asked: Promise<void>;
  ask: () => void;
  isAsked: () => boolean;
} {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  let isAsked = false;
  const ask = (): void => {
    isAsked = true;
    resolve();
  };
  let first: number | undefined;
  for (const [signal, exitCode] of Object.entries(STOP_SIGNALS)) {
    process.on(signal, () => {
      if (isReload(signal)) return;
      if (first !== undefined && performance.now() - first > STOP_AGAIN_MS) process.exit(exitCode);
      first ??= performance.now();
      ask();
    });
  }
  // A killed launcher cannot forward a signal, but its channel closes. The channel must not keep a finished command
  // alive.
  process.on('disconnect', ask);
  process.channel?.unref();
  return { asked, ask, isAsked: () => isAsked };
}

/**
 * Manages listeners for requests to read the configuration again; `isMeant` says whether a signal was such a request,
 * and calls them if so.
 */
function reloadRequest(): { listen: (listener: () => void) => () => void; isMeant: (signal: string) => boolean } {
  const listeners = new Set<() => void>();
  const hadTerminal = isatty(process.stderr.fd);
  return {
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isMeant: (signal) => {
      const isTerminalGone = hadTerminal && !isatty(process.stderr.fd);
      if (signal !== RELOAD_SIGNAL || listeners.size === 0 || isTerminalGone) return false;
      for (const listener of listeners) listener();
      return true;
    },
  };
}

const reload = reloadRequest();
const stop = stopRequest(reload.isMeant);
// If errors cannot be written either, there is nobody to report to, and the work continues.
const err = writerTo(process.stderr, () => undefined);
let lost: LostOutput | undefined;
const out = writerTo(process.stdout, (error) => {
  lost = lostOutput(error);
  if (lost.message !== undefined) err(`${lost.message}\n`);
  process.exitCode = lost.exitCode;
  stop.ask();
});

const called = (text: string): string => withCommandAsCalled(text, import.meta.dirname, askedCommand());
const exitCode = await runProgram(process.argv.slice(2), {
  out: (text) => out(called(text)),
  err: (text) => err(called(text)),
  isTerminal: canRedraw(process.stderr),
  columns: () => columnsOf(process.stderr),
  screen: screenOn(process.stdout),
  ...(process.stdin.isTTY && process.stderr.isTTY ? { ask: askPerson } : {}),
  now: () => Date.now(),
  stopped: stop.asked,
  onReload: reload.listen,
});
process.exitCode = lost?.exitCode ?? exitCode;
// A command that was cut off may still be waiting for input.
if (stop.isAsked()) process.exit();
