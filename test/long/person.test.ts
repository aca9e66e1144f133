import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandIn, type Said } from '../support/command.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents, type FeedEvent } from '../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';

// What people decide on the command line: settle, restore, adopt, forget; and what explain, doctor and preview show.

let syncing: SyncingApp;
let feeds: FeedServer;
let app: OpenedApp;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  publish(feedEvents(8));
  app = await syncing.open(config());
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

const config = (sources = `  town: { url: "${feeds.url}/town.ics", missing: { after: 1 } }\n`): string =>
  `builtin: { timezone: Europe/Warsaw }\nfetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n${sources}`;
const publish = (events: readonly FeedEvent[]): void => feeds.on('/town.ics', body(calendarText(events)));
const edit = (id: number, fields: Readonly<Record<string, unknown>>): Promise<unknown> =>
  app.site.write([{ method: 'POST', path: `/events/${id}`, body: fields }]);
const event = async (ending: string): Promise<Awaited<ReturnType<OpenedApp['events']>>[number]> =>
  (await app.events()).find(({ slug, title }) => slug.includes(ending) || title.endsWith(ending))!;

/** Runs a command with `--json`. */
const command = (...words: readonly string[]): Promise<Said> =>
  commandIn(syncing, lastConfig ?? config(), [...words, '--json']);
let lastConfig: string | undefined;
beforeEach(() => {
  lastConfig = undefined;
});

