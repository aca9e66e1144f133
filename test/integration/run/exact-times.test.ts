import { afterEach, beforeEach, expect, test } from 'vitest';
import { body, feedServer, type FeedServer } from '../../support/feed-server.ts';
import { calendarText, feedEvents } from '../../support/feed-text.ts';
import { realSite, type RealSite } from '../../support/real-site/real-site.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';
import { townOn } from '../../support/two-sites.ts';

// Which instants a real site makes of the local times and zones that it is sent.

let syncing: SyncingApp;
let feeds: FeedServer;
let real: RealSite;
beforeEach(async () => {
  [syncing, feeds, real] = await Promise.all([syncingApp(), feedServer(), realSite({ now: () => syncing.clock.now })]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close(), real.close()]));

const open = (): Promise<OpenedApp> => syncing.open(townOn('a real site', real, feeds));

// When clocks go back, programs disagree on which instant a repeated local time means.
test('a time in a repeated hour is the same instant on a real site as in the feed', async () => {
  feeds.on(
    '/town.ics',
    body(
      calendarText([]).replace(
        'END:VCALENDAR',
        [
          'BEGIN:VEVENT',
          'UID:warsaw',
          'SUMMARY:Warsaw',
          'DTSTART;TZID=Europe/Warsaw:20271031T023000',
          'DTEND;TZID=Europe/Warsaw:20271031T040000',
          'END:VEVENT',
          'BEGIN:VEVENT',
          'UID:new-york',
          'SUMMARY:New York',
          'DTSTART;TZID=America/New_York:20271106T230000',
          'DTEND;TZID=America/New_York:20271107T013000',
          'END:VEVENT',
          'END:VCALENDAR',
        ].join('\r\n'),
      ),
    ),
  );
  const app = await open();
  expect(await app.sync('town')).toMatchObject({ state: 'done', created: 2 });
  // RFC 5545, 3.3.5: the first of the two.
  const times = (await app.events()).map(({ title, utc_start_date: start, utc_end_date: end }) => [title, start, end]);
  expect(times.toSorted()).toEqual([
    ['New York', '2027-11-07 03:00:00', '2027-11-07 05:30:00'],
    ['Warsaw', '2027-10-31 00:30:00', '2027-10-31 03:00:00'],
  ]);
  expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0 });
});

test('a full comparison checks the instants of an event, too', async () => {
  feeds.on('/town.ics', body(calendarText(feedEvents(12))));
  const app = await open();
  await app.sync('town');
  const { slug, utcStart } = real.person.events()[3]!;
  // Like another program that changes only the zone.
  real.person.edit(slug, { utcStart: utcStart + 3_600_000 });
  expect(await app.sync('town', true)).toMatchObject({ state: 'done', updated: 1, problems: [] });
  expect(real.person.event(slug).utcStart).toBe(utcStart);
  expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0 });
});
