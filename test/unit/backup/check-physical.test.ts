import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeArchive, type Member } from '../../../src/backup/archive.ts';
import { checkBackup } from '../../../src/backup/check-backup.ts';
import { asMember, CONTENTS, MANIFEST, type PhysicalManifest } from '../../../src/backup/manifest.ts';
import { scratchPath } from '../../support/scratch.ts';

// A physical backup is unpacked below the data directory, so no path in it may lead anywhere else.

const folder = mkdtempSync(scratchPath('physical'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MANIFEST_OF: PhysicalManifest = {
  what: 'calsyncd backup',
  kind: 'physical',
  format: 1,
  program: '9.9.9',
  madeAt: '2027-01-15T12:00:00.000Z',
  server: '18.4',
  platform: 'linux-x64',
  migrations: ['001-site'],
  keepToo: [],
};
const member = (name: string, text = 'x'): Member => ({ name, content: [Buffer.from(text)] });
const SERVER_FILES = ['PG_VERSION', 'global/pg_control', 'backup_label', 'base/1/2619'];

interface Written {
  readonly manifest?: object;
  readonly files?: readonly string[];
  readonly more?: readonly Member[];
  readonly contents?: object;
}

async function written({ manifest = {}, files = SERVER_FILES, more = [], contents = {} }: Written): Promise<string> {
  const file = path.join(folder, 'x.tar.zst');
  await writeArchive(
    file,
    (async function* () {
      yield asMember(MANIFEST, { ...MANIFEST_OF, ...manifest });
      for (const name of files) yield member(`server/${name}`);
      yield* more;
    })(),
    (sums) => {
      const said = { members: Object.fromEntries(sums), folders: ['base', 'pg_wal'], end: '0/2000158', ...contents };
      return { name: CONTENTS, content: [Buffer.from(JSON.stringify(said))] };
    },
    0,
  );
  return file;
}

test('a complete backup is described by its manifest, its contents and counts', async () => {
  const file = await written({ more: [member(`uploads/${'a'.repeat(32)}.ics`)] });
  expect(await checkBackup(file, ['001-site'])).toMatchObject({
    kind: 'physical',
    manifest: MANIFEST_OF,
    contents: { folders: ['base', 'pg_wal'], end: '0/2000158' },
    counts: { files: 4, uploads: 1 },
    goesOn: false,
  });
});

test.each<[string, Written, string, string]>([
  [
    'with a file path that leads outside',
    { more: [member('server/base/../../x')] },
    'backup-unreadable',
    'does not belong in it',
  ],
  [
    'with an absolute file path',
    { more: [member('server//etc/passwd')] },
    'backup-unreadable',
    'does not belong in it',
  ],
  [
    'with a file outside the server folder',
    { more: [member('x/y')] },
    'backup-unreadable',
    'x/y does not belong in it',
  ],
  [
    'that would start as a standby',
    { more: [member('server/standby.signal')] },
    'backup-unreadable',
    'does not belong in it',
  ],
  [
    'with a folder path that leads outside',
    { contents: { folders: ['../x'] } },
    'backup-unreadable',
    'ends in the middle',
  ],
  ['with a file twice', { more: [member('server/PG_VERSION')] }, 'backup-unreadable', 'is there twice'],
  ['without its label', { files: ['PG_VERSION', 'global/pg_control'] }, 'backup-unreadable', 'backup_label is missing'],
  ['with a malformed end position', { contents: { end: "0/1'; drop" } }, 'backup-unreadable', 'ends in the middle'],
  [
    'with files that its contents do not list',
    { contents: { members: {} } },
    'backup-unreadable',
    'not meant to be there',
  ],
  ['of an unknown kind', { manifest: { kind: 'magnetic' } }, 'backup-unreadable', 'not a backup of calsyncd'],
  ['of a malformed platform', { manifest: { platform: '../x' } }, 'backup-unreadable', 'not a backup of calsyncd'],
  ['of a later version', { manifest: { migrations: ['900-later'] } }, 'backup-newer', 'changes 900-later'],
])('a backup %s is refused', async (_, what, code, says) => {
  await expect(checkBackup(await written(what), ['001-site'])).rejects.toMatchObject({
    code,
    message: expect.stringContaining(says),
  });
});
