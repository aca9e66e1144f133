import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandIn, type Said } from '../../support/command.ts';
import { calendarText, feedEvents, type FeedEvent } from '../../support/feed-text.ts';
import { realSite, type RealSite } from '../../support/real-site/real-site.ts';
import { START, syncingApp, type SyncingApp } from '../../support/syncing-app.ts';

// The database is lost and a backup restored, but the site has changed since that backup: people have worked there, and
// so has calsyncd. Nothing is overwritten, and nothing is duplicated.

let syncing: SyncingApp;
let elsewhere: SyncingApp;
let site: RealSite;

beforeAll(async () => {
  [syncing, elsewhere, site] = await Promise.all([syncingApp(), syncingApp(), realSite({ now: () => START })]);
});
afterAll(() => Promise.all([syncing.close(), elsewhere.close(), site.close()]));

const publish = async (events: readonly FeedEvent[]): Promise<void> => {
  for (const { directory } of [syncing, elsewhere])
    await writeFile(path.join(directory, 'town.ics'), calendarText(events));
};
const yaml = (): string => {
  const { username, applicationPassword } = site.credentials;
  return `site: { url: "${site.root}", namespace: ${site.namespace}, username: ${username}, application_password: "${applicationPassword}" }
sources: { town: { url: "file:town.ics", missing: { after: 1 } } }
`;
};
const sync = async (on: SyncingApp, ...words: readonly string[]): Promise<Said['json']['runs'][number]> =>
  (await commandIn(on, yaml(), ['sync', '--json', ...words])).json.runs[0]!;
const titles = (): readonly string[] =>
  site.person
    .events()
    .filter(({ status }) => status === 'publish')
    .map(({ title }) => title)
    .toSorted();
const slugOf = (title: string): string => site.person.events().find((event) => event.title === title)!.slug;

test('a restored ledger that is older than the site overwrites and duplicates nothing', async () => {
  const events = feedEvents(12);
  await publish(events.slice(0, 10));
  expect(await sync(syncing)).toMatchObject({ created: 10 });
  const file = path.join(syncing.directory, 'ledger.tar.zst');
  expect((await commandIn(syncing, yaml(), ['backup', file])).code).toBe(0);

  // The feed adds, renames and removes an event each. People edit one, trash one and add one of their own.
  const later = events
    .slice(0, 11)
    .filter((_, index) => index !== 1)
    .map((event, index) => (index === 0 ? { ...event, title: 'Renamed by the feed' } : event));
  await publish(later);
  expect(await sync(syncing)).toMatchObject({ created: 1, updated: 1, removed: 1 });
  site.person.edit(slugOf('Event number 4'), { title: 'Renamed by a person' });
  site.person.trash(slugOf('Event number 5'));
  site.person.addEvent({
    title: 'Of their own',
    start_date: '2027-03-09 18:00:00',
    end_date: '2027-03-09 19:00:00',
    status: 'publish',
  });
  const before = titles();
  expect(before).toHaveLength(10);

  const asked = (syncingApp: typeof syncing, ...words: readonly string[]) =>
    commandIn(syncingApp, yaml(), words, { ask: async () => 'n' });
  expect(await asked(syncing, 'backup', file)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/(?:^|\n)Nothing was done\.\n$/),
  });
  expect(await asked(elsewhere, 'restore', file)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/(?:^|\n)Nothing was done\.\n$/),
  });
  expect(await commandIn(elsewhere, yaml(), ['restore', file])).toMatchObject({
    code: 64,
    err: expect.stringMatching(
      /Everything that calsyncd keeps in the database .* will be replaced by .* add --yes to do it\.\n$/,
    ),
  });
  const { code, out } = await commandIn(elsewhere, yaml(), ['restore', file, '--yes']);
  expect([code, out]).toEqual([0, expect.stringContaining('The next start makes the schedules')]);
  // What calsyncd wrote after the backup is found on the site and belongs to it again.
  expect(await sync(elsewhere)).toMatchObject({ writes: 0, skipped: 1, unchanged: 9 });
  expect(titles()).toEqual(before);
  expect(await sync(elsewhere)).toMatchObject({ writes: 0, requests: 0, unchanged: 9 });
  expect(titles()).toEqual(before);

  // Later changes of the feed are written as usual.
  await publish(later.map((event, index) => (index === 0 ? { ...event, title: 'Renamed again' } : event)));
  expect(await sync(elsewhere)).toMatchObject({ created: 0, updated: 1, removed: 0 });
  expect(titles()).toEqual(
    before.map((title) => (title === 'Renamed by the feed' ? 'Renamed again' : title)).toSorted(),
  );
});
