import type { SiteClient } from '../client/site-client.ts';
import type { Event } from '../contract/representation.ts';
import { sql, type Kysely } from '../db/database.ts';
import { withoutFields } from '../sync/ledger-after.ts';
import type { LedgerEntry, Refs, SiteEvent } from '../sync/plan.ts';
import { isEventOf } from '../sync/our-event.ts';
import { siteEventOf } from '../sync/site-values.ts';
import { keyOfSlug, withoutTrashed } from '../sync/slug.ts';
import { carriedOut, unansweredOf, type Carried, type Unanswered } from '../sync/unanswered.ts';
import { noteDone } from './batches.ts';
import type { SourceSetup } from './context.ts';
import { includeQueries, nullIfForbidden, SINGLE_READS_MAX } from './event-reads.ts';
import { saveEntries } from './ledger.ts';
import type { Batch } from './records.ts';

type Query = Kysely<unknown>;

/** With the run that gave it up. */
export interface Question extends Unanswered {
  readonly run: string;
}

/** What earlier runs of a source gave up without an answer, in the order in which it was written. */
export async function loadUnanswered(
  query: Query,
  { site, name }: Pick<SourceSetup, 'site' | 'name'>,
): Promise<readonly Question[]> {
  const { rows } =
    await sql<Question>`select run, action, change, refs from calsync.unanswered where site = ${site.key} and source = ${name} order by at, slug`.execute(
      query,
    );
  return rows;
}

/** Remembers what a run could not learn. It is asked first by the next one, however long the site is away. */
export async function saveUnanswered(
  query: Query,
  { site, name }: Pick<SourceSetup, 'site' | 'name'>,
  run: string,
  unanswered: readonly Unanswered[],
): Promise<void> {
  for (const { action, change, refs } of unanswered) {
    await sql`insert into calsync.unanswered (site, source, slug, run, action, change, refs)
      values (${site.key}, ${name}, ${change.entry.slug}, ${run}, ${JSON.stringify(action)}::jsonb, ${JSON.stringify(change)}::jsonb, ${JSON.stringify(refs)}::jsonb)
      on conflict (site, slug, run) do update set refs = excluded.refs`.execute(query);
  }
}

/** The same for a run that ends before it has tried again what a process was at when it died. */
export async function saveUnheard(
  query: Query,
  setup: Pick<SourceSetup, 'site' | 'name'>,
  batches: readonly Batch[],
  refs: Refs,
): Promise<void> {
  for (const { run, items, outcomes } of batches.filter(({ attempts }) => attempts > 0)) {
    const unheard = items.filter((_, index) => outcomes[index] === null);
    await saveUnanswered(
      query,
      setup,
      run,
      unheard.flatMap(({ action, change }) =>
        action.resource === 'events' && change ? [unansweredOf(action, change, refs)] : [],
      ),
    );
  }
}

/** The answer has come with a later attempt of the same run. */
export async function forgetAnswered(
  query: Query,
  { site }: Pick<SourceSetup, 'site'>,
  run: string,
  slugs: readonly string[],
): Promise<void> {
  await sql`delete from calsync.unanswered where site = ${site.key} and run = ${run} and slug = any(${[...slugs]}::text[])`.execute(
    query,
  );
}

/** The site has been asked about all that was open, except what is said. */
export async function forgetUnanswered(
  query: Query,
  site: string,
  source: string,
  except: readonly string[] = [],
): Promise<void> {
  await sql`delete from calsync.unanswered where site = ${site} and source = ${source} and slug <> all(${[...except]}::text[])`.execute(
    query,
  );
}

/** What a site shows now of what was given up. */
export interface Heard {
  /** What was carried out, with the ledger entries that follow from it. */
  readonly done: readonly Carried<Question>[];
  /** What was made beside an event of ours, under the slug of that: its question stays open until it is gone. */
  readonly twins: ReadonlyMap<string, SiteEvent>;
}

/** Asks a site about all that was given up. Throws AppError where the site cannot be asked: then it stays open. */
export async function hear(
  client: SiteClient,
  unanswered: readonly Question[],
  ledger: ReadonlyMap<string, LedgerEntry>,
): Promise<Heard> {
  const asked = new Map(unanswered.map(({ change: { entry } }) => [entry.slug, ledger.get(entry.slug) ?? entry]));
  const [known, unknown] = [
    new Map([...asked].filter(([, { id }]) => id !== null)),
    new Map([...asked].filter(([, { id }]) => id === null)),
  ];
  const shown = new Map([...(await read(client, known)), ...(await read(client, unknown))]);
  // To what bears another slug the site has appended something: the one that it met there may be on no list.
  const appended = new Map([...unknown].filter(([slug]) => (shown.get(slug)?.slug ?? slug) !== slug));
  for (const [slug, event] of await readEach(client, appended)) shown.set(slug, event);
  // The trash is on no list that does not ask for it, and no site shows an event in it by its id or its slug.
  const hidden = new Map([...asked].filter(([slug]) => !shown.has(slug)));
  const trashed = await listed(client, hidden, { status: 'trash' });
  const twins = await readTwins(client, unknown.size > SINGLE_READS_MAX ? appended : unknown, shown);
  const done = carriedOut(unanswered, ledger, new Map([...trashed, ...shown]));
  return { done: done.map((each) => (twins.has(each.entry.slug) ? asOlder(each) : each)), twins };
}

