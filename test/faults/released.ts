import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { scratchPath } from '../support/scratch.ts';

// The program as it was at a commit of the past, beside this one.

const git = (...words: readonly string[]): string => execFileSync('git', words, { encoding: 'utf8', stdio: 'pipe' });

/** The tag of the last version that was released before this commit; undefined before the first. */
function lastTag(): string | undefined {
  const { status, stdout } = spawnSync('git', ['describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^'], {
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : undefined;
}

/** The last one of which processes may still run beside this program. Until there is a release, it is a commit. */
export const BEFORE = lastTag() ?? 'a3b21c648c80';

/** Whether there is such a commit here; says it where there is none. */
export function hasBefore(): boolean {
  if (spawnSync('git', ['cat-file', '-e', `${BEFORE}^{commit}`]).status === 0) return true;
  process.stderr.write(
    `NOT RUN: two versions side by side (the history here does not have the commit ${BEFORE}: it takes a whole clone)\n`,
  );
  return false;
}

export interface Checkout {
  readonly directory: string;
  readonly remove: () => Promise<void>;
}

/** Checks it out into a folder of its own, with the same packages, or its own where it needs others. */
export async function checkOutBefore(): Promise<Checkout> {
  const parent = await mkdtemp(scratchPath('before'));
  const directory = path.join(parent, 'calsyncd');
  git('worktree', 'add', '--quiet', '--detach', directory, BEFORE);
  const lock = 'package-lock.json';
  if (readFileSync(path.join(directory, lock), 'utf8') === readFileSync(lock, 'utf8'))
    symlinkSync(path.resolve('node_modules'), path.join(directory, 'node_modules'));
  else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: directory, stdio: 'pipe' });
  return {
    directory,
    remove: async () => {
      git('worktree', 'remove', '--force', directory);
      await rm(parent, { recursive: true, force: true });
    },
  };
}