describe('settle', () => {
  /** The title of one event changes both in the feed and on the site. */
  async function conflict(): Promise<{ slug: string; id: number }> {
    await app.sync('town');
    const { slug, id } = await event('number 3');
    await edit(id, { title: 'By hand' });
    publish(
      feedEvents(8).map((each, index) =>
        index === 3 ? { ...each, title: 'By the feed', lines: ['DESCRIPTION:More'] } : each,
      ),
    );
    expect(await app.sync('town')).toMatchObject({ state: 'done', conflicts: 1, updated: 1 });
    expect((await event(slug)).title).toBe('By hand');
    return { slug, id };
  }

  test('lists only those fields of the times on which feed and site disagree', async () => {
    await app.sync('town');
    const { slug, id, start_date: start } = await event('number 3');
    await edit(id, { start_date: start.replace(/ \d\d/, ' 09'), end_date: start.replace(/ \d\d/, ' 10') });
    publish(feedEvents(8).map((each, index) => (index === 3 ? { ...each, start: '20270320T180000' } : each)));
    expect(await app.sync('town')).toMatchObject({ conflicts: 2 });
    const { out } = await commandIn(syncing, config(), ['settle']);
    expect(out).toContain('"Event number 3": start_date, end_date\n');
    expect(out).not.toContain('timezone');
    expect(out).toContain(`settle ${slug} feed`);
  });

  test('for the feed writes its value, and later changes in the feed are written', async () => {
    const { slug, id } = await conflict();
    expect(await command('settle')).toMatchObject({
      code: 0,
      json: {
        conflicts: [
          {
            source: 'town',
            slug,
            title: 'By hand',
            fields: ['title'],
            values: { title: { agreed: 'Event number 3', site: 'By hand', feed: 'By the feed' } },
            changedHere: { author: expect.any(String) as string },
            links: { page: expect.stringContaining(slug) as string },
          },
        ],
        more: 0,
      },
    });
    expect((await commandIn(syncing, config(), ['settle'])).out).toContain(
      '"By hand": title\n      title: was "Event number 3", on the site "By hand", in the feed "By the ' +
        `feed"\n    npm run -s calsyncd -- settle ${slug} feed   (or site)`,
    );
    const [{ run }] = (await command('runs')).json.runs as unknown as [{ run: string }];
    expect(await command('show', run)).toMatchObject({
      code: 0,
      json: { conflicts: [{ slug, field: 'title', feed: 'By the feed', site: 'By hand' }] },
    });
    expect((await commandIn(syncing, config(), ['show', run])).out).toContain(
      `! conflict "By hand" (${slug}): title is "By hand" on the site and "By the feed" in the feed; the site's stays`,
    );
    expect(await command('settle', slug, 'feed')).toMatchObject({
      code: 0,
      json: { runs: [{ source: 'town', state: 'done', updated: 1, writes: 1 }] },
    });
    expect(await event(slug)).toMatchObject({ id, title: 'By the feed' });
    publish(
      feedEvents(8).map((each, index) =>
        index === 3 ? { ...each, title: 'By the feed again', lines: ['DESCRIPTION:More'] } : each,
      ),
    );
    expect(await app.sync('town')).toMatchObject({ updated: 1, conflicts: 0 });
    expect(await event(slug)).toMatchObject({ title: 'By the feed again' });
  });

  test('for the site writes nothing, and nothing is left to settle', async () => {
    const { slug } = await conflict();
    expect(await command('settle', slug, 'site')).toMatchObject({ code: 0, json: { runs: [{ writes: 0 }] } });
    expect((await event(slug)).title).toBe('By hand');
    expect(await app.sync('town', true)).toMatchObject({ writes: 0, conflicts: 0 });
    expect(await command('settle', slug, 'site')).toMatchObject({
      code: 1,
      json: { runs: [{ state: 'failed', problems: [{ code: 'nothing-to-settle' }] }] },
    });
  });

  test('settles a single field, even without a conflict', async () => {
    await app.sync('town');
    const { slug, id } = await event('number 2');
    await edit(id, { title: 'By hand', start_date: '2027-06-01 10:00:00', end_date: '2027-06-01 11:00:00' });
    expect(await command('settle', slug, 'feed', '--field', 'start_date')).toMatchObject({ code: 0 });
    expect(await event(slug)).toMatchObject({
      title: 'By hand',
      start_date: '2027-03-03 18:00:00',
      end_date: '2027-03-03 19:00:00',
    });
    expect(await command('settle', slug, 'feed', '--field', 'cost')).toMatchObject({
      code: 1,
      json: { runs: [{ problems: [{ code: 'feed-silent' }] }] },
    });
    // The site has the value of the feed already: the command fails, and the history says so.
    expect(await command('settle', slug, 'feed', '--field', 'start_date')).toMatchObject({
      code: 1,
      json: { runs: [{ problems: [{ code: 'nothing-to-settle' }] }] },
    });
    expect((await commandIn(syncing, config(), ['explain', slug])).out).toMatch(
      /decided by people\n(?: +\S+ \S+ {2}\S+ decided for the feed \(failed\)\n){2} +\S+ \S+ {2}\S+ decided for the feed\n/,
    );
    expect(await command('settle', slug, 'feed', '--field', 'smell')).toMatchObject({ code: 64 });
    expect(await command('settle', slug, 'both')).toMatchObject({ code: 64 });
    expect(await command('settle', slug)).toMatchObject({
      code: 64,
      json: { error: { message: `Say who is right: "npm run -s calsyncd -- settle ${slug} feed", or "… site".` } },
    });
    expect(await command('settle', 'no-such-event', 'feed')).toMatchObject({
      code: 64,
      json: { error: { code: 'event-unknown' } },
    });
  });
});

