import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';

// Names are plain text in feeds and HTML on the site, and several runs may need the same one at the same time.

let syncing: SyncingApp;
beforeEach(async () => {
  syncing = await syncingApp();
});
afterEach(() => syncing.close());

const HEADER = 'title,start_date,end_date,venue,city,organizer\n';
const feed = (name: string, rows: readonly string[]): Promise<void> =>
  writeFile(path.join(syncing.directory, `${name}.csv`), HEADER + rows.map((row) => `${row}\n`).join(''));
const COLUMNS =
  'columns: { title: title, start_date: start_date, end_date: end_date, venue: venue, city: city, organizer: organizer }';
const open = (...names: readonly string[]): Promise<OpenedApp> =>
  syncing.open(
    `builtin: { timezone: Europe/Warsaw }\nsources:\n${names.map((name) => `  ${name}: { url: "file:${name}.csv", ${COLUMNS} }\n`).join('')}`,
  );
const listed = async <R extends 'venues' | 'organizers'>(
  { site }: OpenedApp,
  resource: R,
): Promise<readonly string[]> => {
  const names: string[] = [];
  for await (const item of site.list(resource, {})) names.push('venue' in item ? item.venue : item.organizer);
  return names.toSorted();
};

describe('runs at the same time', () => {
  test('create one venue and one organizer per name, and one venue per city', async () => {
    const names = ['north', 'south', 'west', 'east'];
    for (const name of names) {
      await feed(name, [
        `Fair in ${name},2027-03-01 10:00,2027-03-01 11:00,Main Library,${name},Society`,
        `Talk in ${name},2027-03-02 10:00,2027-03-02 11:00,Town Hall,,Society`,
      ]);
    }
    const app = await open(...names);
    const reports = await Promise.all(names.map((name) => app.sync(name)));
    expect(reports.map(({ state, created }) => ({ state, created }))).toEqual(
      names.map(() => ({ state: 'done', created: 2 })),
    );
    const venues = await listed(app, 'venues');
    expect(venues.filter((name) => name === 'Town Hall')).toHaveLength(1);
    expect(venues.filter((name) => /^Main Library(?: \((?:north|south|west|east)\))?$/.test(name))).toHaveLength(4);
    expect(new Set(venues).size).toBe(5);
    expect(await listed(app, 'organizers')).toEqual(['Society']);
  });
});

describe('a venue of the site without a city', () => {
  test('belongs to the city of its first events; another city gets a venue of its own', async () => {
    await feed('a', ['One,2027-03-01 10:00,2027-03-01 11:00,Town Hall,Krakow,']);
    await feed('b', ['Two,2027-03-02 10:00,2027-03-02 11:00,Town Hall,Gdansk,']);
    const app = await open('a', 'b');
    await app.site.write([{ method: 'POST', path: '/venues', body: { venue: 'Town Hall' } }]);
    for (const name of ['a', 'b']) await app.sync(name);
    await feed('a', [
      'One,2027-03-01 10:00,2027-03-01 11:00,Town Hall,Krakow,',
      'Three,2027-03-03 10:00,2027-03-03 11:00,Town Hall,Gdansk,',
      'Four,2027-03-04 10:00,2027-03-04 11:00,Town Hall,Krakow,',
    ]);
    await app.sync('a');
    for (const name of ['a', 'b']) expect(await app.sync(name, true)).toMatchObject({ state: 'unchanged', writes: 0 });
    expect(
      (await app.events())
        .map(
          ({ title, venue }) =>
            `${title}: ${[venue]
              .flat()
              .map((each) => each.venue)
              .join()}`,
        )
        .toSorted(),
    ).toEqual(['Four: Town Hall', 'One: Town Hall', 'Three: Town Hall (Gdansk)', 'Two: Town Hall (Gdansk)']);
  });
});

describe('a name', () => {
  test('that resembles one of the site is reported once, with the alias that links them', async () => {
    await feed('a', ['One,2027-03-01 10:00,2027-03-01 11:00,"Main Library, Old Town",,Jazz Club']);
    const app = await open('a');
    await app.site.write([
      { method: 'POST', path: '/venues', body: { venue: 'Main Library' } },
      { method: 'POST', path: '/organizers', body: { organizer: 'JazzClub' } },
    ]);
    const { problems } = await app.sync('a');
    expect(problems.map(({ code }) => code)).toEqual(['venue-near-match', 'organizer-near-match']);
    expect(await app.sync('a', true)).toMatchObject({ state: 'unchanged', problems: [] });
    const alias = problems.map(({ message }) => /: (\w+: \{ aliases: .*\})$/.exec(message)![1]!).join(', ');
    const linked = await syncing.open(
      `builtin: { timezone: Europe/Warsaw }\nsources:\n  a: { url: "file:a.csv", ${COLUMNS}, ${alias} }\n`,
    );
    expect(await linked.sync('a')).toMatchObject({ state: 'done', updated: 1, problems: [] });
    expect((await linked.events())[0]).toMatchObject({
      venue: { venue: 'Main Library' },
      organizer: [{ organizer: 'JazzClub' }],
    });
    expect(await linked.sync('a', true)).toMatchObject({ state: 'unchanged', problems: [] });
  });

  test('that looks like a numbered slug is not confused with that slug', async () => {
    await feed('a', ['One,2027-03-01 10:00,2027-03-01 11:00,Studio,Ada,']);
    await feed('b', ['Two,2027-03-02 10:00,2027-03-02 11:00,Studio 2,,']);
    const app = await open('a', 'b');
    await app.sync('a');
    const [write] = await app.site.write([{ method: 'POST', path: '/venues', body: { venue: 'Studio', city: 'Bea' } }]);
    expect(write).toMatchObject({ status: 201, body: { slug: 'studio-2' } });
    await app.sync('b');
    expect(await listed(app, 'venues')).toEqual(['Studio', 'Studio', 'Studio 2']);
  });

  test('keeps angle brackets and character references as the feed has them, and later runs write nothing', async () => {
    await feed('a', ['Java List<String> & 3 < 5,2027-03-01 10:00,2027-03-01 11:00,Room <A>,,R&amp;D <b>']);
    const app = await open('a');
    expect(await app.sync('a')).toMatchObject({ state: 'done', created: 1 });
    const [event] = await app.events();
    expect(event!.title).not.toContain('<');
    expect(event!.title).toMatch(
      /^Java List&lt;String&gt; &(?:#038|amp); 3 &lt; 5$|^Java List&lt;String> &(?:#038|amp); 3 &lt; 5$/,
    );
    expect(await app.sync('a', true)).toMatchObject({ state: 'unchanged', writes: 0 });
  });
});
