import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendDueMessages } from '../../src/alerts/send-due-messages.ts';
import type { AlertSettings, ReceiverSetup } from '../../src/alerts/settings.ts';
import { watchSources } from '../../src/alerts/watch-sources.ts';
import { openAlertHttp } from '../../src/alerts/channels/alert-http.ts';
import { ALERT_KIND_NAMES } from '../../src/config/alerts/alert-kinds.ts';
import { sql } from '../../src/db/database.ts';
import { jsonb } from '../../src/db/jsonb.ts';
import { createLogger } from '../../src/log.ts';
import { listDeliveries, undelivered } from '../../src/run/deliveries/deliveries.ts';
import type { WatchedSource } from '../../src/run/watch/facts.ts';
import { submittedItems } from '../../src/site/store/suggestions.ts';
import { wallFromInstant } from '../../src/time.ts';
import { freshDatabase, type FreshDatabase } from '../support/database.ts';
import { feedServer, type FeedServer } from '../support/feed-server.ts';
import { mailServer, type MailServer } from '../support/mail-server.ts';
import { heldPlanRow } from '../../src/run/state/held-plans.ts';
import type { Plan } from '../../src/sync/model/plan.ts';

// A fortnight of seven sources and six receivers, hour by hour, with a clock that the test moves. The test writes into
// the tables what the engine would write there, and every message goes out over SMTP or HTTP. Two processes look for
// due messages at the same time. docs/alerts.md shows the table of what was sent.

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const ZONE = 'Europe/Warsaw';
/** A Monday. */
const MONDAY = Date.parse('2027-01-11T00:00:00+01:00');
const HOURS = 14 * 24;

let fresh: FreshDatabase;
let mails: MailServer;
let web: FeedServer;
const http = openAlertHttp();
const log = createLogger('silent');
const posted: { readonly to: string; readonly body: Record<string, unknown> }[] = [];

beforeAll(async () => {
  [fresh, mails, web] = await Promise.all([freshDatabase(), mailServer(), feedServer()]);
});
afterAll(async () => {
  await http.close();
  await Promise.all([fresh.close(), mails.close(), web.close()]);
});
const query = () => fresh.database.query();

/** A span of time from one hour of the fortnight to another. */
interface Spell {
  readonly from: number;
  readonly to: number;
}
const spell = (day: number, hour: number, toDay: number, toHour: number): Spell => ({
  from: (day - 1) * 24 + hour,
  to: (toDay - 1) * 24 + toHour,
});
const isIn = ({ from, to }: Spell, hour: number): boolean => hour >= from && hour < to;

/** When sources fail; days of the fortnight from 1, hours in the town's time zone. */
const FAILS: Readonly<Record<string, readonly Spell[]>> = {
  // Refuses requests from the first Tuesday until the end.
  cinema: [spell(2, 8, 15, 0)],
  // Fails once, and later twice in a row.
  museum: [spell(3, 9, 3, 10), spell(5, 15, 5, 17)],
  // Fails during a night.
  library: [spell(7, 23, 8, 4)],
  // Fails, and is paused before a second message about it.
  'music-school': [spell(6, 10, 15, 0)],
};
const HELD = spell(4, 13, 5, 9);
const PAUSED = spell(6, 12, 15, 0);
const NOTHING_AHEAD = 9 * 24 + 12;
const CONFLICT = spell(10, 11, 12, 16);
/** Visitors suggest an event, and another one some hours later; an editor decides about both the next day. */
const SUGGESTED = { first: 2 * 24 + 11, second: 2 * 24 + 15, decided: 3 * 24 + 10 };
/** An author submits an event, which is published a day later. */
const HANDED_IN = spell(8, 14, 9, 14);
/** No worker is running. */
const AWAY = spell(13, 10, 13, 16);
/** The mail server accepts nothing. */
const MAILBOX_FULL = spell(11, 7, 11, 10);

const SOURCES = ['cinema', 'theatre', 'library', 'museum', 'choir', 'sports', 'music-school'];

const hourly = (source: string): WatchedSource => ({
  site: 'builtin',
  source,
  timesAfter: (after, count) =>
    Array.from(
      { length: count },
      (_, index) => (Math.floor((after - 20 * MINUTE) / HOUR) + 1 + index) * HOUR + 20 * MINUTE,
    ),
});

const receiver = (name: string, given: Partial<ReceiverSetup>): ReceiverSetup => ({
  name,
  channel: 'mail',
  hears: ALERT_KIND_NAMES.filter((kind) => kind !== 'digest'),
  sources: [],
  afterMs: 0,
  quiet: undefined,
  digestAt: 480,
  address: () => `${name}@town.example`,
  token: undefined,
  code: undefined,
  ...given,
});