describe('restore', () => {
  const trash = async (): Promise<{ slug: string; id: number }> => {
    await app.sync('town');
    const { slug, id } = await event('number 4');
    await app.site.write([{ method: 'DELETE', path: `/events/${id}` }]);
    expect(await app.sync('town', true)).toMatchObject({ skipped: 1, writes: 0 });
    return { slug, id };
  };

  test('brings back an event that a person removed, as the feed has it', async () => {
    const { slug, id } = await trash();
    expect(await command('restore')).toMatchObject({
      code: 0,
      json: { ignored: [{ source: 'town', slug, title: 'Event number 4' }] },
    });
    expect(await command('restore', slug)).toMatchObject({ code: 0, json: { runs: [{ state: 'done', updated: 1 }] } });
    expect(await command('restore')).toMatchObject({ json: { ignored: [] } });
    expect(await event(slug)).toMatchObject({ id, slug, status: 'publish' });
    expect(await app.sync('town', true)).toMatchObject({ writes: 0, skipped: 0, unchanged: 8 });
    expect(await command('restore', slug)).toMatchObject({
      code: 1,
      json: { runs: [{ problems: [{ code: 'not-ignored' }] }] },
    });
  });

  test('brings it back even before a run has noticed that it is gone', async () => {
    await app.sync('town');
    const { slug, id } = await event('number 4');
    await app.site.write([{ method: 'DELETE', path: `/events/${id}` }]);
    expect(await command('restore', slug)).toMatchObject({ code: 0, json: { runs: [{ state: 'done', updated: 1 }] } });
    expect(await event(slug)).toMatchObject({ id, slug, status: 'publish' });
    expect(await app.sync('town', true)).toMatchObject({ writes: 0, unchanged: 8 });
  });

  test('creates it again if the trash was emptied', async () => {
    const { slug } = await trash();
    await app.state.database.pool.query(`delete from site.events where status = 'trash'`);
    expect(await command('restore', slug)).toMatchObject({ code: 0, json: { runs: [{ created: 1 }] } });
    expect(await event(slug)).toMatchObject({ slug, title: 'Event number 4' });
    expect(await app.sync('town', true)).toMatchObject({ writes: 0 });
  });

  test('takes it out of the trash even if the feed no longer has it, and it stays', async () => {
    const { slug, id } = await trash();
    publish(feedEvents(8).filter((_, index) => index !== 4));
    await app.sync('town');
    expect(await command('restore', slug)).toMatchObject({ code: 0, json: { runs: [{ updated: 1 }] } });
    expect(await event(slug)).toMatchObject({ id, status: 'publish' });
    for (let round = 0; round < 3; round += 1) expect(await app.sync('town', true)).toMatchObject({ writes: 0 });
  });
});

