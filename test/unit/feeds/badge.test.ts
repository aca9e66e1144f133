import { describe, expect, test } from 'vitest';
import { freshnessOf } from '../../../src/cli/web/feed-freshness.ts';
import type { Freshness } from '../../../src/feeds/pages/badge.ts';
import { decodeEntities } from '../../../src/html/references.ts';
import type { SourceFacts } from '../../../src/run/watch/source-state.ts';
import { feedWorld, NOW } from '../../support/feed-world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const shown = (svg: string): string => /<title>([^<]*)<\/title>/.exec(svg)?.[1] ?? '';

describe('the badge that shows how up to date a feed is', () => {
  test.each<readonly [freshness: Freshness, english: string, german: string, polish: string]>([
    [
      { kind: 'checked', at: NOW - 12 * MINUTE_MS },
      'calendar: checked 12 min ago',
      'Kalender: geprüft vor 12 Min.',
      'kalendarz: sprawdzono 12 min temu',
    ],
    [
      { kind: 'some', fresh: 16, all: 17 },
      'calendar: 16 of 17 sources up to date',
      'Kalender: 16 von 17 Quellen aktuell',
      'kalendarz: aktualne źródła: 16 z 17',
    ],
    [
      { kind: 'silent', since: NOW - 3 * DAY_MS },
      'calendar: last checked 3 days ago',
      'Kalender: zuletzt geprüft vor 3 Tagen',
      'kalendarz: ostatnio sprawdzono 3 dni temu',
    ],
    [
      { kind: 'silent', since: null },
      'calendar: not checked yet',
      'Kalender: noch nicht geprüft',
      'kalendarz: jeszcze nie sprawdzono',
    ],
    [
      { kind: 'paused' },
      'calendar: not checked at the moment',
      'Kalender: wird zurzeit nicht geprüft',
      'kalendarz: obecnie niesprawdzany',
    ],
    [{ kind: 'none' }, 'calendar: kept by hand', 'Kalender: von Hand gepflegt', 'kalendarz: prowadzony ręcznie'],
  ])('puts %j into words in each language', async (freshness, ...expected) => {
    const texts: string[] = [];
    for (const language of ['en', 'de', 'pl']) {
      const world = feedWorld([], undefined, { language });
      world.freshness.now = freshness;
      const svg = await (await world.get('/feeds/all.svg')).text();
      texts.push(shown(svg));
      // Green means checked recently.
      expect(svg.includes('#1a7f37')).toBe(freshness.kind === 'checked');
    }
    expect(texts).toEqual(expected);
  });

  test('is an SVG that caches keep for a minute and then revalidate', async () => {
    const world = feedWorld([]);
    const answer = await world.get('/feeds/all.svg');
    expect(answer.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
    const etag = answer.headers.get('etag')!;
    expect((await world.get('/feeds/all.svg', { 'if-none-match': etag })).status).toBe(304);
    world.clock.now += 5 * MINUTE_MS;
    const later = await world.get('/feeds/all.svg', { 'if-none-match': etag });
    expect(shown(await later.text())).toBe('calendar: checked 17 min ago');
  });

  test('exists for configured public feeds only', async () => {
    const world = feedWorld(
      [],
      [
        { id: 'all', title: 'All' },
        { id: 'staff', title: 'Staff', access: { secret: { reveal: () => 'abcdefgh-12345678' } } },
        { id: 'board', title: 'Board', access: { basic: { username: 'u', password: { reveal: () => 'p' } } } },
      ],
    );
    const basic = { authorization: `Basic ${Buffer.from('u:p').toString('base64')}` };
    const statuses = [
      (await world.get('/feeds/all.svg')).status,
      (await world.get('/feeds/staff.svg')).status,
      (await world.get('/feeds/~abcdefgh-12345678/staff.svg')).status,
      (await world.get('/feeds/board.svg', basic)).status,
      (await world.get('/feeds/category/music.svg')).status,
      (await world.get('/feeds/nothing.svg')).status,
    ];
    expect(statuses).toEqual([200, 404, 404, 404, 404, 404]);
  });

  test('is offered on the page of its feed, with the HTML to embed it', async () => {
    const world = feedWorld([]);
    const page = await (await world.get('/feeds/music')).text();
    const code = decodeEntities(/id="badge"[^>]* value="([^"]*)"/.exec(page)![1]!);
    expect(code).toBe(
      '<a href="https://cal.example/feeds/music"><img src="https://cal.example/feeds/music.svg" alt="Show how up to date it is" height="20"></a>',
    );
    expect(page).toContain('<img class="badge" src="/feeds/music.svg"');
    expect(await (await world.get('/feeds/category/music')).text()).not.toMatch(/music\.svg/);
  });
});

const factsOf = (more: Partial<SourceFacts>): SourceFacts => ({
  site: 'builtin',
  source: 'town',
  lastRun: null,
  isRunning: false,
  goodAt: NOW - 20 * MINUTE_MS,
  tookMs: 0,
  failures: null,
  held: null,
  conflicts: 0,
  kept: 5,
  coming: 2,
  missing: 0,
  changedAt: null,
  usualGapMs: null,
  dueAt: NOW + MINUTE_MS,
  nextAt: NOW + MINUTE_MS,
  pause: null,
  workerAt: NOW - 1_000,
  ...more,
});
const held = { run: 'r', since: NOW, why: 'much' };
const pause = { since: NOW, until: null, reason: null, by: 'clerk' };

describe('how up to date a site is', () => {
  test.each<readonly [what: string, facts: readonly SourceFacts[], expected: Freshness]>([
    ['there are no sources', [], { kind: 'none' }],
    [
      'the source checked longest ago counts',
      [factsOf({}), factsOf({ goodAt: NOW - 5 * MINUTE_MS })],
      { kind: 'checked', at: NOW - 20 * MINUTE_MS },
    ],
    ['a held plan is not up to date', [factsOf({}), factsOf({ held })], { kind: 'some', fresh: 1, all: 2 }],
    ['nor is an overdue source', [factsOf({ dueAt: NOW - DAY_MS })], { kind: 'some', fresh: 0, all: 1 }],
    ['a paused source is ignored', [factsOf({ pause }), factsOf({})], { kind: 'checked', at: NOW - 20 * MINUTE_MS }],
    ['all sources are paused', [factsOf({ pause })], { kind: 'paused' }],
    [
      'no worker is running',
      [factsOf({ workerAt: NOW - 5 * MINUTE_MS })],
      { kind: 'silent', since: NOW - 5 * MINUTE_MS },
    ],
    ['no worker has ever run', [factsOf({ workerAt: null })], { kind: 'silent', since: null }],
  ])('%s', (_, facts, expected) => expect(freshnessOf(facts, NOW)).toEqual(expected));
});
