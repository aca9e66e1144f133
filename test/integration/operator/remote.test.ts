import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signedInConsole, type ConsoleClient } from '../../support/console.ts';
import { calendarText, feedEvents } from '../../support/feed-text.ts';
import { realSite, type RealSite } from '../../support/real-site/real-site.ts';
import { START, syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

// The console of a program whose only site is a real one, elsewhere.

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

test('is called by the address of the site', async () => {
  expect((await browser.get('/')).html).toContain(`<title>To do · ${new URL(site.home).host} console</title>`);
});
