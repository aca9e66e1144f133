import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { Report } from '../../src/sync/model/plan.ts';
import { programHome, type Home } from '../support/daemon.ts';

// Runs the real program with ten real feeds in one configuration: it must not crash, hang or use much memory.

const CORPUS = path.resolve(process.env['CALSYNCD_CORPUS'] ?? '../shared', 'feeds/real');
const RSS_MB_MAX = 512;
/** For every series over decades: ten times as many events, but not ten times the memory. */
const RSS_MB_MAX_EVER = 768;

/**
 * Large and unusual ones: Google, Apple, Outlook's zones, Meetup, Eventful, a conference, and a generator of iCalendar
 * from YAML.
 */
const FEEDS = [
  'finos+calendar/basic.ics',
  'finos+calendar/public_basic.ics',
  'apple+ccs-calendarserver/performance_put_3.ics',
  'calagator+calagator/ical_eventful_many.ics',
  'py-vobject+vobject/ms_tzid.ics',
  'calagator+calagator/events-apple.ics',
  'GDGToulouse+toulouse-tech-hub/events.ics',
  'coderefinery+calendar/all.ics',
  'exploids+school-holidays/all.ics',
  'ghuntley+devrelcal/feed.ics',
];

const yamlOf = (window: string): string => `builtin: { timezone: Europe/Warsaw }
fetch: { allow_files: ["${CORPUS}"] }
sources:
${FEEDS.map((feed) => `  ${nameOf(feed)}: { url: "file:${path.join(CORPUS, feed)}", window: ${window}, timezone: Europe/Warsaw }`).join('\n')}
feeds:
  all: { title: Everything on, window: { past: 40000d, future: 4000d } }
`;

const nameOf = (feed: string): string => feed.replace('.ics', '').replace(/[^A-Za-z0-9]+/g, '-');
const told = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** The peak memory of a process in megabytes (Linux; undefined elsewhere). */
function peakMb(pid: number): number | undefined {
  const file = `/proc/${pid}/status`;
  const peak = existsSync(file) ? /VmHWM:\s+(\d+) kB/.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
  return peak === undefined ? undefined : Math.round(Number(peak) / 1024);
}

let home: Home | undefined;
afterAll(() => home?.close());

const isThere = globSync(`${CORPUS}/*`).length > 0;
if (!isThere) told(`Not run: no feeds in ${CORPUS} (set CALSYNCD_CORPUS).`);

describe.skipIf(!isThere)('ten real feeds', () => {
  // All events, with every series over decades, and the default window.
  test.each([
    ['with all events', '{ past: 20000d, future: 3650d }', RSS_MB_MAX_EVER],
    ['in the default window', '{ past: 30d, future: 540d }', RSS_MB_MAX],
  ] as const)('%s', async (_, window, maxMb) => {
    await home?.close();
    home = await programHome(yamlOf(window));
    const begun = performance.now();
    const daemon = home.start([], { LOG_LEVEL: 'warn' });
    await daemon.ready(400_000);
    const ms = Math.round(performance.now() - begun);
    const { runs } = JSON.parse((await home.command(['runs', '--json', '--limit', '100'])).stdout) as {
      runs: readonly { source: string; startedAt: string; finishedAt: string; report: Report }[];
    };
    for (const feed of FEEDS) {
      const run = runs.find(({ source }) => source === nameOf(feed))!;
      const took = Date.parse(run.finishedAt) - Date.parse(run.startedAt);
      told(
        `${String(statSync(path.join(CORPUS, feed)).size).padStart(9)} bytes  ${feed.padEnd(50)} ` +
          `${run.report.state}: ${run.report.created} created, ${run.report.skipped} skipped, ` +
          `${run.report.problems.length} problems, ${run.report.requests} requests, ${took} ms`,
      );
      for (const { code, message } of run.report.problems.slice(0, 3))
        told(`            ${code}: ${message.slice(0, 160)}`);
    }
    const feed = await fetch(`${daemon.url}/feeds/all.ics`);
    const events = (await feed.text()).match(/^BEGIN:VEVENT\r$/gm)?.length ?? 0;
    const { total } = (await (
      await fetch(`${daemon.url}/api/calendar/events/v1/events?starts_after=1901-01-01`)
    ).json()) as { total: number };
    const peak = peakMb(daemon.pid()) ?? 0;
    told(`all ten in ${ms} ms, ${total} events on the site, ${events} in /feeds/all.ics, ${peak} MB at most`);
    // A source may have had a second, scheduled run in the meantime.
    expect([...new Set(runs.map(({ source }) => source))].toSorted()).toEqual(FEEDS.map(nameOf).toSorted());
    expect(runs.filter(({ report }) => report.state === 'failed')).toEqual([]);
    expect(total).toBe(runs.reduce((sum, { report }) => sum + report.created, 0));
    expect(peak).toBeLessThan(maxMb);
    expect(
      await home.command(['sync', '--full', '--json']).then(({ stdout }) =>
        (JSON.parse(stdout) as { runs: Report[] }).runs.map(({ source, state, writes }) => ({
          source,
          state,
          writes,
        })),
      ),
    ).toEqual(FEEDS.map((each) => ({ source: nameOf(each), state: 'unchanged', writes: 0 })));
    expect((await daemon.stop('SIGTERM')).code).toBe(0);
    expect(home.processes()).toEqual([]);
  });
});
