import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { comingEvents } from '../support/coming.ts';
import { calendarText } from '../support/feed-text.ts';
import type { Home } from '../support/daemon.ts';
import { get, list, printLine, TOWN, townHome } from '../support/town.ts';
import { until } from '../support/until.ts';

// The spawned program, as a person starts, uses and stops it.

let home: Home | undefined;
afterEach(async () => {
  await home?.close();
  home = undefined;
});

/** A home that is closed after the test. */
async function openTown(yaml?: string, as?: readonly string[]): Promise<Home> {
  home = await townHome(yaml, as);
  return home;
}

describe('the daemon', () => {
  test('starts in an empty directory, says what it did and where to look, and continues after a restart', async () => {
    const place = await openTown();
    const first = place.start();
    const firstMs = await first.ready();
    expect(first.stdout()).toMatch(/^calsyncd keeps "Town calendar" in step with 2 sources of \S+calsyncd\.yaml\n/);
    expect(first.stdout()).toMatch(/library +12 created/);
    expect(first.stdout()).toMatch(/club +2 created/);
    const [screen] = first.stdout().split('The first runs:');
    for (const path of ['/', '/api/', '/feeds/']) {
      // These addresses are printed before the first run has ended.
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
    printLine(`start: ${Math.round(firstMs)} ms in an empty directory, ${Math.round(secondMs)} ms in a used one`);
    expect(second.stdout()).toMatch(/library +12 unchanged/);
    expect(await list(second)).toEqual(before);
    expect(await second.stop('SIGINT')).toMatchObject({ code: 0 });
    expect(place.processes()).toEqual([]);
  });

  test('prints what the first runs did as one JSON value, answers probes and conditional requests, and syncs on schedule', async () => {
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
    const inQuery = await get(daemon, '/?rest_route=/calendar/events/v1/events');
    expect(await inQuery.json()).toMatchObject({ total: 14 });
    const map = /^Sitemap: (\S+)$/m.exec(await (await get(daemon, '/robots.txt')).text())?.[1] ?? '';
    expect(await (await fetch(map)).text()).toContain('/event/');

    await place.write(
      'library.ics',
      calendarText(
        comingEvents(12)
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

  test('exits at once with a message if its port is taken', async () => {
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
});
