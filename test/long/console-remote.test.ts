import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signedInConsole, type ConsoleClient } from '../support/console.ts';
import { calendarText, feedEvents } from '../support/feed-text.ts';
import { realSite, type RealSite } from '../support/real-site/real-site.ts';
import { START, syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';

// The console of a program whose only site is a remote one.

let program: SyncingApp;
let site: RealSite;
let app: OpenedApp;
let browser: ConsoleClient;

beforeAll(async () => {
  [program, site] = [await syncingApp(), await realSite({ now: () => START })];
  await writeFile(path.join(program.directory, 'town.ics'), calendarText(feedEvents(6)));
  const { username, applicationPassword } = site.credentials;
  app =
    await program.open(`site: { url: "${site.root}", namespace: ${site.namespace}, username: ${username}, application_password: "${applicationPassword}" }
sources: { town: { url: "file:town.ics" } }
`);
  await app.sync('town');
  browser = await signedInConsole(app);
});
afterAll(async () => {
  await program.close();
  await site.close();
});

test('the console is named after the host of the site', async () => {
  expect((await browser.get('/')).html).toContain(`<title>To do · ${new URL(site.home).host} console</title>`);
});

test('every page that links lead to answers 200', async () => {
  const seen = new Set<string>();
  const open = ['/'];
  const broken: string[] = [];
  for (let at = open.shift(); at !== undefined && seen.size < 200; at = open.shift()) {
    if (seen.has(at)) continue;
    seen.add(at);
    const { status, html } = await browser.get(at);
    if (status !== 200) broken.push(`${status} ${at}`);
    for (const [, link = ''] of html.matchAll(/href="\/operator(\/[^"#]*)/g)) open.push(link.replaceAll('&amp;', '&'));
  }
  expect(broken).toEqual([]);
});
