import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventCalendars } from '../../src/cli/web/open-feeds.ts';
import type { Handle } from '../../src/web/start-web.ts';
import { commandIn } from '../support/command.ts';
import { calendarText } from '../support/feed-text.ts';
import { realSite, type RealSite } from '../support/real-site/real-site.ts';
import { START, syncingApp, type SyncingApp } from '../support/syncing-app.ts';

// What commands say about a remote site, and what is served from it.

let syncing: SyncingApp;
let site: RealSite;
beforeEach(async () => {
  [syncing, site] = [await syncingApp(), await realSite({ now: () => START })];
});
afterEach(async () => {
  await Promise.all([syncing.close(), site.close()]);
});

const yaml = (sources: readonly string[]): string => {
  const { username, applicationPassword } = site.credentials;
  return `site: { url: "${site.root}", namespace: ${site.namespace}, username: ${username}, application_password: "${applicationPassword}" }
sources: { ${sources.map((name) => `${name}: { url: "file:${name}.ics" }`).join(', ')} }
`;
};
const write = (file: string, text: string): Promise<void> => writeFile(path.join(syncing.directory, file), text);
const requestsTo = (pattern: RegExp): readonly string[] => site.requests.filter((request) => pattern.test(request));

test('doctor requests the indexes of a site once, however many sources write to it', async () => {
  const names = ['one', 'two', 'three'];
  for (const name of names) await write(`${name}.ics`, calendarText([{ uid: name, title: name }]));
  const { json } = await commandIn(syncing, yaml(names), ['doctor', '--json']);
  expect(json['sources']).toMatchObject(names.map((name) => ({ name, ok: true, events: 1 })));
  // The index of the site, and that of its calendar.
  expect(requestsTo(/_fields=name/)).toHaveLength(1);
  expect(requestsTo(new RegExp(`^GET [^ ]*/${site.namespace}/?$`))).toHaveLength(1);
});

const floating = calendarText([{ uid: 'a', title: 'A' }])
  .replace(/DTSTART[^\r]*/, 'DTSTART:20270215T180000')
  .replace(/DTEND[^\r]*/, 'DTEND:20270215T190000');

describe('preview of a source', () => {
  test('reads times without a zone in the zone of the site, as a sync does', async () => {
    await write('one.ics', floating);
    const { json } = await commandIn(syncing, yaml(['one']), ['preview', 'one', '--json']);
    // Warsaw is one hour ahead in winter.
    expect(json).toMatchObject({ timezone: 'Europe/Warsaw', events: [{ start: '2027-02-15T17:00:00Z' }] });
  });

  test('says so if the site does not tell its time zone', async () => {
    await write('one.ics', floating);
    site.fail({ kind: 'page' }, { times: Infinity });
    const { json, err } = await commandIn(syncing, yaml(['one']), ['preview', 'one', '--json']);
    expect(json).toMatchObject({ events: [{ start: '2027-02-15T18:00:00Z' }] });
    expect(err).toMatch(
      /does not say its time zone\. Times without a zone are shown in UTC here; a sync reads them in the site's zone\./,
    );
  });
});

describe('/event/{slug}.ics', () => {
  let get: (file: string) => Promise<Response>;
  beforeEach(async () => {
    const app = await syncing.open(yaml([]));
    const handle: Handle = eventCalendars(app);
    get = (file) => handle(new Request(`http://127.0.0.1:8080/event/${file}`), '');
    const event = { start_date: '2027-02-02 18:00:00', end_date: '2027-02-02 19:00:00' };
    await app.site.write([
      { method: 'POST', path: '/events', body: { ...event, title: 'Jazz', slug: 'jazz', status: 'publish' } },
      { method: 'POST', path: '/events', body: { ...event, title: 'Draft', slug: 'draft', status: 'draft' } },
    ]);
  });

  test('serves an event of a remote site, and no draft', async () => {
    const answer = await get('jazz.ics');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(await answer.text()).toMatch(/SUMMARY:Jazz\r\n/);
    expect((await get('jazz.ics?site=site')).status).toBe(200);
    for (const file of ['draft.ics', 'none.ics', 'jazz.ics?site=other']) expect((await get(file)).status).toBe(404);
  });

  test('limits requests to that site, however many events are asked for', async () => {
    const before = site.requests.length;
    for (let time = 0; time < 50; time += 1) await get('jazz.ics');
    expect(site.requests.length - before).toBeLessThanOrEqual(5);
    const statuses = new Set<number>();
    for (let number = 0; number < 300; number += 1) statuses.add((await get(`nothing-${number}.ics`)).status);
    expect(statuses).toEqual(new Set([404, 503]));
    expect(site.requests.length - before).toBeLessThan(250);
  });

  test('serves what it had while that site is unreachable', async () => {
    const first = await (await get('jazz.ics')).text();
    site.fail({ kind: 'hang-up' }, { times: Infinity });
    syncing.clock.now += 3_600_000;
    const again = await get('jazz.ics');
    expect([again.status, await again.text()]).toEqual([200, first]);
    expect((await get('other.ics')).status).toBe(503);
  });
});
