import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtinSite, type Body, type TestSite } from '../support/builtin-site.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { feedsOfSite } from '../support/site-feeds.ts';

let site: TestSite;
let memory: FreshDatabase;
beforeAll(async () => { [site, memory] = await Promise.all([builtinSite(), freshDatabase()]); });
afterAll(async () => { await site.close(); await memory.close(); });

const DAY = 86_400_000;
const dates = { start_date: '2026-12-05 18:00:00', end_date: '2026-12-05 20:00:00', timezone: 'Europe/Warsaw' };
const create = async (fields: object): Promise<Body> => (await site.ask('editor', 'POST', '/events', { ...dates, ...fields })).body;
const change = async (id: number, fields: object): Promise<void> => { site.clock.now += 60_000; expect((await site.ask('editor', 'POST', `/events/${id}`, fields)).status).toBe(200); };

/** Per event: title, status, SEQUENCE. */
const told = (text: string): Readonly<Record<string, { readonly status: string; readonly sequence: number }>> => Object.fromEntries([...text.matchAll(/BEGIN:VEVENT\r\n([\s\S]*?)END:VEVENT/g)].map(([, event = '']) => {
  const value = (name: string): string => new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(event)?.[1] ?? '';
  return [value('SUMMARY'), { status: value('STATUS'), sequence: Number(value('SEQUENCE')) }];
}));
const statuses = (text: string): Readonly<Record<string, string>> => Object.fromEntries(Object.entries(told(text)).map(([title, { status }]) => [title, status]));

test('who has an event is told when it is taken off, with what it was known by and nothing else, for 30 days', async () => {
  const feeds = feedsOfSite(site, memory.database, [{ id: 'all', title: 'All' }, { id: 'music', title: 'Music', categories: ['music'] }, { id: 'hiding', title: 'Hiding', cancelled: 'hide' }]);
  const [trashed, drafted, moved, kept] = [await create({ title: 'Trashed', categories: ['Music'], description: 'Private: 600 100 200', website: 'https://private.example', cost: '999' }), await create({ title: 'Drafted', categories: ['Music'] }), await create({ title: 'Moved', categories: ['Music'] }), await create({ title: 'Kept', tags: ['cancelled'] })];
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
  expect(all).not.toMatch(/Secret|Never|600 100 200|private|999/i);
  expect(statuses(all)).toEqual({ Trashed: 'CANCELLED', Drafted: 'CANCELLED', Moved: 'CONFIRMED' });
  expect(told(all)['Trashed']!.sequence).toBeGreaterThan(before['Trashed']!.sequence);
  expect(statuses(await feeds.get('music.ics'))).toEqual({ Trashed: 'CANCELLED', Drafted: 'CANCELLED' });
  expect(statuses(await feeds.get('category/music.ics'))).toEqual({ Trashed: 'CANCELLED', Drafted: 'CANCELLED' });
  expect(statuses(await feeds.get('events.ics?categories=dance'))).toEqual({ Moved: 'CONFIRMED' });
  expect(statuses(await feeds.get('all.ics?cancelled=hide'))).toEqual({ Moved: 'CONFIRMED' });
  expect(statuses(await feeds.get('hiding.ics'))).toEqual({ Moved: 'CONFIRMED' });
  expect(statuses(await feeds.get('hiding.ics?cancelled=keep'))).toEqual({ Trashed: 'CANCELLED', Drafted: 'CANCELLED', Moved: 'CONFIRMED' });
  expect(statuses(await feeds.get('all.ics?cancelled=title'))).toEqual({ 'Cancelled: Trashed': 'CANCELLED', 'Cancelled: Drafted': 'CANCELLED', Moved: 'CONFIRMED' });

  const off = told(all);
  await change(drafted.id, { status: 'publish', title: 'Drafted', description: '' });
  const again = told(await feeds.get('all.ics'));
  expect(again['Drafted']!.status).toBe('CONFIRMED');
  expect(again['Drafted']!.sequence).toBeGreaterThan(off['Drafted']!.sequence);
  site.clock.now += 29 * DAY;
  expect(statuses(await feeds.get('all.ics'))).toEqual({ Trashed: 'CANCELLED', Drafted: 'CONFIRMED', Moved: 'CONFIRMED' });
  site.clock.now += DAY;
  expect(statuses(await feeds.get('all.ics'))).toEqual({ Drafted: 'CONFIRMED', Moved: 'CONFIRMED' });
  expect(feeds.problems).toEqual([]);
});

test('many events that go at once are all told of, a part in each build', { timeout: 60_000 }, async () => {
  const feeds = feedsOfSite(site, memory.database, [{ id: 'fair', title: 'Fair', categories: ['fair'] }]);
  const ids: number[] = [];
  for (let number = 0; number < 250; number++) ids.push((await create({ title: `Stall ${number}`, categories: ['Fair'], start_date: '2027-03-05 18:00:00', end_date: '2027-03-05 20:00:00' })).id);
  await feeds.get('fair.ics');
  for (const id of ids) await site.ask('editor', 'DELETE', `/events/${id}`);
  expect(Object.keys(told(await feeds.get('fair.ics')))).toHaveLength(200);
  expect(Object.keys(told(await feeds.get('fair.ics')))).toHaveLength(250);
});
