import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/database.ts';
import { forgetEvent } from '../../src/feeds/content/forget-event.ts';
import { builtinSite, type Body, type TestSite } from '../support/builtin-site.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { exportedFeeds } from '../support/exported-feeds.ts';

let site: TestSite;
let memory: FreshDatabase;
beforeAll(async () => {
  [site, memory] = await Promise.all([builtinSite(), freshDatabase()]);
});
afterAll(async () => {
  await site.close();
  await memory.close();
});

const DAY = 86_400_000;
const dates = { start_date: '2026-12-05 18:00:00', end_date: '2026-12-05 20:00:00', timezone: 'Europe/Warsaw' };
const create = async (fields: object): Promise<Body> =>
  (await site.ask('editor', 'POST', '/events', { ...dates, ...fields })).body;
const change = async (id: number, fields: object): Promise<void> => {
  site.clock.now += 60_000;
  expect((await site.ask('editor', 'POST', `/events/${id}`, fields)).status).toBe(200);
};

/** An event of a feed; `told` has them by title, or by UID if they have no title. */
interface Told {
  readonly status: string;
  readonly sequence: number;
  readonly lines: readonly string[];
}
const told = (text: string): Readonly<Record<string, Told>> =>
  Object.fromEntries(
    [...text.matchAll(/BEGIN:VEVENT\r\n([\s\S]*?)END:VEVENT/g)].map(([, event = '']) => {
      const value = (name: string): string => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(event)?.[1] ?? '';
      return [
        value('SUMMARY') || value('UID'),
        { status: value('STATUS'), sequence: Number(value('SEQUENCE')), lines: event.trim().split('\r\n') },
      ];
    }),
  );
// Still in the future after the first test has moved the clock.
const later = { start_date: '2027-06-05 18:00:00', end_date: '2027-06-05 20:00:00' };
const uidOf = ({ id }: { readonly id: number }): string => `${id}@site.example`;
const statuses = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(told(text)).map(([title, { status }]) => [title, status]));

