import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandIn } from '../support/command.ts';
import { calendarText } from '../support/feed-text.ts';
import { realSite, type RealSite } from '../support/real-site/real-site.ts';
import { START, syncingApp, type SyncingApp } from '../support/syncing-app.ts';

// What is said and given out of a site that is elsewhere.

let syncing: SyncingApp;
let site: RealSite;
beforeEach(async () => { [syncing, site] = [await syncingApp(), await realSite({ now: () => START })]; });
afterEach(async () => { await Promise.all([syncing.close(), site.close()]); });

const yaml = (sources: readonly string[]): string => {
  const { username, applicationPassword } = site.credentials;
  return `site: { url: "${site.root}", namespace: ${site.namespace}, username: ${username}, application_password: "${applicationPassword}" }
sources: { ${sources.map((name) => `${name}: { url: "file:${name}.ics" }`).join(', ')} }
`;
};
const write = (file: string, text: string): Promise<void> => writeFile(path.join(syncing.directory, file), text);
const requestsTo = (pattern: RegExp): readonly string[] => site.requests.filter((request) => pattern.test(request));

test('doctor asks a site once what it can do, however many sources write to it', async () => {
  const names = ['one', 'two', 'three'];
  for (const name of names) await write(`${name}.ics`, calendarText([{ uid: name, title: name }]));
  const { json } = await commandIn(syncing, yaml(names), ['doctor', '--json']);
  expect(json['sources']).toMatchObject(names.map((name) => ({ name, ok: true, events: 1 })));
  // The index of the site, and that of its calendar.
  expect(requestsTo(/_fields=name/)).toHaveLength(1);
  expect(requestsTo(new RegExp(`^GET [^ ]*/${site.namespace}/?$`))).toHaveLength(1);
});

const floating = calendarText([{ uid: 'a', title: 'A' }]).replace(/DTSTART[^\r]*/, 'DTSTART:20270215T180000').replace(/DTEND[^\r]*/, 'DTEND:20270215T190000');

describe('preview of a source', () => {
  test('reads times that name no zone as a sync does: in the zone of the site', async () => {
    await write('one.ics', floating);
    const { json } = await commandIn(syncing, yaml(['one']), ['preview', 'one', '--json']);
    // Warsaw, in winter.
    expect(json).toMatchObject({ timezone: 'Europe/Warsaw', events: [{ start: '2027-02-15T17:00:00Z' }] });
  });

  test('says so where the site does not tell its zone', async () => {
    await write('one.ics', floating);
    site.fail({ kind: 'page' }, { times: Infinity });
    const { json, err } = await commandIn(syncing, yaml(['one']), ['preview', 'one', '--json']);
    expect(json).toMatchObject({ events: [{ start: '2027-02-15T18:00:00Z' }] });
    expect(err).toMatch(/does not tell its time zone\. Times that name none are shown in UTC here; a sync reads them in the site's zone\./);
  });
});
