import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { explainEvent } from '../../src/run/decisions/explain-event.ts';
import { startSettle } from '../../src/run/decisions/settle-event.ts';
import { loadLedger } from '../../src/run/state/ledger.ts';
import { carryOn } from '../../src/run/steps/carry-on.ts';
import { startUndo } from '../../src/run/decisions/undo-run.ts';
import { body, feedServer, status, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents } from '../support/feed-text.ts';
import { jpeg, png } from '../support/pictures.ts';
import { realSite, type RealSite } from '../support/real-site/real-site.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';
import { townOn } from '../support/two-sites.ts';
import { BY_TESTER } from '../support/by-tester.ts';

// Pictures of a feed, from their addresses to the site.

let syncing: SyncingApp;
let feeds: FeedServer;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

const town = (builtin = ''): Promise<OpenedApp> =>
  syncing.open(
    `${builtin}fetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n  town: { url: "${feeds.url}/town.ics" }\n`,
  );
const publish = (pictures: readonly string[]): void =>
  feeds.on(
    '/town.ics',
    body(
      calendarText(
        feedEvents(pictures.length).map((event, index) => ({
          ...event,
          lines: [`ATTACH;FMTTYPE=image/png:${feeds.url}/${pictures[index]}`],
        })),
      ),
    ),
  );
const picturesAsked = (): number => feeds.requests.filter(({ url }) => /\.(?:png|jpg)/.test(url ?? '')).length;
const images = async (app: OpenedApp) =>
  (await app.events()).map(({ title, image }) => [
    title,
    image === false ? false : `${image.width}x${image.height} ${image.url.split('/').at(-1)}`,
  ]);

/** The reasons why events with a title are not as their feed says. */
async function reasonsOf(app: OpenedApp, title: string): Promise<readonly string[]> {
  const setup = app.setup('town');
  const ledger = await loadLedger(app.context.database.query(), setup.site.key, setup.name);
  const entries = [...ledger.values()].filter((entry) => entry.title === title);
  const explained = await Promise.all(entries.map((entry) => explainEvent(app.context, setup, entry)));
  return explained.flatMap(({ whyNotNewer }) => whyNotNewer);
}

test('each picture is fetched once, however often the feed is read, and does not count as a change', async () => {
  feeds.on('/a.png', body(png(10, 20)));
  feeds.on('/b.jpg', body(jpeg(30, 40)));
  publish(['a.png', 'b.jpg', 'a.png']);
  const app = await town();
  expect(await app.sync('town')).toMatchObject({ state: 'done', created: 3, problems: [] });
  expect(await images(app)).toEqual([
    ['Event number 0', '10x20 a.png'],
    ['Event number 1', '30x40 b.jpg'],
    ['Event number 2', '10x20 a.png'],
  ]);
  expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0 });
  expect(picturesAsked()).toBe(2);
});

test('an event with a broken picture is shown without it, which is reported once', async () => {
  feeds.on('/good.png', body(png(10, 20)));
  feeds.on('/gone.png', status(404));
  publish(['good.png', 'gone.png']);
  const app = await town();
  const report = await app.sync('town');
  expect(report).toMatchObject({
    state: 'done',
    created: 2,
    problems: [{ code: 'image-refused', message: expect.stringMatching(/\/gone\.png.* does not exist \(404\)/) }],
  });
  expect(await images(app)).toEqual([
    ['Event number 0', '10x20 good.png'],
    ['Event number 1', false],
  ]);
  expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0, problems: [] });
  expect(await reasonsOf(app, 'Event number 1')).toEqual([
    'image: the site did not accept it, so the event is shown without it. It is tried again later.',
  ]);

  feeds.on('/new.png', status(404));
  publish(['new.png', 'gone.png']);
  expect(await app.sync('town')).toMatchObject({ state: 'done', updated: 1, problems: [{ code: 'image-refused' }] });
  feeds.on('/better.png', body(png(50, 60)));
  publish(['new.png', 'better.png']);
  expect(await app.sync('town')).toMatchObject({ state: 'done', updated: 1, problems: [] });
  expect((await images(app))[1]).toEqual(['Event number 1', '50x60 better.png']);
});

test('after the site changes its address, pictures do not count as edited', async () => {
  for (const name of ['/a.png', '/b.png']) feeds.on(name, body(png(name === '/a.png' ? 10 : 30, 20)));
  publish(['a.png']);
  await (await town()).sync('town');
  const app = await town('builtin: { public_url: "https://moved.example/town" }\n');
  expect((await app.events()).map(({ image }) => image && image.url)).toEqual([
    expect.stringMatching(/^https:\/\/moved\.example\/town\/media\/[\da-f]{40}\/a\.png$/),
  ]);
  expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0, conflicts: 0 });
  publish(['b.png']);
  expect(await app.sync('town')).toMatchObject({ state: 'done', updated: 1, conflicts: 0, problems: [] });
  expect(await images(app)).toEqual([['Event number 0', '30x20 b.png']]);
});

