import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import about from '../../package.json' with { type: 'json' };
import { commandIn, type Said } from '../support/command.ts';
import { body, feedServer, status, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents, type FeedEvent } from '../support/feed-text.ts';
import { realSite, type RealSite, type RealSiteOptions } from '../support/real-site/real-site.ts';
import { syncingApp, type SyncingApp } from '../support/syncing-app.ts';
import { until } from '../support/until.ts';

// How a command carries out its runs: as fast as the site allows, with progress reports, and until it is told to stop.

let syncing: SyncingApp;
let feeds: FeedServer;
let real: RealSite | undefined;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
});
afterEach(async () => {
  await Promise.all([syncing.close(), feeds.close(), real?.close()]);
  real = undefined;
});

const openSite = async (options: RealSiteOptions = {}): Promise<RealSite> => {
  real = await realSite({ now: () => syncing.clock.now, latencyMs: 10, ...options });
  return real;
};

const yaml = (site: RealSite, sources: readonly string[], inFlight = 4): string => `site:
  url: "${site.root}"
  namespace: ${site.namespace}
  username: ${site.credentials.username}
  application_password: "${site.credentials.applicationPassword}"
  requests_in_flight: ${inFlight}
fetch: { allow_addresses: [127.0.0.1/32] }
sources:
${sources.map((name) => `  ${name}: { url: "${feeds.url}/${name}.ics", missing: { after: 1 } }`).join('\n')}
`;

const events = (count: number, source = 'town', lines: (index: number) => readonly string[] = () => []): FeedEvent[] =>
  feedEvents(count).map((event, index) => ({
    ...event,
    uid: `${source}-${event.uid}`,
    title: `${source} ${event.title}`,
    lines: [...lines(index)],
  }));
const publish = (source: string, of: readonly FeedEvent[]): void => feeds.on(`/${source}.ics`, body(calendarText(of)));
const eventsOn = (site: RealSite): number =>
  [...site.store().posts.values()].filter(({ type }) => type === 'events').length;
const titlesOn = (site: RealSite): readonly string[] =>
  [...site.store().posts.values()].filter(({ type }) => type === 'events').map(({ title }) => title);
const writesOf = (site: RealSite): readonly string[] => site.requests.filter((request) => request.startsWith('POST'));

describe('requests in flight', () => {
  test.each([1, 4, 6])('a run has %i writes under way if the site allows so many, and never more', async (inFlight) => {
    const site = await openSite();
    publish('town', events(200));
    expect(await commandIn(syncing, yaml(site, ['town'], inFlight), ['sync', '--json'])).toMatchObject({
      code: 0,
      json: { runs: [{ created: 200, problems: [] }] },
    });
    expect(site.writesAtOnce()).toBe(inFlight);
  });

  test('several sources share the limit of the site', async () => {
    const site = await openSite({ latencyMs: 100 });
    const names = ['town', 'club', 'theatre', 'school', 'library', 'church'];
    for (const name of names) publish(name, events(25, name));
    const { code, json } = await commandIn(syncing, yaml(site, names), ['sync', '--json']);
    expect({ code, runs: json.runs.map(({ source, created }) => [source, created]) }).toEqual({
      code: 0,
      runs: names.map((name) => [name, 25]),
    });
    expect(site.writesAtOnce()).toBe(4);
  });

  test('categories and venues are written before the first event', async () => {
    const site = await openSite();
    publish(
      'town',
      events(150, 'town', (index) => [`CATEGORIES:Kind ${index % 40}`, `LOCATION:Place ${index % 60}`]),
    );
    expect(await commandIn(syncing, yaml(site, ['town']), ['sync'])).toMatchObject({ code: 0 });
    const routes = writesOf(site).map((request) => /v1\/(\w+)/.exec(request)![1]!);
    for (const needed of ['categories', 'venues'])
      expect(routes.lastIndexOf(needed)).toBeLessThan(routes.indexOf('events'));
    expect(new Set(routes)).toEqual(new Set(['categories', 'venues', 'events']));
    expect(routes.filter((route) => route === 'events')).toHaveLength(150);
  });
});

/** Runs a command until a condition holds, then tells it to stop. */
async function stopped(config: string, words: readonly string[], when: (said: string) => boolean): Promise<Said> {
  let said = '';
  const asked = new AbortController();
  const stopping = new Promise<void>((resolve) => {
    asked.signal.addEventListener('abort', () => resolve());
  });
  const ending = commandIn(syncing, config, words, {
    err: (text) => {
      said += text;
    },
    stopped: stopping,
  });
  await until('the moment to stop', () => when(said) || undefined);
  asked.abort();
  return ending;
}

