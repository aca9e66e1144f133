import { readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';

const TICK_MS = 10;

/** Milliseconds that processes have had of the processor so far (Linux), with those of their children that have ended. */
export function cpuMsOf(pids: readonly number[]): number {
  const ticks = pids.flatMap((pid) => {
    // The name may contain blanks; what is counted from its end does not.
    const fields = aboutProcess(pid, 'stat')
      .replace(/^.*\) /s, '')
      .split(' ');
    return fields.slice(11, 15).map(Number);
  });
  return ticks.reduce((sum, one) => sum + one, 0) * TICK_MS;
}

/** A file of /proc about a process; nothing of one that has ended meanwhile, whose time its parent has then. */
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

/** Megabytes of memory that a process holds now (Linux). */
export const memoryMbOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
