import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadRun } from '../../../src/run/state/records.ts';
import { commandIn, type Said } from '../../support/command.ts';
import { body, feedServer, type FeedServer } from '../../support/feed-server.ts';
import { calendarText, feedEvents, type FeedEvent } from '../../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

// What the command line says about a run that waits for a person.

let syncing: SyncingApp;
let feeds: FeedServer;
let app: OpenedApp;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  publish(feedEvents(8));
  app = await syncing.open(config());
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

const config = (): string =>
  'builtin: { timezone: Europe/Warsaw }\nfetch: { allow_addresses: ' +
  `[127.0.0.1/32] }\nsources: { town: { url: "${feeds.url}/town.ics", missing: ` +
  '{ after: 1 } } }\n';
const publish = (events: readonly FeedEvent[]): void => feeds.on('/town.ics', body(calendarText(events)));
const edit = (id: number, fields: Readonly<Record<string, unknown>>): Promise<unknown> =>
  app.site.write([{ method: 'POST', path: `/events/${id}`, body: fields }]);
const event = async (ending: string): Promise<Awaited<ReturnType<OpenedApp['events']>>[number]> =>
  (await app.events()).find(({ slug, title }) => slug.includes(ending) || title.endsWith(ending))!;
const command = (...words: readonly string[]): Promise<Said> => commandIn(syncing, config(), [...words, '--json']);

test('an empty argument names no run, even if there is only one', async () => {
  await app.sync('town');
  for (const verb of ['undo', 'approve', 'show', 'stop'])
    expect(await commandIn(syncing, config(), [verb, ''])).toMatchObject({
      code: 64,
      out: '',
      err: 'Name a run: the argument is empty. "npm run -s calsyncd -- runs" lists them.\n',
    });
});

test('a held undo says which run it takes back, and does not blame the feed', async () => {
  publish(feedEvents(20));
  const { run } = await app.sync('town');
  const { code, json } = await command('undo', run);
  expect({ code, runs: json.runs }).toMatchObject({ code: 2, runs: [{ state: 'held' }] });
  const does = `aking back ${run} would remove 20 of 20 coming events`;
  expect((await commandIn(syncing, config(), ['sources'])).out).toContain(`t${does}`);
  const shown = (await commandIn(syncing, config(), ['show', String(json.runs[0]?.['run'])])).out;
  expect(shown).not.toContain('missing');
  const decided = await command('reject', String(json.runs[0]?.['run']));
  expect({ code: decided.code, runs: decided.json.runs }).toMatchObject({ code: 0, runs: [{ state: 'rejected' }] });
  const rejected = await commandIn(syncing, config(), ['show', String(json.runs[0]?.['run'])]);
  expect(rejected.out).toContain(`It was on hold: T${does}.`);
});

test('a held undo supersedes the run that was held before', async () => {
  publish(feedEvents(20));
  const { run } = await app.sync('town');
  publish(feedEvents(20).filter((_, index) => index % 2 === 0));
  const held = await app.sync('town');
  const undo = String((await command('undo', run)).json.runs[0]?.['run']);
  const stateOf = async (each: string) => (await loadRun(app.state.database.query(), each))?.state;
  expect([held.state, await stateOf(held.run), await stateOf(undo)]).toEqual(['held', 'superseded', 'held']);
});

test('conflicts of a held run can be settled only once it is approved', async () => {
  await app.sync('town');
  const shown = await event('number 3');
  await edit(shown.id, { title: 'By hand' });
  publish(
    feedEvents(8).map((each, index) =>
      index === 3 ? { ...each, title: 'By the feed' } : { ...each, start: each.start!.replace('T18', 'T20') },
    ),
  );
  const said = async (...words: readonly string[]): Promise<string> => (await commandIn(syncing, config(), words)).out;
  const held = await said('sync');
  expect(held).toContain('1 in conflict; ON HOLD');
  const { run } = (await command('runs')).json.runs[0] as { run: string };
  const listed = `! conflict "By hand" (${shown.slug}): title is "By hand" on the site and "By the feed" in the feed`;
  expect(await said('show', run)).toContain(listed);
  for (const before of [held, await said('show', run)]) expect(before).not.toContain('-- settle');
  expect(await said('settle')).toContain('There are no conflicts');
  expect(await said('approve', run)).toContain('-- settle   lists what feed and site have both changed');
  expect(await said('settle')).toContain(`npm run -s calsyncd -- settle ${shown.slug} feed   (or site)`);
  expect(await said('doctor')).toContain('1 event of town was changed both in the feed and on the site: "By hand".');
});

test('a dry run that would be held says why, in JSON too', async () => {
  await app.sync('town');
  publish(feedEvents(8).filter((_, index) => index % 7 === 0));
  const said = (...options: readonly string[]): Promise<Said> => command('sync', 'town', ...options);
  const because = { code: 'held', message: expect.stringContaining('6 of 8 upcoming events') as string };
  for (const options of [['--dry-run'], []])
    expect(await said(...options)).toMatchObject({
      code: 2,
      json: { runs: [{ state: 'held', removed: 6, problems: [because] }] },
    });
});

