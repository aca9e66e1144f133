import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashOf, whyReadOnly, writeConfigFile } from '../../../src/config/change/write-file.ts';

const BEFORE = 'sources: {}\n';
const AFTER = 'sources:\n  theatre: { url: "https://theatre.example/a.ics" }\n';

let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'write-file-'));
  file = path.join(folder, 'calsyncd.yaml');
  writeFileSync(file, BEFORE, { mode: 0o640 });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

// Root may write anything, so as root these are tried in a process of another user.
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

const MODULE = path.resolve('src/config/change/write-file.ts');
const script = (): string =>
  `import { writeConfigFile } from ${JSON.stringify(MODULE)};
   console.log(JSON.stringify(await writeConfigFile(${JSON.stringify(file)}, ${JSON.stringify(AFTER)}, ${JSON.stringify(hashOf(BEFORE))})));`;

const writtenBy = (command: string, args: readonly string[], uid?: number): unknown =>
  JSON.parse(
    execFileSync(command, [...args, '--input-type=module', '--eval', script()], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      ...(uid === undefined ? {} : { uid, gid: uid }),
    }),
  );
/** Writes as a user who is not root. */
const writtenByUser = (): unknown => writtenBy(process.execPath, [], isRoot ? NOBODY : undefined);

/** Whether this machine lets us bind a file, as containers do. */
function canBind(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

describe('the configuration file is written', () => {
  test('as a new file with the same mode and owner in its place, and nothing is left beside it', async () => {
    const before = statSync(file);
    expect(await writeConfigFile(file, AFTER, hashOf(BEFORE))).toEqual({ kind: 'written', hash: hashOf(AFTER) });
    const after = statSync(file);
    expect(readFileSync(file, 'utf8')).toBe(AFTER);
    expect(after.ino).not.toBe(before.ino);
    expect([after.mode, after.uid, after.gid]).toEqual([before.mode, before.uid, before.gid]);
    expect(readdirSync(folder)).toEqual(['calsyncd.yaml']);
  });

  test('behind a symbolic link, which stays', async () => {
    mkdirSync(path.join(folder, 'data'));
    const [target, link] = [path.join(folder, 'data', 'real.yaml'), path.join(folder, 'link.yaml')];
    writeFileSync(target, BEFORE);
    symlinkSync(path.join('data', 'real.yaml'), link);
    expect(await writeConfigFile(link, AFTER, hashOf(BEFORE))).toMatchObject({ kind: 'written' });
    expect(readFileSync(target, 'utf8')).toBe(AFTER);
    expect(readdirSync(path.join(folder, 'data'))).toEqual(['real.yaml']);
  });

  test.skipIf(!isRoot)('with its owner, also by root', async () => {
    chownSync(file, 4711, 4712);
    await writeConfigFile(file, AFTER, hashOf(BEFORE));
    const { uid, gid } = statSync(file);
    expect([uid, gid]).toEqual([4711, 4712]);
  });

  test('in place, if its folder is not writable', () => {
    if (isRoot) chownSync(file, NOBODY, NOBODY);
    const before = statSync(file);
    chmodSync(folder, isRoot ? 0o755 : 0o550);
    expect(writtenByUser()).toEqual({ kind: 'written', hash: hashOf(AFTER) });
    expect(readFileSync(file, 'utf8')).toBe(AFTER);
    expect(statSync(file).ino).toBe(before.ino);
    chmodSync(folder, 0o755);
  });

  test.skipIf(!isRoot || !canBind())('in place, if it alone is bound into a container', () => {
    const before = statSync(file);
    const bound = writtenBy('unshare', [
      '--mount',
      'sh',
      '-c',
      'mount --bind "$0" "$0" && exec "$@"',
      file,
      process.execPath,
    ]);
    expect(bound).toEqual({ kind: 'written', hash: hashOf(AFTER) });
    expect(readFileSync(file, 'utf8')).toBe(AFTER);
    expect(statSync(file).ino).toBe(before.ino);
    expect(readdirSync(folder)).toEqual(['calsyncd.yaml']);
  });

  test.skipIf(!isRoot)('in place, if the owner could not be kept', () => {
    chmodSync(folder, 0o777);
    chmodSync(file, 0o666);
    chownSync(file, 4711, 4712);
    expect(writtenByUser()).toMatchObject({ kind: 'written' });
    const { uid, gid, mode } = statSync(file);
    expect([uid, gid, mode & 0o777]).toEqual([4711, 4712, 0o666]);
    expect(readdirSync(folder)).toEqual(['calsyncd.yaml']);
  });
});

describe('the configuration file is not written', () => {
  test('if somebody else has edited it meanwhile, and what it holds now is returned', async () => {
    const theirs = `${BEFORE}feeds: {}\n`;
    writeFileSync(file, theirs);
    expect(await writeConfigFile(file, AFTER, hashOf(BEFORE))).toEqual({
      kind: 'edited',
      bytes: Buffer.from(theirs),
      hash: hashOf(theirs),
    });
    expect(readFileSync(file, 'utf8')).toBe(theirs);
    expect(readdirSync(folder)).toEqual(['calsyncd.yaml']);
  });

  test('if it is gone', async () => {
    rmSync(file);
    expect(await writeConfigFile(file, AFTER, hashOf(BEFORE))).toEqual({
      kind: 'read-only',
      reason: 'there is no such file or folder',
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('if this program lacks permission', async () => {
    chmodSync(folder, 0o777);
    chmodSync(file, 0o444);
    expect(writtenByUser()).toEqual({ kind: 'read-only', reason: 'calsyncd is not allowed to write it' });
    expect(readFileSync(file, 'utf8')).toBe(BEFORE);
    expect(readdirSync(folder)).toEqual(['calsyncd.yaml']);
  });

  test('for a reason that a page can ask for before it offers to save', async () => {
    expect(await whyReadOnly(file)).toBeUndefined();
    expect(await whyReadOnly(`${file}.gone`)).toBe('there is no such file or folder');
  });
});