const settings = (): AlertSettings => ({
  receivers: [
    receiver('clerk', {}),
    receiver('boss', { hears: ['failing', 'recovered'], afterMs: DAY }),
    receiver('office', { channel: 'slack', address: () => `${web.url}/slack`, hears: ['held', 'recovered'] }),
    receiver('phone', {
      channel: 'ntfy',
      address: () => `${web.url}/phone`,
      hears: ['failing', 'late', 'recovered'],
      quiet: { from: 22 * 60, to: 7 * 60 },
    }),
    receiver('theatre', { sources: ['theatre'] }),
    receiver('morning', { hears: ['digest'] }),
  ],
  mail: {
    server: mails.url,
    username: undefined,
    password: undefined,
    from: 'calendar@town.example',
    fromName: 'calsyncd, Town calendar',
  },
  zone: ZONE,
  zoneOf: () => ZONE,
  title: 'Town calendar',
  base: 'https://town.example',
});

const REFUSED = [
  { code: 'feed-forbidden', message: 'https://feeds.example/export.ics may not be read (403).', where: {} },
];

/** Stores one run of each source in an hour, as the engine would. */
async function runHour(hour: number): Promise<void> {
  const at = new Date(MONDAY + hour * HOUR + 20 * MINUTE);
  const rows = SOURCES.filter((source) => source !== 'music-school' || !isIn(PAUSED, hour)).map((source) => {
    const state = stateOf(source, hour);
    const changes = state === 'done' ? { created: 2, updated: 1, removed: 0 } : {};
    const report = { problems: state === 'failed' ? REFUSED : [], ...changes };
    return { run: `${source}-${hour}`, source, state, report, plan: state === 'held' ? held.plan : null };
  });
  await sql`with former as (update calsync.runs set state = 'superseded' where state = 'held'),
    beat as (insert into calsync.beats (part, at, process) values ('worker', ${at}, 'test') on conflict (part) do update set at = excluded.at)
    insert into calsync.runs (run, site, source, cause, state, started_at, finished_at, report, plan, actions, changes)
    select run, 'builtin', source, '{"kind":"schedule"}', state, ${at}, ${at}, report, plan,
      case when state = 'held' then ${held.actions}::bytea[] end, case when state = 'held' then ${held.changes}::bytea[] end
    from jsonb_to_recordset(${jsonb(rows)}) as each (run text, source text, state text, report jsonb, plan jsonb)`.execute(
    query(),
  );
}

function stateOf(source: string, hour: number): string {
  if ((FAILS[source] ?? []).some((each) => isIn(each, hour))) return 'failed';
  if (source === 'theatre' && isIn(HELD, hour)) return 'held';
  return source === 'library' && hour % 24 === 6 ? 'done' : 'unchanged';
}

const WHY =
  'This would remove 17 of 38 upcoming events (45 %); more than 3 and more than 20 % at once wait for a person.';
const PLAN = {
  held: WHY,
  reasons: [{ kind: 'removals', count: 17, all: 38, limit: { share: 0.2, moreThan: 3 }, message: WHY }],
  ledger: {},
  actions: Array.from({ length: 17 }, (_, index) => ({
    kind: 'remove',
    resource: 'events',
    slug: `theatre-${index}`,
    id: index,
    title: `Evening ${index} of theatre`,
    how: 'trash',
    fields: {},
    before: {},
    because: 'gone from the feed',
  })),
};
const held = await heldPlanRow(PLAN as unknown as Plan);

