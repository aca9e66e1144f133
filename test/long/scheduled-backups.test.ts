import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileNameAt } from '../../src/backup/due.ts';
import { keepBackup, type Keeping } from '../../src/backup/keep-backup.ts';
import { backupState, listBackups, noteBackup } from '../../src/backup/records.ts';
import { openAlerts } from '../../src/cli/open/alerts.ts';
import { generalMatters } from '../../src/run/watch/general-matters.ts';
import { sql } from '../../src/db/database.ts';
import { commandIn } from '../support/command.ts';
import { signedInConsole, type ConsoleClient } from '../support/console.ts';
import { mailServer, type MailServer } from '../support/mail-server.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';

// Scheduled backups, and those requested in the console or made by the command.

let syncing: SyncingApp;
let app: OpenedApp;
let clerk: ConsoleClient;
let folder: string;
let mails: MailServer;
const HOUR = 3_600_000;

beforeAll(async () => {
  [syncing, mails] = await Promise.all([syncingApp(), mailServer()]);
  syncing.clock.now = Date.now();
  app = await syncing.open(`builtin: { title: Town }
backup: { every: 24h, keep: 2, folder: kept }
sources: { library: { url: "https://library.example/events.ics", paused: true } }
alerts:
  mail: { server: "${mails.url}", from: calendar@town.example }
  receivers:
    dev: { mail: dev@town.example }
    clerk: { mail: clerk@town.example, sources: [library] }
    night: { mail: night@town.example, hears: [held] }
`);
  folder = path.join(syncing.directory, 'kept');
  clerk = await signedInConsole(app, 'clerk', 'administrator');
});
afterAll(async () => {
  await syncing.close();
  await mails.close();
});

const keep = (more: Partial<Keeping> = {}): Promise<void> =>
  keepBackup({
    database: app.state.database,
    patient: app.state.patient,
    log: app.context.log,
    now: () => syncing.clock.now,
    program: '9.9.9',
    uploads: path.join(syncing.directory, 'data', 'uploads'),
    folder,
    makesFolder: true,
    keep: 2,
    nextOf: (after) => after + 24 * HOUR,
    ...more,
  });
const query = () => app.state.database.query();

test('the first backup is made at once, by only one of several processes, and the next one when it is due', async () => {
  await Promise.all([keep(), keep(), keep()]);
  expect(await readdir(folder)).toEqual([expect.stringMatching(/^calsyncd-\d{8}T\d{6}Z\.tar\.zst$/)]);
  await keep();
  expect(await listBackups(query(), 9)).toMatchObject([{ via: 'schedule', problem: null, file: expect.any(String) }]);
});

test('the console shows backups, and administrators can request one', async () => {
  const page = await clerk.get('/settings/backups/');
  expect(page.text).toMatch(/Last good one .* kB \(\d+ rows\), .*calsyncd-/);
  expect(page.text).toContain('the schedule');
  const editor = await signedInConsole(app, 'helen', 'editor');
  expect((await editor.get('/settings/backups/')).text).not.toContain('Back up now');
  expect((await editor.post('/settings/backups/', { do: 'backup' })).text).toContain('only administrators may');
  expect((await backupState(query())).asked).toBeUndefined();
  for (const _ of [1, 2]) await clerk.post('/settings/backups/', { do: 'backup' });
  expect((await clerk.get('/settings/backups/')).text).toContain('waits for a process that syncs');
  syncing.clock.now += 1_000;
  await keep();
  expect(await listBackups(query(), 9)).toMatchObject([
    { name: 'clerk', via: 'console', problem: null },
    { via: 'schedule' },
  ]);
  expect(await readdir(folder)).toHaveLength(2);
});

test('the oldest backup is deleted when there are too many, and other files stay', async () => {
  await writeFile(path.join(folder, 'notes.txt'), '');
  await writeFile(path.join(folder, `${fileNameAt(0)}.part-1`), '');
  const [oldest, newest] = (await readdir(folder)).filter((name) => name.endsWith('.zst'));
  syncing.clock.now += 25 * HOUR;
  await keep();
  const left = await readdir(folder);
  expect(left).toEqual(expect.arrayContaining(['notes.txt', newest]));
  expect(left).not.toContain(oldest);
  expect(left).toHaveLength(3);
});