test('subscribers get an event that was taken off as cancelled, without its texts, for 30 days', async () => {
  const feeds = exportedFeeds(site, memory.database, [
    { id: 'all', title: 'All' },
    { id: 'music', title: 'Music', categories: ['music'] },
    { id: 'hiding', title: 'Hiding', cancelled: 'hide' },
  ]);
  const [trashed, drafted, moved, kept] = [
    await create({
      title: 'Trashed',
      categories: ['Music'],
      description: 'Private: 600 100 200',
      website: 'https://private.example',
      cost: '999',
    }),
    await create({ title: 'Drafted', categories: ['Music'] }),
    await create({ title: 'Moved', categories: ['Music'] }),
    await create({ title: 'Kept', tags: ['cancelled'] }),
  ];
  await create({ title: 'Never public', status: 'draft' });
  const over = await create({ title: 'Over', start_date: '2026-11-19 10:00:00', end_date: '2026-11-19 11:00:00' });
  const before = told(await feeds.get('all.ics'));
  expect(await feeds.get('all.ics')).toMatch(/600 100 200/);
  expect(Object.keys(before).toSorted()).toEqual(['Drafted', 'Kept', 'Moved', 'Over', 'Trashed']);
  await feeds.get('music.ics');
  await feeds.get('hiding.ics');

  site.clock.now += 60_000;
  await site.ask('editor', 'DELETE', `/events/${trashed.id}`);
  await site.ask('editor', 'DELETE', `/events/${over.id}`);
  await change(drafted.id, { status: 'draft', title: 'Secret plans', description: 'Secret' });
  await change(moved.id, { categories: ['Dance'] });
  await change(kept.id, { hide_from_listings: true });
  const all = await feeds.get('all.ics');
  expect(all).not.toMatch(/Secret|Never|600 100 200|private|999|Trashed|Drafted/i);
  const gone = { [uidOf(trashed)]: 'CANCELLED', [uidOf(drafted)]: 'CANCELLED' };
  expect(statuses(all)).toEqual({ ...gone, Moved: 'CONFIRMED' });
  expect(told(all)[uidOf(trashed)]!.sequence).toBeGreaterThan(before['Trashed']!.sequence);
  expect(told(all)[uidOf(trashed)]!.lines.map((line) => line.split(/[:;]/)[0])).toEqual([
    'UID',
    'SEQUENCE',
    'DTSTAMP',
    'DTSTART',
    'DTEND',
    'TRANSP',
    'STATUS',
    'LAST-MODIFIED',
    'CLASS',
  ]);
  expect(statuses(await feeds.get('music.ics'))).toEqual(gone);
  expect(statuses(await feeds.get('category/music.ics'))).toEqual(gone);
  expect(statuses(await feeds.get('events.ics?categories=dance'))).toEqual({ Moved: 'CONFIRMED' });
  expect(statuses(await feeds.get('all.ics?cancelled=hide'))).toEqual({ Moved: 'CONFIRMED' });
  expect(statuses(await feeds.get('hiding.ics'))).toEqual({ Moved: 'CONFIRMED' });
  expect(statuses(await feeds.get('hiding.ics?cancelled=keep'))).toEqual({ ...gone, Moved: 'CONFIRMED' });
  expect(
    [...(await feeds.get('all.ics?cancelled=title')).matchAll(/^SUMMARY:.*(?=\r)/gm)].map(([line]) => line),
  ).toEqual(['SUMMARY:Moved', 'SUMMARY:Cancelled', 'SUMMARY:Cancelled']);
  const shown = [...(await feeds.page('all')).matchAll(/<li class="ev[^]*?<h3>(.*?)<\/h3>/g)];
  expect(shown.map(([, title = '']) => title.replace(/<[^>]+>/g, ''))).toEqual(['Moved']);

  const off = told(all);
  await change(drafted.id, { status: 'publish', title: 'Drafted', description: '' });
  const again = told(await feeds.get('all.ics'));
  expect(again['Drafted']!.status).toBe('CONFIRMED');
  expect(again['Drafted']!.sequence).toBeGreaterThan(off[uidOf(drafted)]!.sequence);
  site.clock.now += 29 * DAY;
  expect(statuses(await feeds.get('all.ics'))).toEqual({
    [uidOf(trashed)]: 'CANCELLED',
    Drafted: 'CONFIRMED',
    Moved: 'CONFIRMED',
  });
  site.clock.now += DAY;
  expect(statuses(await feeds.get('all.ics'))).toEqual({ Drafted: 'CONFIRMED', Moved: 'CONFIRMED' });
  expect(feeds.problems).toEqual([]);
});

test.each([
  ['protected', { password: 'sesame' }],
  ['private', { status: 'private' }],
  ['a draft', { status: 'draft' }],
  ['pending', { status: 'pending' }],
  ['scheduled for later publication', { date: '2027-03-01 10:00:00' }],
])('an event that becomes %s is exported as cancelled, with nothing else about it', async (_, fields) => {
  const feeds = exportedFeeds(site, memory.database, [{ id: 'quiet', title: 'Quiet', tags: ['quiet'] }]);
  const event = await create({
    ...later,
    title: 'Wedding of Mole',
    description: 'Bring cake',
    cost: '7',
    website: 'https://mole.example',
    tags: ['Quiet'],
    categories: ['Burrow'],
    venue: { venue: 'Mole End', address: 'Under the hill 1', geo_lat: 51, geo_lng: 1 },
    organizer: [{ organizer: 'Rat', email: 'rat@x.example' }],
  });
  const before = await feeds.get('quiet.ics');
  expect(before).toMatch(/Wedding of Mole[\s\S]*Under the hill/);
  await change(event.id, fields);
  const after = await feeds.get('quiet.ics');
  expect(after.slice(after.indexOf('BEGIN:VEVENT'))).not.toMatch(
    /Mole|cake|hill|Rat|rat@|Burrow|mole\.example|X-COST|GEO|CREATED/,
  );
  const { [uidOf(event)]: off } = told(after);
  expect([off?.status, off!.sequence > told(before)['Wedding of Mole']!.sequence]).toEqual(['CANCELLED', true]);
  // Its other fields are not stored, either.
  const { rows } = await sql<{
    content: object;
  }>`select content from calsync.exported_content where uid = ${uidOf(event)}`.execute(memory.database.query());
  expect(rows.map(({ content }) => Object.keys(content).toSorted())).toEqual([
    ['categories', 'contacts', 'end', 'start', 'status', 'title'],
  ]);
  await site.ask('editor', 'DELETE', `/events/${event.id}`);
});

test('forgetting an event published by mistake removes it from the site and cancels it for subscribers', async () => {
  const feeds = exportedFeeds(site, memory.database, [{ id: 'slip', title: 'Slip', tags: ['slip'] }]);
  const [slip, hidden, withdrawn] = [
    await create({ ...later, title: 'Slip of the pen', tags: ['Slip'] }),
    await create({ ...later, title: 'Hidden slip', tags: ['Slip'] }),
    await create({ ...later, title: 'Withdrawn slip', tags: ['Slip'] }),
  ];
  const before = told(await feeds.get('slip.ics'));
  await change(hidden.id, { hide_from_listings: true });
  await change(withdrawn.id, { password: 'sesame' });
  const forget = (slug: string) =>
    forgetEvent({ client: feeds.client, contents: feeds.contents }, slug, site.clock.now);
  expect(await forget('slip-of-the-pen')).toEqual({ trashed: true, uids: [uidOf(slip)] });
  expect(await forget('hidden-slip')).toEqual({ trashed: true, uids: [uidOf(hidden)] });
  // An event with a password stays on the site: whoever protected it wants to keep it.
  expect(await forget('withdrawn-slip')).toEqual({ trashed: false, uids: [uidOf(withdrawn)] });
  expect(await forget('no-such-slip')).toBeUndefined();
  expect((await site.ask('editor', 'GET', `/events/${withdrawn.id}?context=edit`)).body['status']).toBe('publish');
  for (const { id } of [slip, hidden])
    expect((await site.ask('editor', 'GET', `/events/${id}`)).body.code).toBe('event-no-longer-available');
  const text = await feeds.get('slip.ics');
  const after = told(text);
  expect(text).not.toMatch(/of the pen|slip"|SUMMARY/);
  for (const [title, event] of [
    ['Slip of the pen', slip],
    ['Hidden slip', hidden],
    ['Withdrawn slip', withdrawn],
  ] as const) {
    expect([after[uidOf(event)]!.status, after[uidOf(event)]!.sequence > before[title]!.sequence]).toEqual([
      'CANCELLED',
      true,
    ]);
  }
  // Works for an event in the trash as well; after 30 days, the feed has nothing about any of them.
  expect(await forget('slip-of-the-pen')).toEqual({ trashed: false, uids: [uidOf(slip)] });
  site.clock.now += 30 * DAY + 1;
  expect(told(await feeds.get('slip.ics'))).toEqual({});
  site.clock.now -= 30 * DAY + 1;
});

test('many events that vanish at once are all cancelled, some in each build of the feed', async () => {
  const feeds = exportedFeeds(site, memory.database, [{ id: 'fair', title: 'Fair', categories: ['fair'] }]);
  const ids: number[] = [];
  for (let number = 0; number < 250; number++)
    ids.push(
      (
        await create({
          title: `Stall ${number}`,
          categories: ['Fair'],
          start_date: '2027-03-05 18:00:00',
          end_date: '2027-03-05 20:00:00',
        })
      ).id,
    );
  await feeds.get('fair.ics');
  for (const id of ids) await site.ask('editor', 'DELETE', `/events/${id}`);
  expect(Object.keys(told(await feeds.get('fair.ics')))).toHaveLength(200);
  expect(Object.keys(told(await feeds.get('fair.ics')))).toHaveLength(250);
});
