import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { scratchPath } from '../support/scratch.ts';

// The program as of an earlier commit, to run beside this one.

const git = (...words: readonly string[]): string => execFileSync('git', words, { encoding: 'utf8', stdio: 'pipe' });

/** The tag of the last version released before this commit; undefined before the first release. */
function lastTag(): string | undefined {
  const { status, stdout } = spawnSync('git', ['describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^'], {
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : undefined;
}

/** The version whose processes may still run beside this program. Until the first release, it is a commit. */
export const BEFORE = lastTag() ?? 'a3b21c648c80';

/** Whether this clone has that commit; prints a note if it has not. */
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

/** Checks it out into a separate folder, with the packages of this one or, if its lock file differs, its own. */
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