describe('adopt', () => {
  const FIELDS = { start_date: '2027-03-02 18:00:00', end_date: '2027-03-02 19:00:00', timezone: 'Europe/Warsaw' };

  test('takes over events that people created, keeps their addresses, and fills only empty fields', async () => {
    await app.site.write([
      { method: 'POST', path: '/events', body: { ...FIELDS, title: 'Event number 1', description: 'By hand' } },
      {
        method: 'POST',
        path: '/events',
        body: {
          ...FIELDS,
          title: 'event NUMBER 2!',
          start_date: '2027-03-03 18:00:00',
          end_date: '2027-03-03 19:00:00',
        },
      },
      { method: 'POST', path: '/events', body: { ...FIELDS, title: "Somebody else's" } },
      {
        method: 'POST',
        path: '/events',
        body: {
          ...FIELDS,
          title: 'Event number 0',
          start_date: '2027-03-05 18:00:00',
          end_date: '2027-03-05 19:00:00',
        },
      },
    ]);
    const before = await app.events();
    publish(feedEvents(3).map((each) => ({ ...each, lines: ['DESCRIPTION:By the feed'] })));
    const preview = await command('adopt', 'town');
    expect(preview).toMatchObject({ code: 2, json: { adopted: ['event-number-1', 'event-number-2'], problems: [] } });
    expect(
      (preview.json['plan'] as { slug: string; fields: object }[]).map(({ slug, fields }) => [
        slug,
        Object.keys(fields),
      ]),
    ).toEqual([['event-number-2', ['description']]]);
    expect(await app.events()).toEqual(before);
    expect(await command('adopt', 'town', '--yes')).toMatchObject({
      code: 0,
      json: { runs: [{ state: 'done', created: 0, updated: 1, removed: 0 }] },
    });
    const ids = (await app.events()).map(({ id, slug }) => [id, slug]);
    expect(ids).toEqual(before.map(({ id, slug }) => [id, slug]));
    expect((await event('event-number-1')).description).toContain('By hand');
    expect((await event('event-number-2')).description).toContain('By the feed');
    // The first sync creates only what nobody had created; the adopted events follow the feed from now on.
    expect(await app.sync('town')).toMatchObject({ created: 1, updated: 0, removed: 0 });
    publish(
      feedEvents(3).map((each, index) => ({
        ...each,
        title: index === 1 ? 'Renamed' : each.title!,
        lines: ['DESCRIPTION:By the feed'],
      })),
    );
    expect(await app.sync('town')).toMatchObject({ created: 0, updated: 1, conflicts: 0 });
    expect(await event('Renamed')).toMatchObject({ slug: 'event-number-1' });
    expect(await command('adopt', 'town')).toMatchObject({ code: 0, json: { adopted: [] } });
  });

  test('reports a conflict if a venue has only its name in common with that of the feed', async () => {
    const venue = { venue: { venue: 'Town Hall' } };
    publish(feedEvents(3).map((each) => ({ ...each, lines: ['LOCATION:Town Hall'] })));
    await app.site.write([
      { method: 'POST', path: '/venues', body: { venue: 'Town Hall' } },
      { method: 'POST', path: '/events', body: { ...FIELDS, ...venue, title: 'Event number 1' } },
    ]);
    expect((await commandIn(syncing, config(), ['adopt', 'town', '--dry-run'])).out).toContain(
      "(event-number-1): venue is something else on the site and Town Hall in the feed; the site's stays\n",
    );
    expect(await command('adopt', 'town', '--yes')).toMatchObject({ json: { runs: [{ conflicts: 1 }] } });
    expect((await commandIn(syncing, config(), ['settle'])).out).toContain(
      'on the site ["Town Hall"], in the feed another ["Town Hall"]\n',
    );
  });

  test('asks for confirmation in a terminal after showing what it would do', async () => {
    await app.site.write([{ method: 'POST', path: '/events', body: { ...FIELDS, title: 'Event number 1' } }]);
    publish(feedEvents(3));
    const asked: string[] = [];
    const adopt = (answer: string, ...words: readonly string[]) =>
      commandIn(syncing, config(), ['adopt', 'town', ...words], {
        ask: async (question) => {
          asked.push(question);
          return answer;
        },
      });
    expect(await adopt('y', '--dry-run')).toMatchObject({ code: 2, out: expect.stringContaining('--yes   does it') });
    expect(asked).toEqual([]);
    expect(await adopt('n')).toMatchObject({ code: 1, err: 'Nothing was done.\n' });
    expect(asked).toEqual(['town takes 1 event over, and changes it from now on. Do it? [y/N] ']);
    expect(await adopt('y')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/\nAdopted 1 event that others made\.\n$/),
    });
  });

  test('tells events apart by their venue, and leaves those that it cannot tell apart', async () => {
    const at = async (venue: string, title: string): Promise<unknown> =>
      app.site.write([{ method: 'POST', path: '/events', body: { ...FIELDS, title, venue: { venue } } }]);
    for (const venue of ['Park', 'Hall']) await at(venue, 'Concert');
    for (const venue of ['Here', 'There']) await at(venue, 'Talk');
    publish([
      { uid: 'hall', title: 'Concert', start: '20270302T180000', lines: ['LOCATION:Hall'] },
      { uid: 'park', title: 'Concert', start: '20270302T180000', lines: ['LOCATION:Park'] },
      { uid: 'talk', title: 'Talk', start: '20270302T180000' },
    ]);
    const { code, json } = await command('adopt', 'town');
    expect({ code, adopted: json['adopted'] }).toEqual({ code: 2, adopted: ['concert-2', 'concert'] });
    expect((await commandIn(syncing, config(), ['adopt', 'town', '--yes'])).out).toMatch(
      /\nAdopted 2 events that others made\.\n$/,
    );
    expect(json['problems']).toMatchObject([
      { code: 'ambiguous-pair', message: expect.stringContaining('"Talk"') as string },
    ]);
  });

  test('leaves a draft that has no address yet, and adopts it once it is published', async () => {
    const [made] = await app.site.write([
      { method: 'POST', path: '/events', body: { ...FIELDS, title: 'Event number 1', status: 'draft' } },
    ]);
    const { id } = (made as unknown as { readonly body: { readonly id: number } }).body;
    publish(feedEvents(3).map((each) => ({ ...each, lines: ['DESCRIPTION:By the feed'] })));
    const left = { code: 'event-without-address', message: expect.stringContaining('"Event number 1"') as string };
    expect(await command('adopt', 'town')).toMatchObject({ code: 0, json: { adopted: [], problems: [left] } });
    expect((await commandIn(syncing, config(), ['adopt', 'town'])).out).toMatch(
      /^Nothing can be adopted:\n {2}! "Event/,
    );
    await app.site.write([{ method: 'POST', path: `/events/${id}`, body: { status: 'publish' } }]);
    expect(await command('adopt', 'town', '--yes')).toMatchObject({ code: 0, json: { runs: [{ updated: 1 }] } });
    expect(await event('event-number-1')).toMatchObject({ id });
  });
});

