import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeArchive } from '../../../src/backup/archive.ts';
import { asMember, CONTENTS, MANIFEST } from '../../../src/backup/manifest.ts';
import { PLATFORM } from '../../../src/backup/physical/make-physical.ts';
import { commandIn } from '../../support/command.ts';
import { syncingApp, type SyncingApp } from '../../support/syncing-app.ts';

// A physical backup copies the embedded server and can only be restored to one like it.
// test/long/physical-backup.test.ts makes and restores some.

let syncing: SyncingApp;
beforeAll(async () => {
  syncing = await syncingApp();
});
afterAll(() => syncing.close());

const YAML = 'builtin: { title: Town, timezone: Europe/Warsaw }\nsources: {}\n';

test('a server that DATABASE_URL names cannot be backed up physically', async () => {
  const file = path.join(syncing.directory, 'own.tar.zst');
  expect(await commandIn(syncing, YAML, ['backup', file, '--physical'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/DATABASE_URL names a server of your own.*pg_basebackup or pgBackRest/),
  });
  expect(existsSync(file)).toBe(false);
});

async function physical(server: string, platform: string): Promise<string> {
  const file = path.join(syncing.directory, 'physical.tar.zst');
  await writeArchive(
    file,
    (async function* () {
      yield asMember(MANIFEST, {
        what: 'calsyncd backup',
        kind: 'physical',
        format: 1,
        program: '0.1.0',
        madeAt: '2027-01-15T12:00:00.000Z',
        server,
        platform,
        migrations: [],
        keepToo: [],
      });
      for (const name of ['PG_VERSION', 'global/pg_control', 'backup_label'])
        yield { name: `server/${name}`, content: [Buffer.from(name)] };
    })(),
    (sums) => ({
      name: CONTENTS,
      content: [Buffer.from(JSON.stringify({ members: Object.fromEntries(sums), folders: [], end: '0/2000158' }))],
    }),
    0,
  );
  return file;
}

test('a server that DATABASE_URL names refuses a physical backup', async () => {
  const file = await physical('18.4', PLATFORM);
  expect(await commandIn(syncing, YAML, ['restore', file, '--yes'])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/is a physical one.*DATABASE_URL names another server.*Nothing was changed/),
  });
});

test.each([
  ['another major version', '17.6', PLATFORM],
  ['another kind of machine', '18.4', 'plan9-mips'],
])('%s refuses a physical backup', async (_, server, platform) => {
  const file = await physical(server, platform);
  const dataDir = path.join(syncing.directory, 'embedded');
  expect(
    await commandIn(syncing, YAML, ['restore', file, '--yes'], { env: { DATABASE_URL: '', DATA_DIR: dataDir } }),
  ).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      new RegExp(
        `PostgreSQL ${server} for ${platform}\\. .*cannot read them.*Make a portable backup.*Nothing was changed`,
      ),
    ),
  });
  expect(existsSync(path.join(dataDir, 'postgres'))).toBe(false);
});
