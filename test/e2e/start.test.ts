import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { calendarText, feedEvents } from '../support/feed-text.ts';
import { programHome, type Home } from '../support/daemon.ts';
import { realSite } from '../support/real-site/real-site.ts';
import { get, list, told, TOWN, townHome } from '../support/town.ts';
import { until } from '../support/until.ts';

// The spawned program, as a person starts, uses and stops it.

let home: Home | undefined;
afterEach(async () => {
  await home?.close();
  home = undefined;
});

/** A place that is closed after the test. */
async function openTown(yaml?: string, as?: readonly string[]): Promise<Home> {
  home = await townHome(yaml, as);
  return home;
}

/** The lines of the first runs: which source is first is chance, and how many events it has the day's. */
const counted = (text: string): readonly string[] =>
  (text.split('The first runs:\n')[1]?.split('\n```')[0] ?? '')
    .trimEnd()
    .replaceAll(/\d+/g, '9')
    .split('\n')
    .toSorted();

describe('the daemon', () => {
  test('starts in an empty directory, says what it did and where to look, and goes on where it was', async () => {
    const place = await openTown();
    const first = place.start();
    const firstMs = await first.ready();
    expect(first.stdout()).toMatch(/^calsyncd keeps "Town calendar" in step with 2 sources of \S+calsyncd\.yaml\n/);
    expect(first.stdout()).toMatch(/library +12 created/);
    expect(first.stdout()).toMatch(/club +2 created/);
    const [screen] = first.stdout().split('The first runs:');
    for (const path of ['/', '/api/', '/feeds/']) {
      // Before the first run has ended.
      expect(screen).toContain(`${first.url}${path}\n`);
      expect((await get(first, path)).status).toBe(200);
    }
    expect(await (await get(first, '/api/')).json()).toMatchObject({
      name: 'Town calendar',
      namespaces: expect.arrayContaining(['calendar/events/v1']) as unknown,
    });
    const before = await list(first);
    expect(before.total).toBe(14);
    expect(await first.stop('SIGTERM')).toMatchObject({ code: 0 });
    expect(place.processes()).toEqual([]);

    const second = place.start();
    const secondMs = await second.ready();
    told(`start: ${Math.round(firstMs)} ms in an empty directory, ${Math.round(secondMs)} ms in a used one`);
    expect(second.stdout()).toMatch(/library +12 unchanged/);
    expect(await list(second)).toEqual(before);
    expect(await second.stop('SIGINT')).toMatchObject({ code: 0 });
    expect(place.processes()).toEqual([]);
  });

  test('tells in one JSON value what the first runs did, answers probes and conditional requests, and syncs again by itself', async () => {
    const place = await openTown(TOWN.replace('missing: { after: 1 }', 'every: 1s, missing: { after: 1 }'));
    const daemon = place.start(['--json']);
    const { url, runs } = await until('the JSON', () => {
      try {
        return JSON.parse(daemon.stdout()) as { url: string; runs: { source: string; created: number }[] };
      } catch {
        return undefined;
      }
    });
    expect(url).toBe(`${daemon.url}/`);
    expect(runs.map(({ source, created }) => [source, created]).toSorted()).toEqual([
      ['club', 2],
      ['library', 12],
    ]);

    expect(await (await get(daemon, '/healthz')).text()).toBe('ok\n');
    expect((await get(daemon, '/readyz')).status).toBe(200);
    const metrics = await (await get(daemon, '/metrics')).text();
    expect(metrics).toContain('\ncalsyncd_database_up 1\n');
    expect(metrics).toContain('\ncalsyncd_queue_jobs{queue="sync",state="failed"} 0\n');
    const feed = await get(daemon, '/feeds/all.ics');
    expect(feed.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    const etag = feed.headers.get('etag')!;
    const text = await feed.text();
    expect(text.match(/^BEGIN:VEVENT\r$/gm)).toHaveLength(14);
    expect(text).toContain('BEGIN:VTIMEZONE\r\nTZID:Europe/Warsaw\r\n');
    const again = await get(daemon, '/feeds/all.ics', { 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await get(daemon, '/feeds/none.ics')).status).toBe(404);
    expect((await get(daemon, '/nowhere')).status).toBe(404);
    const map = /^Sitemap: (\S+)$/m.exec(await (await get(daemon, '/robots.txt')).text())?.[1] ?? '';
    expect(await (await fetch(map)).text()).toContain('/event/');

    await place.write(
      'library.ics',
      calendarText(
        feedEvents(12)
          .slice(1)
          .map((event, index) => (index === 4 ? { ...event, title: 'Now quite different' } : event)),
      ),
    );
    const titles = await until('the change', async () => {
      const found = (await list(daemon)).events.map(({ title }) => title);
      return found.includes('Now quite different') && !found.includes('Event number 0') ? found : undefined;
    });
    expect(titles).toHaveLength(13);
  });

  test('is told at once that its port is taken', async () => {
    const place = await openTown();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { ended } = place.start([], { PORT: String(port) });
    const { code, stderr } = await ended;
    other.close();
    expect(code).toBe(1);
    const owner = process.platform === 'linux' ? ` \\(node\\w*, process ${process.pid}\\)` : '';
    expect(stderr).toMatch(new RegExp(`Port ${port} is taken by another program${owner}\\. Set PORT to a free one`));
    expect(stderr).not.toMatch(/\bat .*\.ts:/);
    expect(place.processes()).toEqual([]);
  });

  test('shows whoever starts it with the samples how to put in a feed of their own, before the first run has ended', async () => {
    const place = await programHome(readFileSync('config/calsyncd.yaml', 'utf8'));
    home = place;
    await cp('config/samples', `${place.directory}/samples`, { recursive: true });
    const daemon = place.start();
    await daemon.ready();
    const [screen = ''] = daemon.stdout().split('The first runs:');
    expect(screen).toContain(
      'These sources are samples. To add a feed of your own, choose "Add a source" in the console, or:',
    );
    // They show what pages can: own pictures, and a date that its feed has moved.
    const asked = '/api/calendar/events/v1/events?search=Dziady&start_date=2027-03-27&end_date=2027-03-28';
    const { events } = (await (await get(daemon, asked)).json()) as { events: readonly { url: string }[] };
    const moved = await (await fetch(events[0]!.url)).text();
    expect(moved).toMatch(/<img src="[^"]+\/media\/[^"]*dziady[^"]*\.webp"[^>]* class="hd"/);
    expect(moved).toMatch(/It was first announced for Saturday, 27 March 2027, 19:00\.[\s\S]*From: theatre · /);
    const [, words = ''] = /npm run -s calsyncd -- (preview) https:\/\/example\.org\/events\.ics/.exec(screen) ?? [];
    // What it names does what it says: the lines for the configuration, which has them in place of the samples.
    const shown = await place.command([words, await place.write('own.ics', calendarText(feedEvents(3)))]);
    const [, sources = ''] = shown.stdout.split('To add it to the configuration:\n');
    // The README shows the end of that, too.
    expect(counted(daemon.stdout())).toEqual(counted(readFileSync('README.md', 'utf8')));
    await daemon.stop('SIGTERM');
    await place.write('calsyncd.yaml', sources);
    const own = place.start();
    await own.ready();
    expect(own.stdout()).toMatch(/ +3 created/);
    expect(own.stdout()).not.toContain('samples');
  });

  test('tells of no calendar that there is not where the site is elsewhere', async () => {
    const site = await realSite({ now: () => Date.now() });
    const { username, applicationPassword } = site.credentials;
    const place =
      await openTown(`site: { url: "${site.root}", namespace: ${site.namespace}, username: ${username}, application_password: "${applicationPassword}" }
sources: { library: { url: "file:library.ics" } }
`);
    const daemon = place.start();
    await daemon.ready();
    const lines = daemon
      .stdout()
      .split('\n')
      .filter((line) => line.includes('http'));
    expect(lines.slice(1)).toEqual([
      expect.stringMatching(`^The site +${site.home}/$`),
      expect.stringMatching(`^Feeds +${daemon.url}/feeds/$`),
      expect.stringMatching(`^The console +${daemon.url}/operator/$`),
      expect.stringMatching(`^The first administrator signs in at ${daemon.url}/operator/ as "admin"`),
    ]);
    expect(daemon.stdout()).not.toContain('/authorize');
    const front = await fetch(`${daemon.url}/`, { redirect: 'manual' });
    expect([front.status, front.headers.get('location')]).toEqual([302, `${daemon.url}/feeds/`]);
    const none = await get(daemon, '/authorize');
    expect([none.status, await none.text()]).toEqual([
      404,
      expect.stringContaining(`The calendar is at ${site.home}/`),
    ]);
    expect((await get(daemon, '/api/')).status).toBe(404);
    await daemon.stop('SIGTERM');
    await site.close();
  });
});