describe('forget', () => {
  const without = (): void => {
    lastConfig = config(`  other: { url: "${feeds.url}/other.ics" }\n`);
  };

  test('shows the number of events first, and leaves them on the site', async () => {
    await app.sync('town');
    expect(await command('forget', 'town')).toMatchObject({ code: 64 });
    without();
    expect(await command('forget', 'town')).toMatchObject({
      code: 2,
      json: { forgotten: false, sites: [{ kept: 8 }] },
    });
    expect(await command('forget', 'town', '--yes')).toMatchObject({ code: 0, json: { forgotten: true, runs: [] } });
    expect(await app.events()).toHaveLength(8);
    expect(await command('forget', 'town')).toMatchObject({ code: 64, json: { error: { code: 'source-unknown' } } });
  });

  test('moves all events to the trash on request, including past ones, even if a person has trashed one already', async () => {
    await app.sync('town');
    syncing.clock.now = Date.UTC(2027, 2, 4);
    await app.site.write([{ method: 'DELETE', path: `/events/${(await event('number 6')).id}` }]);
    without();
    expect(await command('forget', 'town', '--trash', '--yes')).toMatchObject({
      code: 0,
      json: { forgotten: true, runs: [{ state: 'done', removed: 7 }] },
    });
    expect(await app.events()).toEqual([]);
  });

  test('can be undone without the source, which has its events back once it is configured again', async () => {
    await app.sync('town');
    const before = await app.events();
    without();
    const { run } = (await command('forget', 'town', '--trash', '--yes')).json.runs[0] as { run: string };
    expect(await command('undo', run)).toMatchObject({ code: 0, json: { runs: [{ updated: 8, problems: [] }] } });
    expect((await app.events()).map(({ id, slug, status }) => [id, slug, status])).toEqual(
      before.map(({ id, slug, status }) => [id, slug, status]),
    );
    lastConfig = undefined;
    publish(feedEvents(8).map((each, index) => (index === 3 ? { ...each, title: 'By the feed' } : each)));
    expect(await app.sync('town')).toMatchObject({ created: 0, updated: 1, unchanged: 7 });
  });
});

