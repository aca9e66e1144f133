import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCluster, refuseOtherVersion } from '../../../src/db/embedded/server.ts';
import { scratchPath } from '../../support/scratch.ts';

// PostgreSQL reads only data folders of its own major version.

let data: string;
beforeAll(() => {
  data = mkdtempSync(scratchPath('version'));
});
afterAll(() => rmSync(data, { recursive: true, force: true }));
const made = (version: string): void => writeFileSync(path.join(data, 'PG_VERSION'), `${version}\n`);

test.each(['18.0.0', '18.4.0-beta.17'])('files of PostgreSQL 18 are accepted by %s', (version) => {
  made('18');
  expect(() => refuseOtherVersion(data, version)).not.toThrow();
});

test.each([
  ['18', '19.1.0', 'docs/upgrade.md'],
  ['18', '180.0.0', 'docs/upgrade.md'],
  ['19', '18.4.0', 'Start the calsyncd that made it'],
])('files of PostgreSQL %s are refused by %s, with advice', (files, version, way) => {
  made(files);
  expect(() => refuseOtherVersion(data, version)).toThrow(
    expect.objectContaining({ code: 'database-version', message: expect.stringContaining(way) as string }),
  );
});

test('a start checks the version first', async () => {
  made('17');
  const home = { root: data, data, users: data, lock: data, log: data, account: undefined };
  await expect(makeCluster(home)).rejects.toThrow(expect.objectContaining({ code: 'database-version' }));
});
