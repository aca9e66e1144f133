import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CrowdOrder, CrowdReport } from '../support/console-crowd.ts';
import { consoleWorld, weekly, type ConsoleWorld } from '../support/console-world.ts';
import { tokenIn } from '../support/console.ts';
import { body } from '../support/feed-server.ts';
import { calendarText } from '../support/feed-text.ts';
import { until } from '../support/until.ts';

// Five hundred open pages of the console: what they cost the daemon, that all of them are told of a run, and that the
// daemon ends without waiting for them.

const PAGES = 500;
const SESSIONS = 50;
const IDLE_S = 30;

let world: ConsoleWorld;
beforeAll(async () => {
  world = await consoleWorld();
});
afterAll(() => world.close());

/** Signs in; returns the cookies. */
async function signedIn(): Promise<string> {
  const cookies = new Map<string, string>();
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(`${world.daemon.url}/operator${path}`, {
      ...init,
      redirect: 'manual',
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    });
    for (const one of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(one) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
  const token = tokenIn(await (await ask('/')).text());
  const form = new URLSearchParams({ token, login: 'admin', password: world.password, do: 'signin' });
  expect((await ask('/', { method: 'POST', body: form })).status).toBe(303);
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** The memory and processor time of the daemon, from its own metrics. */
async function used(): Promise<{ readonly megabytes: number; readonly seconds: number }> {
  const text = await (await fetch(`${world.daemon.url}/metrics`)).text();
  const of = (metric: string): number => Number(new RegExp(`^${metric} (\\S+)$`, 'm').exec(text)?.[1]);
  return { megabytes: of('process_resident_memory_bytes') / 1e6, seconds: of('process_cpu_seconds_total') };
}

test('five hundred open pages are all told of a run, and all end in order when the daemon stops', async () => {
  const cookies: string[] = [];
  for (let session = 0; session < SESSIONS; session += 1) cookies.push(await signedIn());
  const page = await fetch(`${world.daemon.url}/operator/`, { headers: { cookie: cookies[0]! } });
  const live = /data-live="([^"]+)"/.exec(await page.text())?.[1]?.replaceAll('&amp;', '&');
  const alone = await used();
  await sleep(IDLE_S * 1000);
  const idle = await used();

  const crowd = spawn(process.execPath, ['test/support/console-crowd.ts'], { stdio: ['pipe', 'pipe', 'inherit'] });
  // Listen from the start, because the crowd may end before the daemon.
  const crowdEnd = once(crowd, 'exit');
  let report: CrowdReport | undefined;
  createInterface(crowd.stdout).on('line', (line) => {
    report = JSON.parse(line) as CrowdReport;
  });
  const order: CrowdOrder = { url: `${world.daemon.url}${live}`, cookies, count: PAGES };
  crowd.stdin.end(JSON.stringify(order));
  await until('all pages to be shown what there is', () => report?.heardPart === PAGES);
  await until('all pages to hear a beat', () => report?.heardBeat === PAGES);
  expect(report?.refused).toBe(0);
  const opened = await used();
  await sleep(IDLE_S * 1000);
  const open = await used();

  const before = report!.parts;
  world.feeds.on('/library.ics', body(calendarText(weekly('story', 'Other stories', 20))));
  await world.home.command(['sync', 'library']);
  await until('all pages to hear of the held run', () => report!.parts >= before + 2 * PAGES);
  const told = await used();

  const begun = performance.now();
  const ended = await world.daemon.stop('SIGTERM');
  const stopMs = performance.now() - begun;
  await crowdEnd;
  process.stderr.write(
    [
      `${PAGES} open pages in ${SESSIONS} sessions:`,
      `  memory ${idle.megabytes.toFixed(0)} MB without them, ${open.megabytes.toFixed(0)} MB with them ` +
        `(${(((open.megabytes - idle.megabytes) * 1000) / PAGES).toFixed(0)} kB each)`,
      `  processor time in ${IDLE_S} s: ${(idle.seconds - alone.seconds).toFixed(2)} s without them, ` +
        `${(open.seconds - opened.seconds).toFixed(2)} s with them; opening them all took ` +
        `${(opened.seconds - idle.seconds).toFixed(2)} s`,
      `  a run that was held: ${(told.seconds - open.seconds).toFixed(2)} s until all had heard of it`,
      `  the daemon ended ${stopMs.toFixed(0)} ms after it was asked to`,
      '',
    ].join('\n'),
  );
  expect(ended.code).toBe(0);
  // Closed in order, not cut off at the server's time limit.
  expect(report).toMatchObject({ ended: PAGES, cutOff: 0 });
});