describe('explain', () => {
  test('names only those fields of the times that conflict', async () => {
    await app.sync('town');
    const { slug, id } = await event('number 3');
    await edit(id, { start_date: '2027-03-04 17:30:00' });
    publish(feedEvents(8).map((each, index) => (index === 3 ? { ...each, lines: ['DTEND:20270304T200000Z'] } : each)));
    expect(await app.sync('town')).toMatchObject({ conflicts: 2 });
    const { json } = await command('explain', slug);
    expect(json).toMatchObject({
      conflicts: ['start_date', 'end_date'],
      whyNotNewer: [expect.stringMatching('^start_date, end_date: changed here and in the feed')],
      fields: { timezone: { conflict: false }, all_day: { conflict: false } },
    });
  });

  test('shows what is stored about an event whose source is no longer configured', async () => {
    await app.sync('town');
    const { slug } = await event('number 3');
    lastConfig = config(`  other: { url: "${feeds.url}/other.ics" }\n`);
    expect(await command('explain', slug)).toMatchObject({
      code: 0,
      json: {
        source: 'town',
        state: 'kept',
        onSite: 'publish',
        feed: { presence: 'the source "town" is not in the configuration', where: null },
        fields: { title: { origin: 'feed', site: 'Event number 3' } },
        runs: [{ action: 'create' }],
      },
    });
    const { out } = await commandIn(syncing, lastConfig, ['explain', slug]);
    expect(out).toMatch(/ site .* on the site as its source left it; there now: publish\n/);
  });

  test('shows source, line, identity, rules, the origin of each field, and the runs', async () => {
    publish(feedEvents(8).map((each) => ({ ...each, lines: ['DESCRIPTION:By the feed'] })));
    await app.sync('town');
    const { slug, id } = await event('number 3');
    await edit(id, { title: 'By hand' });
    publish(
      feedEvents(8).map((each, index) => ({
        ...each,
        title: index === 3 ? 'By the feed' : each.title!,
        lines: ['DESCRIPTION:Another one'],
      })),
    );
    const { run } = await app.sync('town');
    const { code, json } = await command('explain', slug);
    expect(code).toBe(0);
    expect((await commandIn(syncing, config(), ['explain', slug])).out).toMatch(/^"By hand" /);
    expect(json).toMatchObject({
      slug,
      id,
      source: 'town',
      site: 'builtin',
      state: 'kept',
      onSite: 'publish',
      identity: { rung: 'uid', identity: 'event-3@feed.example', key: slug.slice(-14) },
      feed: {
        presence: 'in the feed',
        missing: 0,
        where: { uid: 'event-3@feed.example', line: expect.any(Number) as number },
      },
      fields: {
        title: {
          origin: 'person',
          site: 'By hand',
          feed: 'By the feed',
          agreed: 'Event number 3',
          conflict: true,
          locked: false,
          authority: 'preserve',
          from: [{ name: 'SUMMARY', text: 'SUMMARY:By the feed' }],
        },
        description: { origin: 'feed', from: [{ name: 'DESCRIPTION' }], rules: [] },
        start_date: { origin: 'feed', site: '2027-03-04 18:00:00' },
        cost: { origin: 'site', from: [] },
      },
      // The last run wrote the event after the edit.
      changedHere: null,
      links: {
        page: expect.stringContaining(`/event/${slug}/`) as string,
        editor: expect.stringMatching(/\/edit\/event\/\d+\/$/) as string,
      },
      whyNotNewer: ["title: changed here and in the feed. The site's stays until somebody settles it."],
      edits: ['title'],
      conflicts: ['title'],
      rules: ['when it is gone from the feed for 1 good fetch: trash'],
      runs: [
        {
          run,
          action: 'update',
          fields: ['description'],
          changes: { description: { to: '<p>Another one</p>' } },
          because: 'changed in the feed',
          outcome: 'done',
        },
        { action: 'create', because: 'new in the feed' },
      ],
    });
    publish(feedEvents(8).filter((_, index) => index !== 3));
    await app.sync('town');
    expect((await command('explain', slug)).json).toMatchObject({
      state: 'removed',
      onSite: 'trash',
      feed: { where: null, presence: 'not in the feed any more' },
    });
    expect(await command('explain', 'no-such-event')).toMatchObject({ code: 64 });
  });

  test("shows which rules touched an event, read as its publisher's address suggests", async () => {
    // Only The Events Calendar, recognised here by the feed's address, writes a venue's name and address in one line.
    publish(
      feedEvents(2).map((each, index) => ({
        ...each,
        lines: [
          `URL:https://town.example/e/${index}`,
          index === 0 ? 'LOCATION:Main Hall, Street 1, Town' : 'LOCATION:Elsewhere',
        ],
      })),
    );
    lastConfig = config(
      `  listed: { url: "${feeds.url}/town.ics?ical=1", set: [{ when: [{ field: venue, matches: "^Main Hall$" }], add_tags: [hall] }] }\n`,
    );
    const listed = await syncing.open(lastConfig);
    await listed.sync('listed');
    const slugs = (await listed.events())
      .toSorted((one, other) => (one.title < other.title ? -1 : 1))
      .map(({ slug }) => slug);
    expect((await command('explain', slugs[0]!)).json).toMatchObject({
      identity: { rung: 'url' },
      feed: { presence: 'in the feed', touchedBy: [expect.stringContaining('tag')] },
      fields: {
        tags: { rules: ['set 1: tags'], names: { site: ['hall'], feed: ['hall'] } },
        venue: { names: { site: ['Main Hall'], feed: ['Main Hall'] } },
      },
    });
    expect((await command('explain', slugs[1]!)).json).toMatchObject({
      feed: { presence: 'in the feed', touchedBy: [] },
    });
  });
});