describe('a request to stop', () => {
  test('sync finishes the batches under way and says how to continue, and the next sync writes the rest', async () => {
    const site = await openSite();
    publish('town', events(400));
    const config = yaml(site, ['town'], 2);
    const said = await stopped(config, ['sync'], () => eventsOn(site) > 0);
    const written = eventsOn(site);
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThanOrEqual(100);
    expect(said).toMatchObject({
      code: 1,
      err: expect.stringContaining('finishing what is under way first. Press Ctrl-C again to stop at once.') as string,
    });
    expect(said.out).toContain(`${written} created`);
    expect(said.out).toContain(
      `Stopped on request, with ${written} events written. "npm run -s calsyncd -- sync town" continues with the rest`,
    );
    expect(await commandIn(syncing, config, ['sync', 'town', '--json'])).toMatchObject({ code: 0 });
    expect(new Set(titlesOn(site)).size).toBe(400);
    expect(eventsOn(site)).toBe(400);
    const {
      json: { runs },
    } = await commandIn(syncing, config, ['runs', '--json']);
    expect(runs.map(({ state, report }) => [state, (report as { created: number }).created])).toEqual([
      ['unchanged', 0],
      ['done', 400],
    ]);
  });

  test('forget leaves the rest to the next sync, even one of other sources', async () => {
    const site = await openSite({ latencyMs: 40 });
    for (const name of ['town', 'club']) publish(name, events(100, name));
    await commandIn(syncing, yaml(site, ['town', 'club']), ['sync']);
    const config = yaml(site, ['club'], 1);
    const trashed = (): number => site.person.events().filter(({ status }) => status === 'trash').length;
    const said = await stopped(config, ['forget', 'town', '--trash', '--yes'], () => trashed() > 0);
    const written = trashed();
    expect(written).toBeLessThan(100);
    expect(said).toMatchObject({ code: 1 });
    expect(said.out).toContain(`with ${written} events written. "npm run -s calsyncd -- sync" continues with the rest`);
    expect(said.out).toContain('town is not forgotten: not all of its events are moved yet. Run the command again.');
    expect(await commandIn(syncing, config, ['sync', '--json'])).toMatchObject({ code: 0 });
    expect(trashed()).toBe(100);
    expect((await commandIn(syncing, config, ['forget', 'town', '--trash', '--yes'])).out).toContain('Forgot town.');
  });

  test('ends the runs of all sources, and the next sync writes the rest', async () => {
    const site = await openSite({ latencyMs: 40 });
    const names = Array.from({ length: 8 }, (_, index) => `feed-${index}`);
    for (const name of names) publish(name, events(100, name));
    const {
      json: { runs },
    } = await stopped(yaml(site, names, 1), ['sync', '--json'], () => eventsOn(site) > 0);
    expect(runs.map(({ state, problems }) => [state, (problems as { code: string }[])[0]?.code])).toEqual(
      names.map(() => ['failed', 'stopped']),
    );
    expect(await commandIn(syncing, yaml(site, names, 8), ['sync'])).toMatchObject({ code: 0 });
    expect(eventsOn(site)).toBe(800);
  });

  test('sync that has not planned yet writes nothing', async () => {
    const site = await openSite();
    let asked = false;
    feeds.on(
      '/town.ics',
      () => {
        asked = true;
      },
      body(calendarText(events(3))),
    );
    const said = await stopped(yaml(site, ['town']), ['sync', '--json'], () => asked);
    expect(said).toMatchObject({
      code: 1,
      json: {
        runs: [
          {
            state: 'failed',
            problems: [
              { code: 'stopped', message: 'Stopped on request while town was being read: nothing was written.' },
            ],
          },
        ],
      },
    });
    expect(await commandIn(syncing, yaml(site, ['town']), ['sync', '--json'])).toMatchObject({
      code: 0,
      json: { runs: [{ state: 'unchanged', unchanged: 3 }] },
    });
    expect(eventsOn(site)).toBe(3);
  });

  test('approve and undo stop the same way, and the next sync completes what they began', async () => {
    const site = await openSite();
    publish('town', events(120));
    const config = yaml(site, ['town'], 1);
    await commandIn(syncing, config, ['sync']);
    publish('town', events(120).slice(100));
    const {
      json: {
        runs: [held],
      },
    } = await commandIn(syncing, config, ['sync', '--json']);
    expect(held).toMatchObject({ state: 'held' });
    const trashed = (): number => [...site.store().posts.values()].filter(({ status }) => status === 'trash').length;
    expect(await stopped(config, ['approve', String(held!['run'])], () => trashed() > 0)).toMatchObject({
      code: 1,
      out: expect.stringContaining('Stopped on request') as string,
    });
    expect(trashed()).toBeLessThan(100);
    await commandIn(syncing, config, ['sync']);
    expect(trashed()).toBe(100);
    expect(await stopped(config, ['undo', String(held!['run'])], () => trashed() < 100)).toMatchObject({
      code: 1,
      out: expect.stringContaining('Stopped on request') as string,
    });
    expect(trashed()).toBeGreaterThan(0);
    await commandIn(syncing, config, ['sync']);
    expect(trashed()).toBe(0);
  });
});

