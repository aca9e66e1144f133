import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { until } from './until.ts';

// Python has pseudo-terminals, Node.js does not. Standard input is passed on as typed text.
const BRIDGE = `
import fcntl, os, pty, select, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 50, int(sys.argv[1]), 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])
watched = [terminal, 0]
while True:
    ready, _, _ = select.select(watched, [], [])
    if 0 in ready:
        typed = os.read(0, 65536)
        if typed: os.write(terminal, typed)
        else: watched.remove(0)
    if terminal in ready:
        try: shown = os.read(terminal, 65536)
        except OSError: break
        if not shown: break
        os.write(1, shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/** A program in its own terminal. */
export interface Terminal {
  /** What it has shown so far, with \n as line breaks. */
  readonly shown: () => string;
  readonly type: (keys: string) => void;
  /** Waits until it shows a text that comes after the last one waited for. */
  readonly shows: (text: string) => Promise<void>;
  readonly ended: Promise<number | null>;
  readonly kill: () => void;
}

/** Starts a program in a terminal with a number of columns. */
export function inTerminal(
  columns: number,
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Terminal {
  const child = spawn('python3', ['-c', BRIDGE, String(columns), ...words], {
    env: { ...process.env, TERM: 'xterm-256color', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  let seen = 0;
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    shown += more;
  });
  const text = (): string => shown.replaceAll('\r\n', '\n');
  return {
    shown: text,
    type: (keys) => void child.stdin.write(keys),
    shows: async (wanted) => {
      seen = await until(`the terminal to show ${JSON.stringify(wanted)}`, () => {
        const at = text().indexOf(wanted, seen);
        return at === -1 ? undefined : at + wanted.length;
      });
    },
    ended: once(child, 'close').then(([code]) => code as number | null),
    kill: () => void child.kill('SIGKILL'),
  };
}
