import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limitsOf, schedulesOf } from '../../src/cli/open/rescheduling.ts';
import { openFeeds } from '../../src/cli/web/open-feeds.ts';
import { callerByLogin } from '../../src/site/users/users.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';

// Whatever was in force before, a reload leaves the program as if it had been started with the new file.

const one = '  one: { url: "https://one.example/a.ics" }\n';
const CONFIGS: readonly string[] = [
  `sources:\n${one}`,
  `builtin: { title: Town, timezone: Europe/Warsaw, languages: [de, en], public_url: "https://town.example/calendar" }
sources:
  one: { url: "https://one.example/a.ics", cron: "5 * * * *", auth: { bearer: first-word } }
  two: { url: "https://two.example/a.ics", every: 5m, language: en }
`,
  `builtin: { title: Town, timezone: Europe/Warsaw, languages: [de, en] }
sources:
  one: { url: "https://one.example/a.ics", cron: "5 * * * *", auth: { bearer: second-word }, paused: true }
feeds: { jazz: { title: Jazz, search: jazz } }
`,
  `sites:
  here: { url: builtin, requests_in_flight: 2 }
  there: { url: "http://127.0.0.1:1/wp-json", namespace: tribe/events/v1, requests_in_flight: 7, full_every: 2h }
sources:
  one: { url: "https://one.example/a.ics", site: there }
  two: { url: "https://two.example/a.ics", site: here, skip: [{ field: title, matches: jazz }] }
feeds: { all: { site: there }, ours: { site: here } }
`,
  `sites:
  there: { url: "http://127.0.0.1:1/wp-json", namespace: tribe/events/v1, requests_in_flight: 3 }
sources:\n${one}fetch: { contact: me@town.example, allow_addresses: [10.0.0.0/8] }
operator: { allow_addresses: [10.0.0.0/8] }
`,
  'sources: {}\n',
];

/** Everything that depends on the configuration and can be observed from outside. */
async function told(app: OpenedApp): Promise<unknown> {
  const { sites, builtin, identity } = app.sites;
  return {
    config: { ...app.inForce.config(), file: '' },
    publicUrl: app.publicUrl,
    sources: [...app.context.sources.values()].map(
      ({ name, site, address, format, isPaused, settingsHash, ...setup }) => ({
        name,
        address,
        format,
        isPaused,
        settingsHash,
        site: { ...site, client: undefined },
        drafts: setup.draftSettings(0, 'UTC'),
        policy: setup.policy(0, false),
      }),
    ),
    schedules: schedulesOf(app),
    limits: limitsOf(app.inForce.config()),
    sites: [...sites.values()].map(({ client: _client, ...site }) => site),
    builtin: builtin.settings,
    identity,
    feeds: openFeeds(app).definitions,
    // Twice, as answers are cached.
    read: [await readBy(app), await readBy(app)],
  };
}

/** What a visitor sees of the built-in site. */
const readBy = async ({ sites: { builtin }, publicUrl }: OpenedApp): Promise<unknown> =>
  (await builtin.rest(new Request(`${publicUrl}/api/calendar/events/v1/events?per_page=5`))).json();

let world: SyncingApp;
let running: OpenedApp;
const fresh: unknown[] = [];

beforeAll(async () => {
  world = await syncingApp();
  running = await world.open(CONFIGS[0] ?? '');
  const { builtin } = running.sites;
  const { status } = await builtin.answer(
    {
      method: 'POST',
      url: new URL(`${running.publicUrl}/api/calendar/events/v1/events`),
      body: {
        title: 'Jazz',
        start_date: '2027-02-01 20:00',
        end_date: '2027-02-01 22:00',
        cost: '5',
        venue: { venue: 'Harbour' },
        organizer: { organizer: 'Jazz club' },
        categories: ['Music'],
      },
    },
    (await callerByLogin(running.state.database.query())) ?? null,
  );
  if (status !== 201) throw new Error(`the event was answered with ${status}`);
  for (const yaml of CONFIGS) {
    const app = await world.open(yaml);
    fresh.push(await told(app));
    await app.close();
  }
});
afterAll(() => world.close());

const pairs = CONFIGS.flatMap((_, from) => CONFIGS.flatMap((__, to) => (from === to ? [] : [[from, to] as const])));

test.each(pairs)('a reload from configuration %i to %i equals a start with the latter', async (from, to) => {
  for (const index of [from, to]) {
    writeFileSync(running.config.file, CONFIGS[index] ?? '');
    expect(await running.reload.load()).toMatchObject({ problems: [], restart: [] });
  }
  expect(await told(running)).toEqual(fresh[to]);
});

test('every configuration differs from the others', () =>
  expect(new Set(fresh.map((each) => JSON.stringify(each))).size).toBe(CONFIGS.length));