async function befall(hour: number): Promise<void> {
  if (hour === 0)
    await sql`insert into calsync.ledger (site, slug, source, key, rung, identity, title, starts_at, ends_at, state, fields)
      select 'builtin', source || '-' || index, source, source || '-' || index, 'uid', index, 'Evening ' || index, at, at + ${HOUR}::bigint, 'kept', '{}'
      from unnest(${SOURCES}::text[]) as source, generate_series(0, 37) as index,
        lateral (select ${MONDAY + 30 * DAY}::bigint + index * ${DAY}::bigint as at) as starts`.execute(query());
  if (hour === PAUSED.from)
    await sql`insert into calsync.pauses (site, source, since, until, reason, name)
      values ('builtin', 'music-school', ${new Date(MONDAY + hour * HOUR)}, null, 'holidays', 'clerk')`.execute(
      query(),
    );
  if (hour === HELD.to) {
    await sql`update calsync.runs set state = 'rejected' where state = 'held'`.execute(query());
    await sql`insert into calsync.acts (at, name, via, kind, site, source, reason)
      values (${new Date(MONDAY + hour * HOUR)}, 'clerk', 'console', 'reject', 'builtin', 'theatre', 'one line cut, asked them')`.execute(
      query(),
    );
  }
  if (hour === NOTHING_AHEAD)
    await sql`update calsync.ledger set ends_at = ${MONDAY} where source = 'choir'`.execute(query());
  if (hour === CONFLICT.from || hour === CONFLICT.to)
    await sql`update calsync.ledger set fields = ${jsonb(hour === CONFLICT.from ? { title: { conflict: true } } : {})}
      where source = 'sports' and slug in ('sports-3', 'sports-4')`.execute(query());
  await submit(hour);
  mails.refuse(isIn(MAILBOX_FULL, hour) ? { code: 452, words: 'mailbox full' } : undefined);
}

/** What visitors suggest and authors submit, and what editors decide. */
async function submit(hour: number): Promise<void> {
  const at = new Date(MONDAY + hour * HOUR);
  if (hour === SUGGESTED.first || hour === SUGGESTED.second)
    await sql`insert into site.suggestions (made_at, state, fields, email)
      values (${at}, 'waits', '{"title": "Buy at https://evil.example"}', 'neighbour@mail.example')`.execute(query());
  if (hour === SUGGESTED.decided)
    await sql`update site.suggestions set state = 'taken', decided_at = ${at}`.execute(query());
  if (hour === HANDED_IN.from)
    await sql`insert into site.events (slug, title, status, author, language, published_at, dated, modified_at, start_wall,
        end_wall, start_at, end_at, timezone, all_day)
      select 'choir-night', 'Choir night', 'pending', min(id), 'en', ${at}, false, ${at}, '2027-03-01 19:00', '2027-03-01 21:00',
        ${at}, ${at}, ${ZONE}, false from site.users`.execute(query());
  if (hour === HANDED_IN.to) await sql`update site.events set status = 'publish'`.execute(query());
}

interface Line {
  readonly when: string;
  readonly to: string;
  readonly subject: string;
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

function moment(now: number): string {
  const days = Math.floor((now - MONDAY) / DAY);
  return `day ${days + 1}, ${DAYS[(days + 1) % 7]} ${wallFromInstant(now, ZONE).slice(11, 16)}`;
}

test('in a fortnight of failures every message is sent once, in the right words', async () => {
  for (const path of ['/slack', '/'])
    web.on(path, (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        posted.push({ to: path, body: JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown> });
        response.end();
      });
    });
  const lines: Line[] = [];
  let [mailsSeen, postsSeen] = [0, 0];
  let unreached: readonly string[] = [];
  for (let hour = 0; hour < HOURS; hour += 1) {
    await befall(hour);
    if (!isIn(AWAY, hour)) await runHour(hour);
    const now = MONDAY + hour * HOUR + 30 * MINUTE;
    const looking = {
      database: fresh.database,
      log,
      http,
      now: () => now,
      watched: (at: number) => watchSources(query(), SOURCES.map(hourly), at),
      settings: settings(),
      submissions: () => submittedItems(query()),
      checkingSince: MONDAY - DAY,
    };
    await Promise.all([sendDueMessages(looking), sendDueMessages(looking)]);
    const sent = [
      ...mails.mails
        .slice(mailsSeen)
        .map(({ to, headers }) => ({ to: to[0]?.split('@')[0] ?? '', subject: headers['subject'] ?? '' })),
      ...posted.slice(postsSeen).map(({ to, body }) => ({
        to: to === '/slack' ? 'office' : 'phone',
        subject: String(body['title'] ?? body['text']),
      })),
    ];
    // Messages to several receivers are sent at the same time, in no fixed order.
    lines.push(
      ...sent.toSorted((one, other) => one.to.localeCompare(other.to)).map((line) => ({ when: moment(now), ...line })),
    );
    [mailsSeen, postsSeen] = [mails.mails.length, posted.length];
    if (hour === MAILBOX_FULL.to - 1) unreached = (await undelivered(query())).map(({ receiver: name }) => name);
  }
  expect(unreached.toSorted()).toEqual(['boss', 'clerk', 'morning']);
  const table = tableOf(lines);
  expect(table).toBe(/<!-- fortnight -->\n\n```\n([\s\S]*?)```/.exec(readFileSync('docs/alerts.md', 'utf8'))?.[1]);
  // No mail was sent twice: each has its own Message-ID.
  expect(new Set(mails.mails.map(({ headers }) => headers['message-id'])).size).toBe(mails.mails.length);
  expect(await undelivered(query())).toEqual([]);
  const { deliveries, count } = await listDeliveries(query(), 1000);
  expect(deliveries.filter(({ state }) => state === 'sent')).toHaveLength(lines.length);
  expect(count).toBe(deliveries.length);
});