test('a backup that fails deletes nothing, and is reported by the console and doctor', async () => {
  const before = await readdir(folder);
  const full = path.join(syncing.directory, 'no-folder');
  await writeFile(full, '');
  syncing.clock.now += 25 * HOUR;
  await keep({ folder: full });
  // Only this clock was moved, not that of the database.
  syncing.clock.now = Date.now();
  expect(await readdir(folder)).toEqual(before);
  const { last, lastGood, failingSince } = await backupState(query());
  expect([last?.problem, lastGood?.problem, failingSince]).toEqual([
    `The folder ${full} cannot be made: there is a file of that name.`,
    null,
    last?.endedAt,
  ]);
  expect(await generalMatters(query(), [])).toMatchObject([
    { kind: 'backup', consequence: expect.stringContaining('there is a file of that name') },
  ]);
  expect((await clerk.get('/settings/backups/')).text).toContain('Backups have failed since');
  expect((await clerk.get('/')).text).toContain('The backup has failed');
  const doctor = await commandIn(syncing, 'backup: { every: 24h }\n', ['doctor', '--json']);
  expect(doctor.json).toMatchObject({ ok: false, backups: { ok: false, next: expect.any(String) } });
  expect(doctor.out).toContain('backup-failed');
});

test('receivers get one message about the failure, with the reason and the last good backup', async () => {
  const alerts = openAlerts(app);
  for (const _ of [1, 2]) await alerts.sendDue();
  await alerts.close();
  expect(mails.mails.map(({ to }) => to)).toEqual([['dev@town.example']]);
  const [{ headers, text }] = mails.mails as [(typeof mails.mails)[number]];
  expect(headers['subject']).toBe('Town: the backup has failed');
  expect(text).toContain('there is a file of that name');
  expect(text).toContain('The last good one, made');
});

test('a backup by the command is listed, and does not affect the schedule', async () => {
  const before = await backupState(query());
  const file = path.join(syncing.directory, 'by-hand.tar.zst');
  expect(await commandIn(syncing, '', ['backup', file])).toMatchObject({ code: 0 });
  expect((await listBackups(query(), 1))[0]).toMatchObject({ via: 'command', problem: null, file });
  expect(before.byHand).toBeUndefined();
  expect(await backupState(query())).toEqual({ ...before, byHand: expect.objectContaining({ file }) as unknown });
  expect((await commandIn(syncing, '', ['doctor'])).out).toMatch(
    new RegExp(`the last good one is from .*, the last one made by hand is from .*${file}`),
  );
  expect((await clerk.get('/settings/backups/')).text).toMatch(new RegExp(`Last by hand .*${file}`));
});

test('a physical backup is listed without a number of rows', async () => {
  await noteBackup(app.state.database, 'clerk', syncing.clock.now, {
    file: '/srv/town-files.tar.zst',
    bytes: 7_500_000,
    rows: null,
  });
  expect((await clerk.get('/settings/backups/')).text).toMatch(
    /Last by hand .*, 7\.5 MB \(physical\), \/srv\/town-files\.tar\.zst/,
  );
});

test('doctor names a backup made by hand if there is no scheduled one', async () => {
  await sql`delete from calsync.backups where via <> 'command'`.execute(query());
  const { out } = await commandIn(syncing, '', ['doctor']);
  expect(out).toContain('no scheduled one has been made yet, the last one made by hand is from');
  await sql`delete from calsync.backups`.execute(query());
  expect((await commandIn(syncing, '', ['doctor'])).out).toContain('none has been made of this database yet');
});

test('the command fails if it cannot record the backup, except in a database without that table', async () => {
  const file = path.join(syncing.directory, 'unnoted.tar.zst');
  await sql`alter table calsync.backups rename column via to way`.execute(query());
  expect(await commandIn(syncing, '', ['backup', file])).toMatchObject({
    code: 1,
    err: expect.stringContaining('column "via"') as string,
  });
  await sql`alter table calsync.backups rename column way to via`.execute(query());
  await sql`alter table calsync.backups rename to former`.execute(query());
  expect(await commandIn(syncing, '', ['backup', file, '--yes'])).toMatchObject({ code: 0 });
  await sql`alter table calsync.former rename to backups`.execute(query());
});

test('a folder that the configuration names is not made: its disk may not be there', async () => {
  const away = path.join(syncing.directory, 'disk', 'calsyncd');
  syncing.clock.now += 50 * HOUR;
  await keep({ folder: away, makesFolder: false });
  syncing.clock.now = Date.now();
  expect((await backupState(query())).last?.problem).toBe(
    `The folder ${away} is not there. Make it, or mount its disk.`,
  );
  expect(existsSync(path.dirname(away))).toBe(false);
});
