import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql, type Queryable } from '../../../src/db/database.ts';
import { noteVersion, versionsHere } from '../../../src/db/versions.ts';
import { beginVersion } from '../../../src/cli/terminal/whats-new.ts';
import { commandIn, type Said } from '../../support/command.ts';
import { signedInConsole } from '../../support/console.ts';
import { freshDatabase } from '../../support/database.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';
import about from '../../../package.json' with { type: 'json' };

// The version that runs here, and what is new in it.

let syncing: SyncingApp;
let app: OpenedApp;
const query = (): Queryable => app.state.database.query();
const version = (...words: readonly string[]): Promise<Said> => commandIn(syncing, '', ['version', ...words]);

beforeAll(async () => {
  syncing = await syncingApp();
  app = await syncing.open('sources: { town: { url: "https://town.example/events.ics", paused: true } }\n');
});
afterAll(() => syncing.close());

test('the first version says that there was none before, and with --all what is in it', async () => {
  const { code, out } = await version();
  expect(code).toBe(0);
  expect(out).toContain(`calsyncd ${about.version}, on Node.js ${process.versions.node}.`);
  expect(out).toContain('No other version has worked on this database; commits of one version count as the same.');
  expect(out).not.toContain('New in');
  expect(out).toContain('"version --all" says what it brings');
  expect((await version('--json')).json).toMatchObject({ before: null, news: [] });
  expect((await version('--all')).out).toContain(`New in ${about.version}:`);
});

test('the first start after an upgrade says so, once', async () => {
  const said: string[] = [];
  const start = () => beginVersion(query(), { err: (text) => void said.push(text) });
  await start();
  expect(said).toEqual([]);
  await noteVersion(query(), '0.0.1');
  await start();
  await start();
  expect(said).toEqual([
    `This is calsyncd ${about.version}; before it, 0.0.1 ran here. "npm run -s calsyncd -- version" says what is new.\n`,
  ]);
  await sql`delete from calsync.versions`.execute(query());
});

test('a later version says what is new since the one that ran here last', async () => {
  await noteVersion(query(), '0.0.1');
  expect((await version()).out).toContain('The database is that of 0.0.1; the next start brings it up to date.');
  for (const _ of [1, 2]) await noteVersion(query(), about.version);
  expect((await version('--json')).json).toMatchObject({
    version: about.version,
    before: '0.0.1',
    since: expect.any(String),
    news: [{ version: about.version }],
  });
  await sql`update calsync.versions set since = now() - interval '1 day'`.execute(query());
  await noteVersion(query(), '0.0.1');
  expect(await versionsHere(query(), about.version)).toMatchObject({ before: '0.0.1', since: expect.any(Date) });
  expect(await versionsHere(query(), '9.9.9')).toEqual({ before: '0.0.1', since: undefined });
});

test('the first page of the console announces the upgrade until a person dismisses it', async () => {
  await noteVersion(query(), about.version);
  syncing.clock.now = Date.now();
  const [anna, ben] = [await signedInConsole(app, 'anna', 'editor'), await signedInConsole(app, 'ben', 'editor')];
  expect((await anna.get('/')).text).toContain(`calsyncd ${about.version} has run here since`);
  const news = await anna.get('/help/new/');
  expect(news).toMatchObject({ status: 200, text: expect.stringContaining('Feeds in') as string });
  expect(news.text).not.toMatch(/##|\]\(/);
  expect(await anna.post('/', { do: 'read' })).toMatchObject({ status: 303, to: '/' });
  expect((await anna.get('/')).text).not.toContain('has run here since');
  expect((await ben.get('/')).text).toContain('has run here since');
  syncing.clock.now += 31 * 86_400_000;
  expect((await ben.get('/')).text).not.toContain('has run here since');
});

test('the versions of an empty database can be read, which changes nothing', async () => {
  const { database, close } = await freshDatabase({ empty: true });
  expect(await versionsHere(database.query(), about.version)).toEqual({ before: undefined, since: undefined });
  await close();
});