function tableOf(lines: readonly Line[]): string {
  const width = Math.max(...lines.map(({ when }) => when.length));
  return lines.map(({ when, to, subject }) => `${when.padEnd(width)}  ${to.padEnd(7)}  ${subject}\n`).join('');
}

test('all mails about a source form one thread, and later ones refer to the first about the failure', () => {
  const toClerk = mails.mails.filter(
    ({ to, headers }) => to[0] === 'clerk@town.example' && headers['subject']?.startsWith('cinema'),
  );
  const [first, ...others] = toClerk;
  const root = first?.headers['references'];
  expect(root).toMatch(/^<source-[\w-]+@town\.example>$/);
  expect(others.length).toBeGreaterThan(1);
  for (const { headers } of others.filter((mail) => !mail.headers['subject']?.includes('were not read')))
    expect(headers['references']).toBe(`${root} ${first?.headers['message-id']}`);
});

const textOf = (to: string, subject: string): string | undefined =>
  mails.mails.find((mail) => mail.to[0] === `${to}@town.example` && mail.headers['subject'] === subject)?.text;

test('a mail says what fails, what visitors see, who must act, and what comes next', () => {
  expect(textOf('clerk', 'cinema: still failing, day 3 (the address may not be read)'))
    .toBe(`cinema has not been read since Tuesday 08:20: the address may not be read. It was tried 49 times.

Visitors see its 38 coming events, as of Tuesday 07:20.

The publisher must act. https://feeds.example/export.ics may not be read (403).

We try again at 09:20. If nothing is done, nothing changes. The next reminder comes on 21 Jan, on day 10.

See why: https://town.example/operator/sources/cinema/

-- \nThis opens a page; nothing is decided by opening it. You get this as “clerk” under alerts in the configuration of calsyncd.
`);
});

test('a mail about a held plan has its reasons, and the one about its end who decided', () => {
  expect(textOf('clerk', 'theatre: 17 of 38 coming events would be removed')).toContain(
    'This run would remove 17 of 38 coming events (45 %; you allow 20 %). The missing ones are all before ' +
      '26 February.\n\nNothing is written until a person approves it. Visitors still see its 38 coming events.',
  );
  expect(textOf('clerk', 'theatre: settled')).toMatch(
    /^clerk rejected the plan: “one line cut, asked them”\.\n\nVisitors see its 38 coming events/,
  );
});

test('mails report submissions and suggestions, and quote nothing that strangers wrote', () => {
  expect(textOf('clerk', '1 event submitted')).toBe(`An author has submitted “Choir night”.

Visitors do not see it until an editor publishes it.

If you do nothing, it keeps waiting; there is no further reminder.

Review: https://town.example/edit/review/

-- \nThis opens a page; nothing is decided by opening it. You get this as “clerk” under alerts in the configuration of calsyncd.
`);
  const suggested = mails.mails.filter(({ headers }) => headers['subject']?.startsWith('1 suggestion'));
  expect(suggested.map(({ to }) => to[0])).toEqual(['clerk@town.example', 'clerk@town.example']);
  expect(suggested[1]?.text).toContain('A visitor has suggested an event. 1 more has been waiting already.');
  expect(JSON.stringify(mails.mails)).not.toMatch(/evil|neighbour/);
  expect(textOf('clerk', 'Suggestions: settled')).toMatch(/^No suggestion is waiting any more\.\n/);
});

test('a digest says what waits, what has changed, and which failures were over without a message', () => {
  const digests = mails.mails.filter(({ to }) => to[0] === 'morning@town.example');
  expect(digests).toHaveLength(14);
  expect(digests[7]?.text).toContain('Failed for a while, and works again:\nlibrary, 5 times\n');
  expect(digests[9]?.text).toMatch(
    new RegExp(
      '^Of 7 sources, 1 needs a look:\ncinema: The publisher must act: .*\n\n' +
        'In the last 24 hours:\nlibrary: 2 new, 1 changed\n\nOpen the console: https://town\\.example/operator/\n',
    ),
  );
});
