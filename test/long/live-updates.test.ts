import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../src/db/database.ts';
import { html } from '../../src/html/template.ts';
import type { Asked, LivePart, Operator } from '../../src/operator/frame/operator.ts';
import { parts as generalParts } from '../../src/operator/live/general-parts.ts';
import { makeLiveChannel, type LiveChannel } from '../../src/operator/live/live-channel.ts';
import { listRuns, loadRun } from '../../src/run/state/records.ts';
import { keepSuggestion, waitingForReview, type SuggestedFields } from '../../src/site/store/suggestions.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText, feedEvents } from '../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';
import { until } from '../support/until.ts';

// The streams of open pages, fed by real runs and the notifications of a real database.

let syncing: SyncingApp;
let feeds: FeedServer;
let app: OpenedApp;
let channel: LiveChannel;
let silentMs: number | undefined;
/** Sessions that are no longer valid. */
let former: Set<string>;

/** The parts that were rendered, in order. */
let made: string[];
const PARTS: readonly LivePart[] = [
  ...generalParts,
  {
    name: 'runs',
    concerns: ({ kind }) => kind === 'run',
    show: async ({ operator }) => {
      made.push('runs');
      const runs = await listRuns(operator.context.database.query(), undefined, 5);
      return html`<p id="runs">${runs.map(({ source, state }) => `${source} ${state}`).join(', ')}</p>`;
    },
  },
  {
    name: 'submitted',
    concerns: ({ kind }) => kind === 'submission',
    show: async ({ operator }) => {
      made.push('submitted');
      const { handedIn, suggestions } = await waitingForReview(operator.context.database.query());
      return html`<p id="submitted">${handedIn.count} handed in, ${suggestions.count} suggested</p>`;
    },
  },
  {
    name: 'mine',
    isPersonal: true,
    concerns: ({ kind }, of) => kind === 'note' && of === 'x',
    show: async ({ person, url }) => {
      made.push('mine');
      return html`<p id="mine">${person.name} at ${url.pathname}</p>`;
    },
  },
];

beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  app = await syncing.open(
    `fetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n  town: { url: "${feeds.url}/town.ics", missing: { after: 1 } }\n`,
  );
  made = [];
  silentMs = 2_000;
  former = new Set();
  channel = channelThatBeats(50);
});
afterEach(async () => {
  await channel.close();
  await Promise.all([syncing.close(), feeds.close()]);
});

/** Every fourth beat renders all parts again. */
const channelThatBeats = (beatMs: number): LiveChannel =>
  makeLiveChannel({
    operator: { context: app.context, config: () => app.config } as Operator,
    parts: PARTS,
    silentMs: async () => silentMs,
    isStill: async ({ caller: { session } }) => !former.has(session),
    betweenMs: 5,
    beatMs,
  });

interface Heard {
  readonly event: string;
  readonly data: string;
  readonly id: string;
}

/** An open page, and what it has received so far. */
interface Page {
  readonly heard: Heard[];
  /** How many comments came, which only keep the connection open. */
  readonly comments: () => number;
  readonly status: number;
  readonly ended: Promise<void>;
  readonly leave: () => Promise<void>;
}

function openPage(names: readonly string[], { session = 's', name = 'clerk', lastId = '' } = {}): Page {
  const headers = lastId === '' ? {} : { 'last-event-id': lastId };
  const asked = {
    base: '',
    caller: { session },
    person: { name },
    request: new Request('http://x/operator/live', { headers }),
  } as unknown as Asked;
  const response = channel.open(asked, new URL('http://x/operator/sources/'), names);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  const heard: Heard[] = [];
  let comments = 0;
  const read = async (): Promise<void> => {
    let text = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const blocks = (text + part.value).split('\n\n');
      text = blocks.pop()!;
      for (const block of blocks) {
        if (block.startsWith(':')) comments += 1;
        const field = (key: string): string =>
          [...block.matchAll(new RegExp(`^${key}: ?(.*)$`, 'gm'))].map(([, value]) => value).join('\n');
        if (field('event') !== '') heard.push({ event: field('event'), data: field('data'), id: field('id') });
      }
    }
  };
  return { heard, comments: () => comments, status: response.status, ended: read(), leave: () => reader.cancel() };
}

const partsOf = ({ heard }: Page): readonly string[] =>
  heard.flatMap(({ event, data }) => (event === 'part' ? [data] : []));
const heardPart = (page: Page, text: string): Promise<unknown> =>
  until(`a part with "${text}"`, () => partsOf(page).at(-1)?.includes(text));

const heardPage = (page: Page, handedIn: number, suggested: number): Promise<unknown> =>
  heardPart(page, `${handedIn} handed in, ${suggested} suggested`);

