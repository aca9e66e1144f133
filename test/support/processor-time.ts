import { readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';

const TICK_MS = 10;

/** Milliseconds of processor time that processes have used so far, including their children that have ended (Linux). */
export function cpuMsOf(pids: readonly number[]): number {
  const ticks = pids.flatMap((pid) => {
    // The process name may contain spaces, so fields are counted from its closing parenthesis.
    const fields = aboutProcess(pid, 'stat')
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields.slice(11, 15).map(Number);
  });
  return ticks.reduce((sum, one) => sum + one, 0) * TICK_MS;
}

/** A file of a process in /proc; empty once the process has ended, as its parent then accounts for its time. */
export function aboutProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

/** The processes of a PostgreSQL server. */
export function serverPids(postmaster: number): readonly number[] {
  const { stdout } = spawnSync('pgrep', ['-P', String(postmaster)], { encoding: 'utf8' });
  return [
    postmaster,
    ...stdout
      .split('\n')
      .filter((line) => line !== '')
      .map(Number),
  ];
}

/** Megabytes of memory that a process currently holds (Linux). */
export const memoryMbOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