test('a picture inside our own network is refused, and the message names the setting', async () => {
  feeds.on(
    '/town.ics',
    body(
      calendarText(
        feedEvents(1).map((event) => ({ ...event, lines: ['ATTACH;FMTTYPE=image/png:http://127.0.0.2:8/a.png'] })),
      ),
    ),
  );
  const { created, problems } = await (await town()).sync('town');
  expect([created, problems.map(({ code }) => code)]).toEqual([1, ['image-refused']]);
  expect(problems[0]!.message).toMatch(
    /did not accept the image 127\.0\.0\.2:8\/a\.png, so the event was written without it\. .*127\.0\.0\.2 is not an address/,
  );
  expect(problems[0]!.message).toMatch(
    /address of the public internet\. If it may be used, .*: fetch: \{ allow_addresses: \[\S+\] \}\.$/,
  );
});

const picture = async (app: OpenedApp): Promise<string> =>
  (await app.events()).flatMap(({ image }) => (image ? [image.url.split('/').at(-1)!] : [])).join();
const OLD = 'https://img.example/old.jpg';
const NEW = 'https://img.example/new.jpg';

describe('a real site', () => {
  let real: RealSite;
  beforeEach(async () => {
    real = await realSite({ now: () => syncing.clock.now });
  });
  afterEach(() => real.close());
  const withPicture = (address: string, title = 'Jazz'): void =>
    feeds.on(
      '/town.ics',
      body(calendarText([...feedEvents(2), { uid: 'jazz', title, lines: [`ATTACH;FMTTYPE=image/jpeg:${address}`] }])),
    );
  const open = (): Promise<OpenedApp> => syncing.open(townOn('a real site', real, feeds));
  async function town(): Promise<OpenedApp> {
    real.images.add(OLD);
    withPicture(OLD);
    const app = await open();
    await app.sync('town');
    expect(await picture(app)).toMatch(/^old-/);
    return app;
  }

  test('that refuses a new picture keeps the old one', async () => {
    const app = await town();
    withPicture(NEW, 'Jazz now');
    expect(await app.sync('town')).toMatchObject({ state: 'done', updated: 1, problems: [{ code: 'image-refused' }] });
    expect(await picture(app)).toMatch(/^old-/);
    expect((await app.events()).map(({ title }) => title)).toContain('Jazz now');
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0, conflicts: 0, problems: [] });
  });

  const HOURS = 3_600_000;
  test('is sent a refused picture again after half a day, then after twice as long each time', async () => {
    const app = await town();
    withPicture(NEW);
    const refused = { state: 'done', updated: 1, problems: [{ code: 'image-refused' }] };
    expect(await app.sync('town')).toMatchObject(refused);
    const later = (hours: number) => {
      syncing.clock.now += hours * HOURS;
      return app.sync('town', true);
    };
    expect(await later(11)).toMatchObject({ state: 'unchanged', writes: 0, problems: [] });
    expect(await later(2)).toMatchObject(refused);
    expect(await later(23)).toMatchObject({ state: 'unchanged', writes: 0 });
    real.images.add(NEW);
    expect(await later(2)).toMatchObject({ state: 'done', updated: 1, problems: [] });
    expect(await picture(app)).toMatch(/^new-/);
    expect(await later(48)).toMatchObject({ state: 'unchanged', writes: 0 });
  });

  test('is sent a refused picture again at once when a person asks for it', async () => {
    const app = await town();
    withPicture(NEW);
    const { problems } = await app.sync('town');
    const slug = problems[0]!.where.slug!;
    expect(problems[0]!.message).toContain(`settle ${slug} feed --field image" tries it at once`);
    real.images.add(NEW);
    expect(
      await carryOn(
        app.context,
        app.setup('town'),
        await startSettle(app.context, app.setup('town'), slug, 'image', 'feed'),
        () => undefined,
      ),
    ).toMatchObject({ state: 'done', updated: 1, problems: [] });
    expect(await picture(app)).toMatch(/^new-/);
    expect(await app.sync('town', true)).toMatchObject({ state: 'unchanged', writes: 0 });
  });

  test('keeps a picture if an undo cannot bring back the previous one, and the run says so', async () => {
    const app = await town();
    real.images.add(NEW);
    withPicture(NEW);
    const { run } = await app.sync('town');
    // Not every site accepts the address of its own copy.
    const undone = await carryOn(
      app.context,
      app.setup('town'),
      await startUndo(app.context, app.setup('town'), run, undefined, BY_TESTER),
      () => undefined,
    );
    expect(undone).toMatchObject({
      state: 'done',
      problems: [{ code: 'image-refused', message: expect.not.stringContaining('tried again') as string }],
    });
    expect(await picture(app)).toMatch(/^new-/);
    syncing.clock.now += 100 * HOURS;
    expect(await app.sync('town', true)).toMatchObject({ writes: 0, conflicts: 0 });
  });

  test('keeps the picture with which a person replaced a refused one', async () => {
    const app = await town();
    withPicture(NEW);
    const { problems } = await app.sync('town');
    for (const address of [NEW, 'https://img.example/by-hand.jpg']) real.images.add(address);
    real.person.edit(problems[0]!.where.slug!, { image: 'https://img.example/by-hand.jpg' });
    syncing.clock.now += 100 * HOURS;
    expect(await app.sync('town', true)).toMatchObject({ writes: 0, conflicts: 0 });
    expect(await picture(app)).toMatch(/^by-hand-/);
  });
});