describe('an argument that names nothing', () => {
  test.each([
    ['show', 'x'],
    ['approve', 'x'],
    ['reject', 'x'],
    ['undo', 'x'],
    ['explain', 'x'],
    ['restore', 'x'],
    ['settle', 'x', 'site'],
    ['adopt', 'x'],
    ['forget', 'x'],
    ['sync', 'x'],
    ['runs', 'x'],
    ['export', 'x'],
  ])('counts as wrong use of %s', async (...words) => {
    const { code, json } = await command(...words);
    expect({ code, json }).toMatchObject({
      code: 64,
      json: { error: { code: expect.any(String) as string, message: expect.stringContaining('"x"') as string } },
    });
  });
});

describe('doctor', () => {
  test('tests everything and writes nothing', async () => {
    const revision = await app.sites.builtin.revision();
    const { code, json } = await command('doctor');
    expect({ code, json }).toMatchObject({
      code: 0,
      json: {
        ok: true,
        problems: [],
        database: { ok: true },
        queue: { kind: 'postgresql' },
        sites: [
          { ok: true, batch: true, may_write: true, may_publish: true, per_page: 200, timezone: 'Europe/Warsaw' },
        ],
        sources: [{ name: 'town', events: 8 }],
      },
    });
    expect(await app.sites.builtin.revision()).toBe(revision);
  });

  test('names venues that resemble one of the site', async () => {
    await app.site.write([{ method: 'POST', path: '/venues', body: { venue: 'Main Library' } }]);
    publish([{ uid: 'a', lines: ['LOCATION:Main Library\\, City'] }]);
    const { json } = await command('doctor');
    expect(json).toMatchObject({
      ok: true,
      sources: [
        {
          remarks: [
            {
              code: 'venue-near-match',
              message: expect.stringContaining(
                'venue: { aliases: { "Main Library, City": "Main Library" } }',
              ) as string,
            },
          ],
        },
      ],
    });
    expect((await commandIn(syncing, config(), ['doctor'])).out).toMatch(
      /^ {4}~ The feed's venue "Main Library, City" is one of its own/m,
    );
  });

  test('lists the first problems of a feed, and says how to see all of them', async () => {
    publish(feedEvents(5).map((each) => ({ ...each, lines: [`URL:nowhere ${each.uid}`] })));
    const { out } = await commandIn(syncing, config(), ['doctor']);
    expect(out).toMatch(
      /5 events, 0 left out, 5 remarks\n(?: {4}~ URL is not a web address: .* \(line \d+, UID .*\)\n){3}/,
    );
    expect(out).toMatch(/^ {4}~ and 2 more: "npm run -s calsyncd -- preview town" lists them\.$/m);
    const { out: preview } = await commandIn(syncing, config(), ['preview', 'town']);
    expect(preview.match(/! URL is not a web address/g)).toHaveLength(5);
  });

  test('reports what does not work', async () => {
    lastConfig = config(`  gone: { url: "${feeds.url}/gone.ics" }\n`);
    expect(await command('doctor')).toMatchObject({
      code: 1,
      json: {
        ok: false,
        problems: [{ code: 'feed-not-found', message: expect.stringContaining('source gone') as string }],
      },
    });
  });
});