describe('an open page', () => {
  test('gets each run as it progresses, and each state once', async () => {
    feeds.on('/town.ics', body(calendarText(feedEvents(10))));
    const page = openPage(['runs']);
    await heardPart(page, '<p id="runs"></p>');
    await app.sync('town');
    await heardPart(page, 'town done');
    const shown = partsOf(page);
    expect(new Set(shown).size).toBe(shown.length);
  });

  test('gets submissions and suggestions, and no update for other writes', async () => {
    const query = app.context.database.query();
    await channel.close();
    channel = channelThatBeats(60_000);
    const page = openPage(['submitted']);
    await heardPage(page, 0, 0);
    const fields = { title: 'Street party' } as unknown as SuggestedFields;
    await keepSuggestion(query, { fields, email: '' }, Date.now());
    await heardPage(page, 0, 1);
    await sql`update site.suggestions set state = 'refused'`.execute(query);
    await heardPage(page, 0, 0);
    const event = (status: string) =>
      sql`
      insert into site.events (slug, title, status, author, language, published_at, dated, modified_at, start_wall, end_wall,
          start_at, end_at, timezone, all_day)
        select 'choir', 'Choir', ${status}, min(id), 'en', now(), false, now(), now(), now(), now(), now(), 'UTC', false
        from site.users returning id`.execute(query);
    await event('pending');
    await heardPage(page, 1, 0);
    await sql`update site.events set status = 'publish'`.execute(query);
    await heardPage(page, 0, 0);
    const before = made.length;
    await sql`update site.events set title = 'Choir night'`.execute(query);
    await sql`delete from site.events`.execute(query);
    await keepSuggestion(query, { fields, email: '' }, Date.now());
    await heardPage(page, 0, 1);
    expect(made.length - before).toBe(1);
  });

  test('is told when its plan is superseded', async () => {
    feeds.on('/town.ics', body(calendarText(feedEvents(10))));
    await app.sync('town');
    feeds.on('/town.ics', body(calendarText(feedEvents(10).slice(8))));
    const { run, state } = await app.sync('town');
    expect(state).toBe('held');
    const page = openPage([`held:${run}`]);
    await until('a beat', () => page.heard.some(({ event }) => event === 'beat'));
    expect(page.heard.filter(({ event }) => event !== 'beat')).toEqual([]);
    feeds.on('/town.ics', body(calendarText(feedEvents(10).slice(7))));
    await app.sync('town');
    expect((await loadRun(app.context.database.query(), run))?.state).toBe('superseded');
    await until('the end of the plan', () => page.heard.some(({ event }) => event === 'superseded'));
  });

  test('gets decisions that concern it as they are committed', async () => {
    const page = openPage(['mine:x']);
    await heardPart(page, 'clerk at /operator/sources/');
    const before = made.length;
    const query = app.context.database.query();
    await sql`insert into calsync.notes (site, source, text, name) values ('builtin', 'town', 'call them', 'clerk')`.execute(
      query,
    );
    await until('the part to be made anew', () => made.length > before);
    expect(new Set(made)).toEqual(new Set(['mine']));
  });

  test('shares parts that are the same for all pages, rendered once', async () => {
    await channel.close();
    channel = channelThatBeats(60_000);
    const pages = Array.from({ length: 40 }, (_, index) => openPage(['runs'], { session: `s${index}` }));
    for (const page of pages) await heardPart(page, '<p id="runs">');
    expect(made.length).toBeLessThan(10);
    expect(channel.count()).toBe(40);
  });

  test('gets nothing again that it had before its stream was cut off', async () => {
    const first = openPage(['runs', 'mine:x']);
    await until('both parts', () => partsOf(first).length === 2);
    const { id } = first.heard.findLast(({ event }) => event === 'part')!;
    await first.leave();
    await until('the page to be gone', () => channel.count() === 0);
    const second = openPage(['runs', 'mine:x'], { lastId: id });
    await until('both parts to be made', () => made.length >= 4);
    await until('a beat', () => second.heard.filter(({ event }) => event === 'beat').length > 1);
    expect(partsOf(second)).toEqual([]);
  });
});

describe('the time since the worker was last heard of', () => {
  test('is sent while a worker is alive, and not after that', async () => {
    const page = openPage([]);
    await until('a beat', () => page.heard.some(({ event, data }) => event === 'beat' && data === '2'));
    silentMs = 61_000;
    await until('silence', () => page.comments() > 0);
    const before = page.heard.length;
    await until('more of it', () => page.comments() > 2);
    expect(page.heard.length).toBe(before);
    silentMs = 0;
    await until('a word', () => page.heard.length > before);
  });
});

describe('a stream', () => {
  test('ends with its session, and others do not', async () => {
    const [mine, other] = [openPage([], { session: 'a' }), openPage([], { session: 'b' })];
    channel.endSession('a');
    await mine.ended;
    expect(channel.count()).toBe(1);
    await channel.close();
    await other.ended;
  });

  test('ends when its session is no longer valid', async () => {
    const mine = [openPage([], { session: 'a' }), openPage([], { session: 'a' })];
    const other = openPage([], { session: 'b' });
    former.add('a');
    await Promise.all(mine.map(({ ended }) => ended));
    expect(channel.count()).toBe(1);
    await channel.close();
    await other.ended;
  });

  test('is refused if it asks for more parts than pages have', () =>
    expect(openPage(Array.from({ length: 41 }, () => 'runs')).status).toBe(400));

  test('is refused if its session has twelve already', () => {
    const pages = Array.from({ length: 14 }, () => openPage([]));
    expect(pages.map(({ status }) => status)).toEqual([...Array.from({ length: 12 }, () => 200), 429, 429]);
  });
});
