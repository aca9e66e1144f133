import { afterAll, beforeAll, expect, test } from 'vitest';
import { signedInConsole, type ConsoleClient } from '../support/console.ts';
import { syncingApp, type SyncingApp } from '../support/syncing-app.ts';

// People mistype, guess and mangle addresses: none of them makes a page fail or injects markup into it.

let syncing: SyncingApp;
let browser: ConsoleClient;
beforeAll(async () => {
  syncing = await syncingApp();
  const app = await syncing.open(
    'builtin: { timezone: Europe/Warsaw }\nsources:\n  town: { url: "https://town.example/a.ics" }\n',
  );
  browser = await signedInConsole(app);
});
afterAll(() => syncing.close());

const VALUES = [
  '%00',
  '%ED%A0%80',
  'constructor',
  '__proto__',
  '-1',
  '99999999999999999999',
  '1e400',
  "'",
  '%22%3E%3Cscript%3E',
  '2027-13-45',
];
const PATHS = [
  '/',
  '/sources/',
  '/sources/X/',
  '/sources/X/rules/',
  '/sources/X/settings/',
  '/sources/X/report/',
  '/sources/X/problems/',
  '/runs/',
  '/runs/X/',
  '/runs/X/review/',
  '/events/',
  '/events/X/',
  '/conflicts/',
  '/ignored/',
  '/adopt/',
  '/settings/',
  '/settings/alerts/',
  '/settings/versions/X/',
  '/help/',
];
const NAMES =
  'q sort state page source show before month day view category over site undo refused done said saved tested only from at kind all run busy forgotten removed';

test.each(VALUES)('%s in an address causes no server error and injects no markup', async (value) => {
  const query = NAMES.split(' ')
    .map((name) => `${name}=${value}`)
    .join('&');
  const answers = [];
  for (const path of PATHS)
    for (const asked of [`${path}?${query}`, path].map((each, index) =>
      each.replace('X', index === 0 ? 'town' : value),
    ))
      answers.push({ asked, ...(await browser.get(asked)) });
  expect(answers.filter(({ status, html }) => status >= 500 || html.includes('"><script>'))).toEqual([]);
});
