import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { acquireLease, releaseLease } from '../../../src/run/state/lease.ts';
import { listActs } from '../../../src/run/watch/acts.ts';
import { isPaused } from '../../../src/run/watch/pauses.ts';
import { noteWorkerAlive } from '../../../src/run/watch/beat.ts';
import { signedInConsole, sourcesListed, type ConsoleClient } from '../../support/console.ts';
import { body, feedServer, status, type FeedServer } from '../../support/feed-server.ts';
import { comingEvents } from '../../support/coming.ts';
import { calendarText } from '../../support/feed-text.ts';
import { dayAfter, wallFromInstant } from '../../../src/time.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

// The list of sources, and what can be done with several of them.

let syncing: SyncingApp;
let feeds: FeedServer;
let app: OpenedApp;
let clerk: ConsoleClient;

beforeAll(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  syncing.clock.now = Date.now();
  feeds.on('/town.ics', body(calendarText(comingEvents(3))));
  feeds.on('/cinema.ics', status(403, 'go away'));
  app = await syncing.open(`builtin: { title: Town calendar, timezone: Europe/Warsaw }
fetch: { allow_addresses: [127.0.0.1/32] }
sources:
  town: { url: "${feeds.url}/town.ics?key=very-secret" }
  cinema: { url: "${feeds.url}/cinema.ics" }
  parish: { url: "${feeds.url}/parish.ics", every: 1d }
`);
  for (const source of ['town', 'cinema']) await app.sync(source);
  clerk = await signedInConsole(app, 'clerk', 'editor');
});
afterAll(() => Promise.all([syncing.close(), feeds.close()]));
beforeEach(async () => {
  syncing.clock.now = Date.now();
  // On a busy machine, the tests before may have taken longer than a worker may be silent.
  await noteWorkerAlive(app.state.database.query());
});

const isPausedNow = (source: string): Promise<boolean> =>
  isPaused(app.state.database.query(), { site: 'builtin', source });

describe('the list of sources', () => {
  test('shows the state of each and who must act, by urgency, and no secret of an address', async () => {
    const { html, text } = await clerk.get('/sources/');
    expect(sourcesListed(html)).toEqual(['cinema', 'parish', 'town']);
    expect(text).toContain('1 of 3 is well. 1 fails.');
    expect(text).toMatch(
      /failing The publisher must act: the address may not be read, since (?:yesterday )?\d\d:\d\d\./,
    );
    expect(text).toContain('new Not read yet. First run ');
    expect(text).toMatch(/well 3 coming events · \d+ s ago, next (?:tomorrow )?\d\d:\d\d/);
    expect(html).not.toContain('very-secret');
    expect(html).toContain('aria-label="town: last 1 run: 1 changed something"');
  });

  test('is filtered and sorted by its query parameters', async () => {
    expect(sourcesListed((await clerk.get('/sources/?state=failing')).html)).toEqual(['cinema']);
    expect(sourcesListed((await clerk.get('/sources/?sort=name&q=P')).html)).toEqual(['parish']);
    expect(sourcesListed((await clerk.get('/sources/?sort=changes')).html)).toEqual(['town', 'cinema', 'parish']);
    expect((await clerk.get('/sources/?q=nothing')).text).toContain('No source has “nothing” in its name here.');
  });

  test('pauses and resumes the ticked ones, and confirms it there', async () => {
    const paused = await clerk.post('/sources/?sort=name', {
      do: 'pause',
      source: ['town', 'parish', 'no-such-source'],
      until: '3d',
      reason: 'new roof',
    });
    expect(paused.to).toBe('/sources/?sort=name&said=paused:2');
    const { text } = await clerk.get(paused.to);
    expect(text).toContain('2 sources are paused.');
    expect(text).toMatch(/paused Until \w+day \d\d:\d\d, by clerk: “new roof”\./);
    expect([await isPausedNow('town'), await isPausedNow('parish'), await isPausedNow('cinema')]).toEqual([
      true,
      true,
      false,
    ]);
    const resumed = await clerk.post('/sources/?one=parish', { do: 'resume', source: ['town'] });
    expect([resumed.to, await isPausedNow('parish'), await isPausedNow('town')]).toEqual([
      '/sources/?said=resumed:1',
      false,
      true,
    ]);
    await clerk.post('/sources/', { do: 'resume', source: 'town' });
    expect(await isPausedNow('town')).toBe(false);
  });

  test.each([
    ['/sources/', 'Sources'],
    ['/sources/?state=you&q=to', 'Sources, need you, “to”'],
    ['/events/?view=list&source=town&state=conflict', 'Events: Coming events, town, conflict'],
    ['/events/?view=week&month=2026-11&week=2026-11-16', 'Events: Week of '],
    ['/runs/?show=held&source=town', 'Runs of town: held'],
  ])('the page %s has a title of its own', async (path, title) => {
    expect((await clerk.get(path)).html).toContain(`<title>${title}`);
  });

  test('offers no past day to pause until', async () => {
    const tomorrow = dayAfter(wallFromInstant(syncing.clock.now, 'Europe/Warsaw').slice(0, 10));
    for (const path of ['/sources/', '/sources/town/']) {
      const [, first = ''] = /name="day" min="([^"]+)"/.exec((await clerk.get(path)).html) ?? [];
      expect(first).toBe(tomorrow);
    }
  });

  test.each([
    [
      { do: 'pause', source: 'town', day: '2020-01-01' },
      'not-paused:0',
      'Nothing was paused: that moment is over already.',
    ],
    [{ do: 'pause', source: 'town', day: 'soon' }, 'unreadable:0', 'Nothing was paused: that is not a date.'],
    [{ do: 'check' }, 'none:0', 'Nothing was ticked, so nothing was done.'],
  ] as const)('%j does nothing, and says why', async (fields, said, words) => {
    const done = await clerk.post('/sources/', fields);
    expect(done.to).toBe(`/sources/?said=${said}`);
    expect((await clerk.get(done.to)).text).toContain(words);
    expect(await isPausedNow('town')).toBe(false);
  });

  test('starts runs of one source, or of all that fail', async () => {
    const before = feeds.requests.length;
    expect((await clerk.post('/sources/?one=town', { do: 'check' })).to).toBe('/sources/?said=checked:1');
    expect((await clerk.post('/sources/', { do: 'check-failing' })).to).toBe('/sources/?said=checked:1');
    expect(feeds.requests.slice(before).map(({ url = '' }) => url.replace(/\?.*/, ''))).toEqual([
      '/town.ics',
      '/cinema.ics',
    ]);
  });
});

