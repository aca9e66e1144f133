import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FetchResult } from '../../../src/run/fetch/fetch-feed.ts';
import {
  CALENDAR,
  closeConnections,
  codeOf,
  connections,
  failure,
  fetchedWith,
  text,
  type Asked,
} from '../../support/feed-fetching.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'calsyncd-fetch-'));
});
afterAll(async () => {
  await closeConnections();
  await rm(directory, { recursive: true });
});

const fetched = (url: string, asked: Partial<Asked> = {}): Promise<FetchResult> =>
  fetchedWith(url, {
    http: connections([]),
    files: { base: join(directory, 'config'), directories: [join(directory, 'feeds')] },
    ...asked,
  });

describe('files', () => {
  beforeAll(async () => {
    await Promise.all(
      ['config/sub', 'feeds', 'feeds-not', 'outside'].map((name) => mkdir(join(directory, name), { recursive: true })),
    );
    for (const path of [
      'config/own.ics',
      'config/sub/a b.ics',
      'feeds/listed.ics',
      'feeds-not/near.ics',
      'outside/secret.ics',
    ])
      await writeFile(join(directory, path), CALENDAR);
    await writeFile(join(directory, 'feeds/empty.ics'), '');
    await symlink(join(directory, 'outside/secret.ics'), join(directory, 'feeds/link.ics'));
    await symlink(join(directory, 'feeds/listed.ics'), join(directory, 'config/inner.ics'));
    await symlink(join(directory, 'outside'), join(directory, 'config/way'));
  });

  test.each([
    'file:own.ics',
    'file:sub/a%20b.ics',
    'file:./sub/../own.ics',
    'file:../feeds/listed.ics',
    'file:inner.ics',
  ])('%s is read', async (url) => {
    expect(text(await fetched(url))).toBe(CALENDAR);
  });
  test('an absolute address is read, too, and again only when its content has changed', async () => {
    const url = `file://${join(directory, 'feeds/listed.ics')}`;
    const first = await fetched(url);
    if (first.kind !== 'fetched') throw new Error(text(first));
    expect((await fetched(url, { validators: first.validators })).kind).toBe('notModified');
    await writeFile(join(directory, 'feeds/listed.ics'), `${CALENDAR} `);
    expect((await fetched(url, { validators: first.validators })).kind).toBe('fetched');
    await writeFile(join(directory, 'feeds/listed.ics'), CALENDAR);
  });
  test.each([
    'file:../outside/secret.ics',
    'file:../feeds-not/near.ics',
    'file:///etc/passwd',
    'file:/etc/passwd',
    'file:../feeds/link.ics',
    'file:way/secret.ics',
    'file:%2e%2e/outside/secret.ics',
  ])('%s is not allowed', async (url) => {
    expect(failure(await fetched(url), 'file-not-allowed')).toMatch(/fetch\.allow_files/);
  });
  test.each<[string, string, RegExp]>([
    ['file:absent.ics', 'file-unreadable', /does not exist/],
    ['file:sub', 'file-unreadable', /is not a file/],
    ['file:../feeds/empty.ics', 'feed-empty', /is empty/],
    ['file://other-host/x.ics', 'file-unreadable', /host/i],
    ['file:a%00b', 'file-unreadable', /null bytes/i],
    ['file:%', 'file-unreadable', /URI/],
  ])('%s: %s', async (url, code, message) => expect(failure(await fetched(url), code)).toMatch(message));
  test('a file that is too large is refused', async () => {
    expect(failure(await fetched('file:own.ics', { limits: { bytesMax: 10 } }), 'feed-too-large')).toContain(
      'raise fetch.max_megabytes',
    );
  });
  test('a path on the command line may be anywhere', async () => {
    expect(text(await fetched(join(directory, 'outside/secret.ics'), { isTrusted: true }))).toBe(CALENDAR);
    expect(text(await fetched(`file://${join(directory, 'outside/secret.ics')}`, { isTrusted: true }))).toBe(CALENDAR);
  });
  test.skipIf(process.platform === 'win32')('a device is refused', async () => {
    expect(codeOf(await fetched('/dev/zero', { isTrusted: true }))).toBe('file-unreadable');
  });
});
