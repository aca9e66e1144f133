import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openFeeds } from '../../src/cli/web/open-feeds.ts';
import { handleFeeds } from '../../src/feeds/handle-feeds.ts';
import { planAdoption } from '../../src/run/decisions/adopt-events.ts';
import { forgetSource } from '../../src/run/decisions/forget-source.ts';
import { calendarText, feedEvents } from '../support/feed-text.ts';
import { linesOf } from '../support/feed-world.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';

let syncing: SyncingApp;
beforeEach(async () => {
  syncing = await syncingApp();
});
afterEach(() => syncing.close());

const feedOf = async (app: OpenedApp, address = 'all.ics'): Promise<string> =>
  (await handleFeeds(openFeeds(app), new Request(`http://127.0.0.1:8080/feeds/${address}`))).text();
const yaml = (sources: string): string =>
  `builtin: { timezone: Europe/Warsaw }\nsources: { town: { url: file:town.ics }, ${sources} }\nfeeds: { all: {} }\n`;

test('a source that is one of our feeds is refused', async () => {
  const app = await syncing.open(yaml('loop: { url: "http://localhost:8080/feeds/all.ics" }'));
  expect(await app.sync('loop')).toMatchObject({
    state: 'failed',
    problems: [{ code: 'feed-own', message: expect.stringContaining('own_feed: true') }],
  });
});

test('importing our own export again and again changes nothing, but adds events that others put into it', async () => {
  await writeFile(path.join(syncing.directory, 'town.ics'), calendarText(feedEvents(8)));
  const app = await syncing.open(yaml('loop: { url: file:loop.ics }'));
  await app.sync('town');
  await app.site.write([
    {
      method: 'POST',
      path: '/events',
      body: { title: 'Made by hand', start_date: '2027-04-01 18:00:00', end_date: '2027-04-01 19:00:00' },
    },
  ]);
  for (let round = 0; round < 3; round++) {
    const exported = await feedOf(app);
    const strange = calendarText(
      feedEvents(1).map((event) => ({ ...event, uid: 'strange@elsewhere.example', title: 'From elsewhere' })),
    );
    const added = strange.slice(strange.indexOf('BEGIN:VEVENT'), strange.indexOf('END:VCALENDAR'));
    await writeFile(
      path.join(syncing.directory, 'loop.ics'),
      exported.replace(/END:VCALENDAR\r\n$/, `${round === 0 ? '' : added}END:VCALENDAR\r\n`),
    );
    expect(await app.sync('loop')).toMatchObject({
      created: round === 1 ? 1 : 0,
      updated: 0,
      removed: 0,
      problems: expect.arrayContaining([expect.objectContaining({ code: 'events-own' })]),
    });
    expect(
      (await app.events())
        .map(({ title }) => title)
        .filter((title) => !title.startsWith('Event number'))
        .toSorted(),
    ).toEqual(round === 0 ? ['Made by hand'] : ['From elsewhere', 'Made by hand']);
  }
  expect(await app.events()).toHaveLength(10);
});

test('our own export is still recognized when the source of its events is forgotten', async () => {
  await writeFile(path.join(syncing.directory, 'town.ics'), calendarText(feedEvents(3)));
  const app = await syncing.open(yaml('loop: { url: file:loop.ics }'));
  await app.sync('town');
  const exported = await feedOf(app);
  await forgetSource(app.context, 'builtin', 'town');
  const later = await syncing.open(
    'builtin: { timezone: Europe/Warsaw }\nsources: { loop: { url: file:loop.ics } }\nfeeds: { all: {} }\n',
  );
  expect(linesOf(await feedOf(later), 'UID:')).toEqual(linesOf(exported, 'UID:'));
  await writeFile(path.join(syncing.directory, 'loop.ics'), exported);
  expect(await later.sync('loop')).toMatchObject({
    created: 0,
    updated: 0,
    removed: 0,
    problems: expect.arrayContaining([expect.objectContaining({ code: 'events-own' })]),
  });
  expect(await later.events()).toHaveLength(3);
});

test('events made by hand are not adopted from our own export, as no sync would find them in it', async () => {
  const app = await syncing.open(yaml('loop: { url: file:loop.ics }'));
  await app.site.write([
    {
      method: 'POST',
      path: '/events',
      body: { title: 'Made by hand', start_date: '2027-04-01 18:00:00', end_date: '2027-04-01 19:00:00' },
    },
  ]);
  await writeFile(path.join(syncing.directory, 'loop.ics'), await feedOf(app));
  expect(await planAdoption(app.context, app.setup('loop'))).toMatchObject({ actions: [], ledger: {}, conflicts: [] });
});

test('two sites that read each other do not grow: events that come back are not imported', async () => {
  const other = await syncingApp();
  try {
    await writeFile(path.join(syncing.directory, 'town.ics'), calendarText(feedEvents(4)));
    const here = await syncing.open(yaml('there: { url: file:there.ics }'));
    const there = await other.open(
      'builtin: { timezone: Europe/Warsaw }\nsources: { here: { url: file:here.ics } }\nfeeds: { all: {} }\n',
    );
    await here.sync('town');
    for (const [app, title] of [
      [here, 'Made by hand here'],
      [there, 'Made by hand there'],
    ] as const)
      await app.site.write([
        {
          method: 'POST',
          path: '/events',
          body: {
            title,
            website: 'https://organizer.example/',
            start_date: '2027-04-01 18:00:00',
            end_date: '2027-04-01 19:00:00',
          },
        },
      ]);
    for (let round = 0; round < 3; round++) {
      await writeFile(path.join(other.directory, 'here.ics'), await feedOf(here));
      await there.sync('here');
      await writeFile(path.join(syncing.directory, 'there.ics'), await feedOf(there));
      const { problems } = await here.sync('there', true);
      expect(problems.filter(({ code }) => code === 'events-own')).toHaveLength(1);
      expect(await here.events()).toHaveLength(6);
      expect(await there.events()).toHaveLength(6);
    }
  } finally {
    await other.close();
  }
});

test('an event that comes back with another UID is recognized by its page', async () => {
  await writeFile(path.join(syncing.directory, 'town.ics'), calendarText(feedEvents(2)));
  const app = await syncing.open(yaml('loop: { url: file:loop.ics }'));
  await app.sync('town');
  const exported = await feedOf(app);
  await writeFile(
    path.join(syncing.directory, 'loop.ics'),
    exported.replace(/^UID:.{4}/gm, 'UID:far2').replace(/.@calsyncd/g, '2@calsyncd'),
  );
  expect(await app.sync('loop')).toMatchObject({ created: 0, problems: [{ code: 'events-own' }] });
  expect(await app.events()).toHaveLength(2);
});
