import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '../../src/db/database.ts';
import { startRestore } from '../../src/run/decisions/settle-event.ts';
import { planFromFeed } from '../../src/run/decisions/plan-from-feed.ts';
import type { RunContext } from '../../src/run/state/context.ts';
import { loadLedger } from '../../src/run/state/ledger.ts';
import { refsIn } from '../../src/sync/links/link.ts';
import { FIELD_NAMES, type FieldName } from '../../src/sync/model/fields.ts';
import type { Plan } from '../../src/sync/model/plan.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { calendarText, type FeedEvent } from '../support/feed-text.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../support/syncing-app.ts';

// Deciding about one event of a large feed costs as much as a run in which only this event has changed.

let syncing: SyncingApp;
let feeds: FeedServer;
let app: OpenedApp;
beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  app = await syncing.open(
    `builtin: { timezone: Europe/Warsaw }\nfetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n  town: { url: "${feeds.url}/town.ics" }\n`,
  );
});
afterEach(() => Promise.all([syncing.close(), feeds.close()]));

const publish = (events: readonly FeedEvent[]): void => feeds.on('/town.ics', body(calendarText(events)));

/** Events that share places and categories, spelled somewhat differently. */
const named = (): readonly FeedEvent[] =>
  Array.from({ length: 12 }, (_, index) => ({
    uid: `event-${index}@feed.example`,
    title: `Event ${index}`,
    start: `202703${String(index + 1).padStart(2, '0')}T180000`,
    lines: [
      `LOCATION:${index % 4 === 0 ? 'town hall' : 'Town Hall'}\\, Market ${index % 2}`,
      `CATEGORIES:Kind ${index % 3}`,
    ],
  }));

/** The context of the program, with a count of the events that each parse reads. */
function counting(): { readonly context: RunContext; readonly read: number[] } {
  const read: number[] = [];
  const { parser } = app.context;
  const parse: typeof parser.parse = async (input) => {
    const output = await parser.parse(input);
    read.push(output.kind === 'reading' ? output.reading.drafts.length : 0);
    return output;
  };
  return { context: { ...app.context, parser: { ...parser, parse } }, read };
}

/** Besides the event itself, one of the unchanged events is read, which stands for all of them. */
const EVENT_AND_ONE = 2;

const FIELDS: readonly (readonly FieldName[])[] = [['title'], ['venue'], ['categories'], FIELD_NAMES];

/** What would be written for each event if the feed decided some fields, and how many events were read each time. */
async function takenFromFeed(): Promise<{ plans: readonly Plan[]; read: readonly number[] }> {
  const { context, read } = counting();
  const setup = app.setup('town');
  const ledger = await loadLedger(context.database.query(), setup.site.key, setup.name);
  const plans: Plan[] = [];
  for (const [slug, entry] of ledger)
    for (const fields of FIELDS)
      plans.push(await planFromFeed(context, setup, new Map([[slug, entry]]), [{ slug, fields }]));
  return { plans, read };
}

/** The plan with only those refs that its actions use. */
function withRefsOfActions(plan: Plan): Plan {
  const used = new Set(plan.actions.flatMap((action) => (action.resource === 'events' ? refsIn(action) : [])));
  return { ...plan, refs: Object.fromEntries([...used].map((ref) => [ref, plan.refs[ref] ?? NaN])) };
}

test('taking a value from the feed reads only its event, and gives the same plan as reading everything', async () => {
  publish(named());
  await app.sync('town');
  // No run compares the events after this.
  const body = { title: 'By hand', venue: [], categories: [] };
  for (const { id } of await app.events()) await app.site.write([{ method: 'POST', path: `/events/${id}`, body }]);
  const part = await takenFromFeed();
  await sql`update calsync.sources set frame = null`.execute(app.context.database.query());
  const whole = await takenFromFeed();
  expect(part.plans.map(withRefsOfActions)).toEqual(whole.plans.map(withRefsOfActions));
  expect(part.plans.some(({ actions }) => actions.length > 0)).toBe(true);
  expect([new Set(part.read), new Set(whole.read)]).toEqual([new Set([EVENT_AND_ONE]), new Set([12])]);
});

test('restoring an event does not read the others', async () => {
  publish(named());
  await app.sync('town');
  const [{ id = 0, slug = '' } = {}] = await app.events();
  await app.site.write([{ method: 'DELETE', path: `/events/${id}` }]);
  await app.sync('town', true);
  const { context, read } = counting();
  expect(await startRestore(context, app.setup('town'), slug)).toMatchObject({ kind: 'writing' });
  expect(read).toEqual([EVENT_AND_ONE]);
});
