import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

/**
 * Distinguishes a process from a later one with the same number, by its start time. Undefined if there is no such
 * process.
 */
export function processIdentity(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
    // The name in parentheses may contain anything; the 22nd field (starttime) is the 20th after it. A zombie (Z)
    // counts as gone.
    const fields = fs
      .readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\)\s*/s, '')
      .split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** Whether process `pid` is a PostgreSQL server of the data directory `data`, which is then its working directory. */
export function isServerOf(pid: number, data: string): boolean {
  try {
    if (process.platform === 'linux')
      return processIdentity(pid) !== undefined && fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync(data);
    const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return command.includes('postgres') && command.includes(data);
  } catch {
    return false;
  }
}

/** The numbers of all users that are running programs on this machine. */
export function livingUsers(): ReadonlySet<number> {
  if (process.platform !== 'linux')
    return new Set(execFileSync('ps', ['-axo', 'uid='], { encoding: 'utf8' }).trim().split(/\s+/).map(Number));
  return new Set(
    fs
      .readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(usersOf),
  );
}

/** The real, effective, saved and file system user of a process (Linux); empty if it has ended. */
function usersOf(pid: string): readonly number[] {
  try {
    return (/^Uid:\s+(.*)$/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '').split(/\s+/).map(Number);
  } catch {
    return [];
  }
}