describe('preview', () => {
  test('shows what a feed would become, in the documented JSON format', async () => {
    feeds.on(
      '/some.ics',
      body(
        calendarText([
          {
            uid: 'a',
            title: 'Jazz',
            start: '20270201T180000',
            lines: [
              'LOCATION:Hall',
              'CATEGORIES:Music',
              'URL:https://feed.example/a',
              'ORGANIZER;CN=Club:mailto:club@feed.example',
            ],
          },
          {
            uid: 'b',
            title: 'Weekly',
            start: '20270202T180000',
            lines: ['RRULE:FREQ=WEEKLY;COUNT=2', 'STATUS:CANCELLED'],
          },
        ]).replace(
          'END:VCALENDAR',
          'BEGIN:VEVENT\r\nUID:days\r\nDTSTART;VALUE=DATE:20270301\r\nDTEND;VALUE=DATE:20270303\r\nSUMMARY:Days\r\nEND:VEVENT\r\nEND:VCALENDAR',
        ),
      ),
    );
    const { code, json } = await command(
      'preview',
      `${feeds.url}/some.ics`,
      '--from',
      '2027-01-01',
      '--to',
      '2027-12-31',
      '--all',
    );
    expect({ code, json }).toMatchObject({
      code: 0,
      json: {
        profile: '-//test//test//EN',
        timezone: 'Europe/Warsaw',
        window: { from: '2026-12-31T23:00:00Z', to: '2027-12-31T23:00:00Z' },
        source: { format: 'ical' },
      },
    });
    expect(json['events']).toEqual([
      {
        uid: 'a',
        recurrence_id: null,
        start: '2027-02-01T17:00:00Z',
        end: '2027-02-01T18:00:00Z',
        all_day: false,
        timezone: 'Europe/Warsaw',
        title: 'Jazz',
        status: 'confirmed',
        venue: 'Hall',
        organizers: ['Club'],
        categories: ['Music'],
        url: 'https://feed.example/a',
      },
      {
        uid: 'b',
        recurrence_id: '2027-02-02T17:00:00Z',
        start: '2027-02-02T17:00:00Z',
        end: '2027-02-02T18:00:00Z',
        all_day: false,
        timezone: 'Europe/Warsaw',
        title: 'Weekly',
        status: 'cancelled',
        venue: null,
        organizers: [],
        categories: [],
        url: null,
      },
      {
        uid: 'b',
        recurrence_id: '2027-02-09T17:00:00Z',
        start: '2027-02-09T17:00:00Z',
        end: '2027-02-09T18:00:00Z',
        all_day: false,
        timezone: 'Europe/Warsaw',
        title: 'Weekly',
        status: 'cancelled',
        venue: null,
        organizers: [],
        categories: [],
        url: null,
      },
      {
        uid: 'days',
        recurrence_id: null,
        start: '2027-03-01',
        end: '2027-03-03',
        all_day: true,
        timezone: expect.any(String) as string,
        title: 'Days',
        status: 'confirmed',
        venue: null,
        organizers: [],
        categories: [],
        url: null,
      },
    ]);
    expect(await app.events()).toEqual([]);
  });

  test('accepts a file or a source, and says why a feed cannot be read', async () => {
    const file = path.join(syncing.directory, 'file.ics');
    await writeFile(file, calendarText(feedEvents(2)));
    expect((await command('preview', file)).json['events']).toHaveLength(2);
    expect((await command('preview', 'town')).json['events']).toHaveLength(8);
    expect(await command('preview', `${feeds.url}/nothing.ics`)).toMatchObject({
      code: 1,
      json: { events: [], problems: [{ code: 'feed-not-found' }] },
    });
    expect(await command('preview', file, '--from', 'tomorrow')).toMatchObject({ code: 64 });
    await writeFile(
      file,
      ['BEGIN:VCALENDAR', 'PRODID:-//Google Inc//Google Calendar 70.9054//EN', 'END:VCALENDAR'].join('\r\n'),
    );
    expect((await command('preview', file)).json).toMatchObject({ profile: 'Google Calendar', rules: [] });
    await writeFile(
      file,
      '<!doctype html><title>Town</title><link rel="alternate" type="text/calendar" href="https://town.example/a.ics">',
    );
    expect((await command('preview', file)).json).toMatchObject({
      problems: [
        {
          code: 'not-a-calendar',
          message: 'This is a web page ("Town"), not a calendar: its feed is https://town.example/a.ics.',
        },
      ],
    });
  });
});