describe('messages about runs, checks and the end of a pause are true', () => {
  const said = async (fields: Readonly<Record<string, string>>): Promise<string> => {
    const done = await resting.post('/sources/', fields);
    return (await resting.get(done.to)).html.split('role="status"')[1]?.split('</p>')[0]?.replace(/.*<p>/, '') ?? '';
  };
  let resting: ConsoleClient;
  let world: SyncingApp;
  let own: OpenedApp;
  beforeAll(async () => {
    world = await syncingApp();
    world.clock.now = Date.now();
    own = await world.open(`fetch: { allow_addresses: [127.0.0.1/32] }
sources:
  town: { url: "${feeds.url}/town.ics" }
  quiet: { url: "${feeds.url}/town.ics", paused: true }
`);
    resting = await signedInConsole(own, 'clerk', 'administrator');
  });
  afterAll(() => world.close());

  test('before anything has run', async () => {
    const { text } = await resting.get('/runs/');
    expect(text).toContain('Nothing has run yet.');
    expect(text).not.toContain('0 of 0');
  });

  test('when no worker is running', async () => {
    expect(await said({ do: 'check', source: 'town' })).toBe(
      'No worker of calsyncd is running. It is read as soon as one is.',
    );
    await noteWorkerAlive(own.state.database.query());
  });

  test('when a run is under way', async () => {
    const lease = { site: 'builtin', source: 'town', run: 'town-run' };
    await acquireLease(own.state.database, lease, own.context.member.id());
    const before = feeds.requests.length;
    expect(await said({ do: 'check', source: 'town' })).toBe(
      'A run of it was already under way, so no other was started. The result appears here.',
    );
    expect(feeds.requests).toHaveLength(before);
    expect(await listActs(own.state.database.query(), { source: 'town' }, 9)).toHaveLength(1);
    await releaseLease(own.state.database, 'town-run');
  });

  test('when the source is paused by a person, resumed already, or paused by the file', async () => {
    await said({ do: 'pause', source: 'town', until: '3d' });
    expect(await said({ do: 'check', source: 'town' })).toBe(
      'You asked for one run; the source stays paused. The result appears here.',
    );
    await said({ do: 'resume', source: 'town' });
    expect(await said({ do: 'resume', source: 'town' })).toBe('Nothing was done: it was no longer paused.');
    expect(await said({ do: 'resume', source: 'quiet' })).toBe(
      'Nothing was done: the configuration file pauses it, and “Paused” in its settings ends that.',
    );
    const { html } = await resting.get('/sources/quiet/');
    expect(html).not.toContain('value="resume"');
    expect(html).toContain('<a class="btn" href="/operator/sources/quiet/settings/">Settings</a>');
  });

  test('when the source is not in the file any more, or none fails', async () => {
    expect(await said({ do: 'check', source: 'theatre' })).toBe(
      'Nothing was done: it is no longer in the configuration.',
    );
    expect(await said({ do: 'check-failing' })).toBe('None fails any more, so nothing was done.');
  });
});
