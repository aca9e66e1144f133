import { spawnSync } from 'node:child_process';
import type { TestContext } from 'vitest';

/** Runs a program of the machine and gives what it prints. Throws with its own words when it fails. */
export function output(command: string, args: readonly string[], options: { readonly input?: string; readonly env?: Readonly<Record<string, string>> } = {}): string {
  const { status, stdout, stderr, error } = spawnSync(command, [...args], { input: options.input ?? '', env: { ...process.env, ...options.env }, encoding: 'utf8', timeout: 60_000 });
  if (error || status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? `status ${status}`}\n${stderr}`);
  return stdout;
}

/** Skips a test, and says why, where a program is not installed; on CI that is a failure. */
export function needsProgram(context: TestContext, command: string, args: readonly string[], how: string): void {
  const { status, error } = spawnSync(command, [...args], { timeout: 30_000 });
  if (!error && status === 0) return;
  const why = `NOT RUN: ${command} ${args.join(' ')} does not work here (${how})`;
  if (process.env['CI'] === 'true') throw new Error(why);
  process.stderr.write(`${why}\n`);
  context.skip(why);
}
