import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'vitest';

/** Runs an installed program and returns what it prints. Throws with the program's own messages if it fails. */
export function output(
  command: string,
  args: readonly string[],
  options: {
    readonly input?: string;
    readonly env?: Readonly<Record<string, string>>;
    readonly timeoutMs?: number;
  } = {},
): string {
  const { status, stdout, stderr, error } = spawnSync(command, [...args], {
    input: options.input ?? '',
    env: { ...process.env, ...options.env },
    encoding: 'utf8',
    timeout: options.timeoutMs ?? 180_000,
    maxBuffer: 100_000_000,
  });
  if (error || status !== 0)
    throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? `status ${status}`}\n${stderr}`);
  return stdout;
}

/**
 * Like `output`, but asynchronous, for programs that talk to servers in this process. Prompts are answered with yes.
 */
export async function outputAsync(
  command: string,
  args: readonly string[],
  options: { readonly env?: Readonly<Record<string, string>> } = {},
): Promise<string> {
  const child = spawn(command, [...args], {
    env: { ...process.env, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: 180_000,
  });
  child.stdin.end('y\ny\n');
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (chunk: Buffer) => {
      said[stream] += chunk.toString();
    });
  const [status] = (await once(child, 'close')) as [number | null];
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: status ${status}\n${said.stdout}${said.stderr}`);
  return said.stdout;
}

/** Skips a test and says why if a program is not installed. On CI a missing program is an error. */
export function needsProgram(context: TestContext, command: string, args: readonly string[], how: string): void {
  if (!isInstalled(command, args, how)) context.skip(notRun(command, args, how));
}

/** Whether a program is installed; if not, prints what is not run. On CI a missing program is an error. */
export function isInstalled(command: string, args: readonly string[], how: string): boolean {
  const { status, error } = spawnSync(command, [...args], { timeout: 120_000 });
  if (!error && status === 0) return true;
  if (process.env['CI'] === 'true') throw new Error(notRun(command, args, how));
  process.stderr.write(`${notRun(command, args, how)}\n`);
  return false;
}

const notRun = (command: string, args: readonly string[], how: string): string =>
  `NOT RUN: ${command} ${args.join(' ').replaceAll('\n', '; ')} does not work here (${how})`;
