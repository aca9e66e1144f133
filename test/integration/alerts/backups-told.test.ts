import { afterAll, beforeAll, expect, test } from 'vitest';
import { beginBackup, endBackup } from '../../../src/backup/records.ts';
import { openAlerts, type Alerts } from '../../../src/cli/open/alerts.ts';
import { mailServer, type MailServer } from '../../support/mail-server.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

let program: SyncingApp;
let app: OpenedApp;
let mails: MailServer;
let alerts: Alerts;

beforeAll(async () => {
  [program, mails] = await Promise.all([syncingApp(), mailServer()]);
  program.clock.now = Date.now();
  app = await program.open(`builtin: { title: Town calendar }
alerts:
  mail: { server: "${mails.url}", from: calendar@town.example }
  receivers:
    clerk: { mail: clerk@town.example, hears: [backup, recovered] }
    boss: { mail: boss@town.example, hears: [recovered] }
sources: {}
`);
  alerts = openAlerts(app);
});
afterAll(async () => {
  await alerts.close();
  await program.close();
  await mails.close();
});

test('receivers who heard that backups fail hear once that they work again', async () => {
  const { database } = app.context;
  const told: (string | undefined)[][] = [];
  for (const problem of ['the disk is full', 'the disk is full', null, null, 'the disk is full', null]) {
    program.clock.now += 60_000;
    const id = await beginBackup(database.query(), undefined, 'here:1', program.clock.now);
    await endBackup(database, id, { file: '/mnt/town.tar.zst', bytes: 1, rows: 1, problem });
    const before = mails.mails.length;
    await alerts.sendDue();
    told.push(mails.mails.slice(before).map(({ headers }) => `${headers['to']}: ${headers['subject']}`));
  }
  const [failed, good] = [
    ['clerk@town.example: Town calendar: the backup has failed'],
    ['clerk@town.example: Town calendar: backups work again'],
  ];
  expect(told).toEqual([failed, [], good, [], failed, good]);
});