/** What was there before shows what people may have written. */
const asOlder = (carried: Carried<Question>): Carried<Question> => ({
  ...carried,
  entry: { ...carried.entry, fields: withoutFields(carried.entry.fields, carried.asked.change.awaits) },
  outcome: { ...carried.outcome, older: true },
});

// Of a create that met an event of ours which no list shows, the site has changed the slug.
async function readTwins(
  client: SiteClient,
  asked: Asked,
  shown: ReadonlyMap<string, SiteEvent>,
): Promise<Map<string, SiteEvent>> {
  const twins = new Map<string, SiteEvent>();
  for (const slug of asked.keys()) {
    const first = shown.get(slug);
    const twin = first && (await client.read('events', { slug: `${slug}-2` }).catch(nullIfForbidden));
    if (first && twin && twin.id !== first.id && twin.status !== 'trash') twins.set(slug, siteEventOf(twin));
  }
  return twins;
}

/** A ledger with what was heard. */
export const withHeard = (
  ledger: ReadonlyMap<string, LedgerEntry>,
  { done }: Heard,
): ReadonlyMap<string, LedgerEntry> => new Map([...ledger, ...done.map(({ entry }) => [entry.slug, entry] as const)]);

/** Stores what was heard: the entries, and that those runs did it, so that they can be taken back. What was made twice stays open. */
export async function storeHeard(
  query: Query,
  { site, name }: Pick<SourceSetup, 'site' | 'name'>,
  { done, twins }: Heard,
): Promise<void> {
  await saveEntries(query, site.key, name, [...new Map(done.map(({ entry }) => [entry.slug, entry])).values()]);
  for (const [run, own] of Map.groupBy(done, ({ asked }) => asked.run))
    await noteDone(query, run, new Map(own.map(({ entry, outcome }) => [entry.slug, outcome])));
  await forgetUnanswered(query, site.key, name, [...twins.keys()]);
}

/** Entries by slug, as the ledger or else the action that was given up has them. */
type Asked = ReadonlyMap<string, LedgerEntry>;

const read = (client: SiteClient, asked: Asked): Promise<Map<string, SiteEvent>> =>
  asked.size > SINGLE_READS_MAX ? listed(client, asked, {}) : readEach(client, asked);

async function readEach(client: SiteClient, asked: Asked): Promise<Map<string, SiteEvent>> {
  const shown = new Map<string, SiteEvent>();
  for (const [slug, entry] of asked) {
    const event = await readOne(client, entry);
    if (event && event.status !== 'trash') shown.set(slug, siteEventOf(event));
  }
  return shown;
}

async function readOne(client: SiteClient, entry: LedgerEntry): Promise<Event | null> {
  const byId = entry.id === null ? null : await client.read('events', { id: entry.id }).catch(nullIfForbidden);
  return byId && isEventOf(byId, entry) ? byId : client.read('events', { slug: entry.slug }).catch(nullIfForbidden);
}

async function listed(
  client: SiteClient,
  asked: Asked,
  query: Readonly<Record<string, string>>,
): Promise<Map<string, SiteEvent>> {
  const byKey = new Map([...asked.values()].map((entry) => [entry.key, entry]));
  const shown = new Map<string, SiteEvent>();
  for (const [list, filter] of [client.list, client.listElsewhere].flatMap((each) =>
    filtersFor(asked).map((filter) => [each, filter] as const),
  )) {
    for await (const event of list('events', { ...query, ...filter })) {
      const entry = byKey.get(keyOfSlug(event.slug) ?? '') ?? asked.get(withoutTrashed(event.slug));
      // Of several with one key the one that we know counts, else the first.
      if (entry && (event.id === entry.id || !shown.has(entry.slug))) shown.set(entry.slug, siteEventOf(event));
    }
  }
  return shown;
}

/** Fifty a request by their ids; for those whose id nobody knows, everything. */
function filtersFor(asked: Asked): readonly Readonly<Record<string, string>>[] {
  const ids = [...asked.values()].flatMap(({ id }) => id ?? []);
  return [...includeQueries(ids), ...(ids.length < asked.size ? [{}] : [])];
}