describe('a held run', () => {
  test('is explained with each of its events, and once approved, its feed is the current one', async () => {
    publish([
      ...feedEvents(8),
      { uid: 'choir', title: 'Choir', start: '20270510T190000', lines: ['RRULE:FREQ=WEEKLY;COUNT=2'] },
    ]);
    await app.sync('town');
    const [gone, renamed] = [(await event('number 3')).slug, (await event('number 0')).slug];
    publish(
      feedEvents(8)
        .map((each, index) => (index === 0 ? { ...each, title: 'By the feed' } : each))
        .filter((_, index) => index % 7 === 0),
    );
    const { run } = await app.sync('town');
    expect((await command('explain', gone)).json).toMatchObject({
      feed: { presence: 'in the feed' },
      held: { run, action: 'remove', because: 'gone from the feed for 1 good fetch' },
    });
    expect((await commandIn(syncing, config(), ['explain', renamed])).out).toContain(
      `  held      update of title: changed in the feed\n    npm run -s calsyncd -- approve ${run}   does it`,
    );
    expect((await commandIn(syncing, config(), ['explain', (await event('choir')).slug])).out).toMatch(
      / {2}identity {2}uid choir, occurrence 2027\d{4}T190000, key \w{14}\n/,
    );
    expect((await commandIn(syncing, config(), ['explain', gone])).out).toMatch(
      /source +town, in the feed as it was last taken over \(line .*\), and missing for 1 good fetch since\n/,
    );
    await command('approve', run);
    const shown = (await commandIn(syncing, config(), ['show', run])).out;
    expect(shown).toMatch(/\n {2}It was on hold: The feed of town has lost \d of its \d+ coming events\.\n/);
    expect(shown).not.toContain('would');
    expect((await command('explain', gone)).json).toMatchObject({
      state: 'removed',
      held: null,
      feed: { presence: 'not in the feed any more', where: null },
    });
    await edit((await event(renamed)).id, { title: 'By hand' });
    expect((await commandIn(syncing, config(), ['settle', renamed, 'feed', '--field', 'title'])).out).toContain(
      `Settled ${renamed} for the feed.`,
    );
    expect((await event(renamed)).title).toBe('By the feed');
  });

  test('is reported with the commands to decide it, and shown with every action', async () => {
    await app.sync('town');
    publish(feedEvents(8).filter((_, index) => index % 7 === 0));
    const dry = (await commandIn(syncing, config(), ['sync', '--dry-run'])).out;
    expect(dry).toMatch(/^ {2}town +6 to remove, 2 unchanged; would be ON HOLD and need review\n/);
    const { code, out } = await commandIn(syncing, config(), ['sync']);
    const { run } = (await command('runs')).json.runs[0] as { run: string };
    expect({ code, out }).toEqual({
      code: 2,
      out: expect.stringContaining(
        `npm run -s calsyncd -- approve ${run}   writes it, reject ${run}   discards it`,
      ) as string,
    });
    const { json } = await command('show', run);
    expect(json['actions'] as readonly unknown[]).toMatchObject(
      Array.from({ length: 6 }, () => ({ kind: 'remove', stage: 'removals', outcome: null })),
    );
    expect((await commandIn(syncing, config(), ['show', run])).out).toMatch(
      /- remove "Event number 3" \(event-number-3-\w+\): gone from the feed for 1 good fetch/,
    );
    expect((await commandIn(syncing, config(), ['runs'])).out).toMatch(
      / held +6 to remove, 2 unchanged; ON HOLD: nothing was written, needs review\n/,
    );
    await command('reject', run);
    for (const words of [['runs'], ['show', run]])
      expect((await commandIn(syncing, config(), words)).out).toMatch(/2 unchanged; nothing was written[\n;]/);
    const { run: second } = await app.sync('town');
    expect(await command('approve', second)).toMatchObject({ code: 0, json: { runs: [{ run: second, removed: 6 }] } });
    expect((await command('show', second)).json['actions']).toMatchObject(
      Array.from({ length: 6 }, () => ({ kind: 'remove', outcome: { kind: 'done' } })),
    );
  });

  test('cannot be decided by the name of its source: the error lists its runs or says that none waits', async () => {
    await app.sync('town');
    publish(feedEvents(8).filter((_, index) => index % 7 === 0));
    const { run } = await app.sync('town');
    const several = /runs begin with "town"; the latest first:\n {2}town-/;
    expect(await commandIn(syncing, config(), ['approve', 'town'])).toMatchObject({
      code: 64,
      err: expect.stringMatching(several) as string,
    });
    await command('reject', run);
    for (const verb of ['approve', 'reject']) {
      expect(await commandIn(syncing, config(), [verb, 'town'])).toMatchObject({
        code: 64,
        out: '',
        err: expect.stringContaining(
          'No run of "town" waits for a decision. "npm run -s calsyncd -- runs town" lists them.',
        ) as string,
      });
      expect((await commandIn(syncing, config(), [verb, 'tow'])).err).toContain(
        'No run whose name begins with "tow" waits for a decision.',
      );
    }
    expect((await commandIn(syncing, config(), ['show', 'town'])).err).toMatch(several);
  });
});
