import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { dayInWords } from '../../src/site/pages/frame/dates.ts';
import { comingEvents } from '../support/coming.ts';
import { calendarText } from '../support/feed-text.ts';
import { programHome, type Home } from '../support/daemon.ts';
import { realSite } from '../support/real-site/real-site.ts';
import { putSamples } from '../support/samples.ts';
import { get, townHome } from '../support/town.ts';

// What the daemon prints at its first start.

let home: Home | undefined;
afterEach(async () => {
  await home?.close();
  home = undefined;
});

/** The lines of the first runs, without their order, which is random, and their counts, which depend on the day. */
const counted = (text: string): readonly string[] =>
  (text.split('The first runs:\n')[1]?.split('\n```')[0] ?? '')
    .trimEnd()
    .replaceAll(/\d+/g, '9')
    .split('\n')
    .toSorted();

test('a start with the samples shows how to add a feed of one’s own, as the README says', async () => {
  const place = await programHome(readFileSync('config/calsyncd.yaml', 'utf8'));
  home = place;
  const saturday = await putSamples(`${place.directory}/samples`);
  const daemon = place.start();
  await daemon.ready();
  const [screen = ''] = daemon.stdout().split('The first runs:');
  expect(screen).toContain(
    'These sources are samples. To add a feed of your own, choose "Add a source" in the console, or:',
  );
  // The samples show what pages can do: pictures from the site itself, and an event that its feed has moved.
  const asked = `/api/calendar/events/v1/events?search=Dziady&start_date=${saturday}`;
  const { events } = (await (await get(daemon, asked)).json()) as { events: readonly { url: string }[] };
  const moved = await (await fetch(events[0]!.url)).text();
  expect(moved).toMatch(/<img src="[^"]+\/media\/[^"]*dziady[^"]*\.webp"[^>]* class="hd"/);
  expect(moved).toMatch(
    new RegExp(`It was first announced for ${dayInWords(saturday, 'en')}, 19:00\\.[\\s\\S]*From: theatre · `),
  );
  const [, words = ''] = /npm run -s calsyncd -- (preview) https:\/\/example\.org\/events\.ics/.exec(screen) ?? [];
  // The command that it names prints the lines for the configuration, which replace the samples.
  const shown = await place.command([words, await place.write('own.ics', calendarText(comingEvents(3)))]);
  const [, sources = ''] = shown.stdout.split('To add it to the configuration:\n');
  // The README shows the same first runs.
  expect(counted(daemon.stdout())).toEqual(counted(readFileSync('README.md', 'utf8')));
  await daemon.stop('SIGTERM');
  await place.write('calsyncd.yaml', sources);
  const own = place.start();
  await own.ready();
  expect(own.stdout()).toMatch(/ +3 created/);
  expect(own.stdout()).not.toContain('samples');
});

test('a start with a remote site names that site, and no calendar of its own', async () => {
  const site = await realSite({ now: () => Date.now() });
  const { username, applicationPassword } = site.credentials;
  const place =
    await townHome(`site: { url: "${site.root}", namespace: ${site.namespace}, username: ${username}, application_password: "${applicationPassword}" }
sources: { library: { url: "file:library.ics" } }
`);
  home = place;
  const daemon = place.start();
  await daemon.ready();
  const lines = daemon
    .stdout()
    .split('\n')
    .filter((line) => line.includes('http'));
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(`^The site +${site.home}/$`),
    expect.stringMatching(`^Feeds +${daemon.url}/feeds/$`),
    expect.stringMatching(`^The console +${daemon.url}/operator/$`),
    expect.stringMatching(`^The first administrator signs in at ${daemon.url}/operator/ as "admin"`),
  ]);
  expect(daemon.stdout()).not.toContain('/authorize');
  const front = await fetch(`${daemon.url}/`, { redirect: 'manual' });
  expect([front.status, front.headers.get('location')]).toEqual([302, `${daemon.url}/feeds/`]);
  const none = await get(daemon, '/authorize');
  expect([none.status, await none.text()]).toEqual([404, expect.stringContaining(`The calendar is at ${site.home}/`)]);
  expect((await get(daemon, '/api/')).status).toBe(404);
  await daemon.stop('SIGTERM');
  await site.close();
});
