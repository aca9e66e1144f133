import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../../src/db/database.ts';
import {
  keepSuggestion,
  reviewNoteOf,
  submittedItems,
  waitingForReview,
  writeReviewNote,
} from '../../../src/site/store/suggestions.ts';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await builtinSite();
});
afterAll(() => site.close());

const FIELDS = {
  title: 'Street party',
  allDay: false,
  startDay: '2027-01-10',
  startTime: '18:00',
  endDay: '2027-01-10',
  endTime: '20:00',
  venue: 'Elm Street',
  website: '',
  description: '',
};

test('a suggestion that is sent again while it is being stored is kept once', async () => {
  const suggestion = { fields: FIELDS, email: 'neighbour@mail.example' };
  const { db, clock } = site;
  let hasEnded = false;
  const hasCome = async (): Promise<boolean> => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    return hasEnded || rows.length > 0;
  };
  const [again] = await db.transaction(async (transaction) => {
    await sql`insert into site.suggestions (made_at, state, fields, email)
      values (now(), 'waits', ${JSON.stringify(FIELDS)}, ${suggestion.email})`.execute(transaction);
    const second = keepSuggestion(db, suggestion, clock.now).finally(() => (hasEnded = true));
    await expect.poll(hasCome).toBe(true);
    return [second];
  });
  expect([await again, (await waitingForReview(db)).suggestions.count]).toEqual([true, 1]);
});

const HANDED_IN = { title: 'Concert', start_date: '2027-01-10 18:00', end_date: '2027-01-10 20:00', status: 'pending' };

test('of very many submitted events, those that have waited longest are listed', async () => {
  const { body } = await site.ask('editor', 'POST', '/events', HANDED_IN);
  site.clock.now -= 3_600_000;
  const request = { method: 'POST', path: '/calendar/events/v1/events', body: HANDED_IN };
  for (let batch = 0; batch < 8; batch += 1)
    await site.ask('editor', 'POST', '/api/batch/v1', { requests: Array.from({ length: 25 }, () => request) });
  const { items, counts } = await submittedItems(site.db);
  const events = items.filter(({ kind }) => kind === 'handed-in');
  expect([counts['handed-in'], events.length]).toEqual([201, 200]);
  expect(events.map(({ about }) => about)).not.toContain(String(body.id));
});

test('a note to an author is replaced by the next, and removed by an empty one', async () => {
  const { body } = await site.ask('editor', 'POST', '/events', HANDED_IN);
  const noted: (string | undefined)[] = [];
  for (const text of ['When?', 'Where?', '', '']) {
    await writeReviewNote(site.db, body.id, text, 'editor', site.clock.now);
    noted.push(await reviewNoteOf(site.db, body.id));
  }
  expect(noted).toEqual(['When?', 'Where?', undefined, undefined]);
});