describe('waiting for a site', () => {
  test('a Retry-After of ten minutes is respected, and the reason printed at once', async () => {
    const site = await openSite();
    publish('town', events(60));
    site.fail(
      { kind: 'status', status: 503, retryAfter: '600' },
      { when: (method, path) => method === 'POST' && path.endsWith('/events'), after: 5 },
    );
    const said = await stopped(yaml(site, ['town']), ['sync'], (text) => text.includes('waiting'));
    expect(said.err).toMatch(
      /^ {2}town: waiting 10 min: .*127\.0\.0\.1:\d+ is busy or in maintenance \(503\) when writing .*\. It asks to wait 10 minutes\.$/m,
    );
    const before = writesOf(site).length;
    expect(said).toMatchObject({ code: 1, out: expect.stringContaining('continues with the rest') as string });
    expect(await commandIn(syncing, yaml(site, ['town']), ['sync', '--json'])).toMatchObject({ code: 0 });
    expect(writesOf(site).length).toBeGreaterThan(before);
    expect(eventsOn(site)).toBe(60);
  });

  test('short waits within a request are printed, too', async () => {
    const site = await openSite();
    publish('town', events(3));
    site.fail(
      { kind: 'status', status: 429, retryAfter: '3' },
      { when: (method, path) => method === 'GET' && path.endsWith('/events') },
    );
    const said = await commandIn(syncing, yaml(site, ['town']), ['sync']);
    expect(said).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^ {2}127\.0\.0\.1:\d+: waiting 3 s: it answered 429$/m) as string,
    });
  });
});

describe('publishers', () => {
  test('see the version of the program and whom to contact in the User-Agent', async () => {
    publish('town', events(1));
    const config =
      'builtin: { timezone: Europe/Warsaw }\nfetch: { contact: ops@town.example, allow_addresses: ' +
      `[127.0.0.1/32] }\nsources: { town: { url: "${feeds.url}/town.ics" } }\n`;
    await commandIn(syncing, config, ['sync']);
    await commandIn(syncing, config, ['preview', 'town']);
    expect(feeds.requests.map(({ headers }) => headers['user-agent'])).toEqual(
      Array(2).fill(`calsyncd/${about.version} (+ops@town.example)`),
    );
  });
});

describe('a source without events', () => {
  test('gives the reason in sync, in preview, and again when the feed is unchanged', async () => {
    feeds.on(
      '/town.ics',
      body(calendarText(events(3).map((event) => ({ ...event, start: '20260301T100000' }))), { etag: '"one"' }),
    );
    const config = `builtin: { timezone: Europe/Warsaw }\nfetch: { allow_addresses: [127.0.0.1/32] }\nsources: { town: { url: "${feeds.url}/town.ics" } }\n`;
    const reason = 'No event is left: all 3 events are over (the last one began on 2026-03-01).';
    for (const words of [['sync'], ['sync'], ['sync', '--dry-run', '--full'], ['preview', 'town']]) {
      const { code, out } = await commandIn(syncing, config, words);
      expect({ words, code, out }).toEqual({ words, code: 0, out: expect.stringContaining(`! ${reason}`) as string });
    }
  });
});

describe('times', () => {
  test("of runs and previews are in the site's time zone and say so; JSON has instants", async () => {
    const site = await openSite({ timezone: 'America/New_York' });
    publish(
      'town',
      events(1).map((event) => ({ ...event, start: '20270701T180000' })),
    );
    const config = `builtin: { timezone: Europe/Warsaw }\n${yaml(site, ['town'])}`;
    const {
      json: {
        runs: [report],
      },
    } = await commandIn(syncing, config, ['sync', '--json']);
    const run = String(report!['run']);
    const {
      json: {
        runs: [told],
      },
    } = await commandIn(syncing, config, ['runs', '--json']);
    const begun = String(told!['startedAt']);
    expect(begun).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/);
    const wall = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'America/New_York',
      dateStyle: 'short',
      timeStyle: 'short',
    }).format(new Date(begun));
    expect((await commandIn(syncing, config, ['runs'])).out).toMatch(new RegExp(`^${run} +${wall} E[SD]T +done`));
    expect((await commandIn(syncing, config, ['show', run])).out).toMatch(
      new RegExp(`began ${wall}:\\d\\d E[SD]T, ended ${wall.slice(0, 10)} \\d\\d:\\d\\d:\\d\\d E[SD]T`),
    );
    const slug = [...site.store().posts.values()].find(({ type }) => type === 'events')!.slug;
    expect((await commandIn(syncing, config, ['explain', slug])).out).toMatch(
      /fetched +\d{4}-\d\d-\d\d \d\d:\d\d, [^]*\nTimes are in America\/New_York\.\n$/,
    );
    expect((await commandIn(syncing, config, ['preview', 'town'])).out).toMatch(
      /shown in America\/New_York, 20.*\n {2}2027-07-01 \d\d:00 EDT {2,}town Event number 0/,
    );
    expect((await commandIn(syncing, config, ['preview', 'town', '--json'])).json['events']).toMatchObject([
      { start: expect.stringMatching(/^2027-07-01T\d\d:00:00Z$/) as string },
    ]);
  });

  test('of a site that was never reached are in UTC and say so', async () => {
    const site = await openSite();
    const config = yaml(site, ['town']);
    feeds.on('/town.ics', status(404));
    await commandIn(syncing, config, ['sync']);
    expect((await commandIn(syncing, config, ['runs'])).out).toMatch(/ \d\d:\d\d UTC +failed/);
  });
});
