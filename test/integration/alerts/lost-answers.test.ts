import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAlerts, type Alerts } from '../../../src/cli/open/alerts.ts';
import { sql } from '../../../src/db/database.ts';
import { claimDelivery, listDeliveries } from '../../../src/run/deliveries/deliveries.ts';
import { feedServer, status, type FeedServer } from '../../support/feed-server.ts';
import { mailServer, type MailServer } from '../../support/mail-server.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

// A process dies after it has sent a message and before it gets the answer, so nobody knows whether the message arrived.

let program: SyncingApp;
let app: OpenedApp;
let mails: MailServer;
let feeds: FeedServer;
let alerts: Alerts;

beforeEach(async () => {
  [program, mails, feeds] = await Promise.all([syncingApp(), mailServer(), feedServer()]);
  program.clock.now = Date.now();
  app = await program.open(`builtin: { title: Town calendar }
fetch: { allow_addresses: [127.0.0.1/32] }
alerts:
  mail: { server: "${mails.url}", from: calendar@town.example }
  receivers: { clerk: { mail: clerk@town.example } }
sources:
  town: { url: "${feeds.url}/town.ics" }
`);
  alerts = openAlerts(app);
  feeds.on('/town.ics', status(403));
  await app.sync('town');
  await app.sync('town');
});
afterEach(async () => {
  await alerts.close();
  await program.close();
  await Promise.all([mails.close(), feeds.close()]);
});

const since = async (): Promise<number> => {
  const { rows } = await sql<{ at: Date }>`select min(started_at) as at from calsync.runs`.execute(
    app.state.database.query(),
  );
  return rows[0]?.at.getTime() ?? 0;
};

/** Leaves behind what a process does that dies after sending a message and before the answer. */
async function leaveSending(receiver: string): Promise<void> {
  const episode = {
    receiver,
    site: 'builtin',
    source: 'town',
    kind: 'failing',
    about: '',
    since: await since(),
    stage: 0,
  };
  const message = {
    kind: 'failing',
    subject: 'town: failing',
    paragraphs: [{ text: 'It fails.' }],
    links: [],
    foot: 'x',
  };
  const messageId = '<of-the-dead@town.example>';
  await claimDelivery(
    app.state.database.query(),
    {
      receiver,
      key: 'failing x',
      kind: 'failing',
      channel: 'mail',
      address: 'clerk@town.example',
      subject: message.subject,
      messageId,
      content: { message, references: ['<thread@town.example>'], body: null },
      episodes: [{ ...episode, messageId }],
    },
    program.clock.now,
  );
}

test('the message is sent once more under the same Message-ID, and never again', async () => {
  await leaveSending('clerk');
  // The process may still be alive.
  await alerts.sendDue();
  expect(mails.mails).toHaveLength(0);
  program.clock.now += 120_000;
  await alerts.sendDue();
  await alerts.sendDue();
  expect(mails.mails.map(({ headers }) => [headers['message-id'], headers['references']])).toEqual([
    ['<of-the-dead@town.example>', '<thread@town.example>'],
  ]);
  const { deliveries } = await listDeliveries(app.state.database.query(), 5);
  expect(deliveries).toMatchObject([{ state: 'sent', tries: 2 }]);
});

test('a message to a receiver that no longer exists is given up', async () => {
  await leaveSending('former');
  program.clock.now += 120_000;
  await alerts.sendDue();
  const { deliveries } = await listDeliveries(app.state.database.query(), 5);
  expect(deliveries.map(({ receiver, state }) => `${receiver} ${state}`).toSorted()).toEqual([
    'clerk sent',
    'former given up',
  ]);
});

test('only one of two processes that are sending at once sends the message', async () => {
  const other = openAlerts(app);
  await Promise.all([alerts.sendDue(), other.sendDue(), alerts.sendDue(), other.sendDue()]);
  await other.close();
  expect(mails.mails.map(({ headers }) => headers['subject'])).toEqual(['town: failing (the address may not be read)']);
});
