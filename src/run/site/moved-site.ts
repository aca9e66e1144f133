import { sql, type Queryable } from '../../db/database.ts';
import type { LedgerEntry } from '../../sync/model/plan.ts';
import { isEventOf } from '../../sync/compare/our-event.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { moveWishes } from '../watch/pauses.ts';
import { loadSourceRecord, type SourceRecord } from '../state/feed-state.ts';
import { loadLedger } from '../state/ledger.ts';
import { nullIfForbidden } from './event-reads.ts';
import { moveToName, nameOfEvents } from './former-names.ts';

type Query = Queryable;

/** The most events that are looked up by id; half of them must be found. */
const SAMPLE = 10;

/**
 * What is stored about a source. If the source has no ledger, one that it has under a former name or at a former
 * address of its site is moved to it first.
 */
export async function sourceRecordOf(context: RunContext, setup: SourceSetup): Promise<SourceRecord> {
  const { found, record } = await find(context, setup);
  if (found === setup) return record;
  await context.database.query().transaction((transaction) => move(transaction, found, setup));
  context.log.info(
    { source: setup.name, site: setup.site.key, former: { source: found.name, site: found.site.key } },
    'the source or its site has another name: what is known of its events goes with it',
  );
  return load(context, setup);
}

/** The same without moving anything: the source under its stored name and site, and what is stored. */
export async function sourceRecordAsStored(
  context: RunContext,
  setup: SourceSetup,
): Promise<{ readonly setup: SourceSetup; readonly record: SourceRecord }> {
  const { found, record } = await find(context, setup);
  return { setup: found, record: found === setup ? record : await load(context, found) };
}

const load = ({ database }: Pick<RunContext, 'database'>, { site, name }: SourceSetup): Promise<SourceRecord> =>
  loadSourceRecord(database.query(), site.key, name);

/** The source as its ledger names it: itself or, if it has no ledger, with a former name or site. */
async function find(
  context: RunContext,
  setup: SourceSetup,
): Promise<{ readonly found: SourceSetup; readonly record: SourceRecord }> {
  const record = await load(context, setup);
  if (record.hasLedger) return { found: setup, record };
  const name = await nameOfEvents(context, setup);
  if (name !== undefined) return { found: { ...setup, name }, record };
  const key = await formerAddress(context, setup);
  return { found: key === undefined ? setup : { ...setup, site: { ...setup.site, key } }, record };
}

const move = (query: Query, { name, site }: SourceSetup, to: SourceSetup): Promise<void> =>
  name === to.name ? moveSite(query, site.key, to) : moveToName(query, site.key, name, to.name);

/**
 * The former address of the site of a source, under which its ledger is stored (from before https, a new domain, or
 * naming the interface instead of the page). It must no longer be configured, and the site must have the ledger's
 * events under their ids. Throws AppError if the site cannot be asked.
 */
async function formerAddress(context: RunContext, setup: SourceSetup): Promise<string | undefined> {
  const query = context.database.query();
  for (const former of await formerAddresses(context, query, setup)) {
    const ledger = await loadLedger(query, former, setup.name);
    if (await isTheSame(setup, [...ledger.values()])) return former;
  }
  return undefined;
}

/** Former sites of this source without a run under way; none if it has a ledger on its present site. */
async function formerAddresses(
  { sources }: RunContext,
  query: Query,
  { name, site }: SourceSetup,
): Promise<readonly string[]> {
  const named = [...new Set([site.key, ...[...sources.values()].map((source) => source.site.key)])];
  const { rows } = await sql<{ site: string }>`
    select site from calsync.ledger as entry where source = ${name} and site <> all(${named}::text[])
      and not exists (select 1 from calsync.ledger as here where here.site = ${site.key} and here.source = ${name})
      and not exists (select 1 from calsync.leases as lease where lease.site = entry.site and lease.source = ${name})
    group by site order by max(changed_at) desc`.execute(query);
  return rows.map((row) => row.site);
}

async function isTheSame({ site }: SourceSetup, entries: readonly LedgerEntry[]): Promise<boolean> {
  const sample = entries
    .toSorted((one, other) => other.endsAt - one.endsAt)
    .flatMap((entry) => (entry.state === 'kept' && entry.id !== null ? [{ entry, id: entry.id }] : []))
    .slice(0, SAMPLE);
  let found = 0;
  for (const { entry, id } of sample) {
    const event = await site.client.read('events', { id }).catch(nullIfForbidden);
    if (event && isEventOf(event, entry)) found += 1;
  }
  return found > 0 && found * 2 >= sample.length;
}

/**
 * Moves what is stored about a source to a new site address. Unfinished runs stay where they are; what was exported to
 * subscribers concerns the whole site.
 */
async function moveSite(query: Query, from: string, { name, site: { key: to } }: SourceSetup): Promise<void> {
  await sql`update calsync.ledger as entry set site = ${to} where site = ${from} and source = ${name}
    and not exists (select 1 from calsync.ledger as there where there.site = ${to} and there.slug = entry.slug)`.execute(
    query,
  );
  await sql`delete from calsync.sources where site = ${to} and source = ${name}`.execute(query);
  for (const table of ['sources', 'unanswered'])
    await sql`update calsync.${sql.raw(table)} set site = ${to} where site = ${from} and source = ${name}`.execute(
      query,
    );
  await sql`update calsync.runs set site = ${to} where site = ${from} and source = ${name} and state not in ('reading', 'writing')`.execute(
    query,
  );
  await moveWishes(query, { site: from, source: name }, { site: to, source: name });
  for (const [table, column] of [
    ['exported_events', 'uid'],
    ['exported_content', 'uid'],
    ['exported_feeds', 'feed'],
  ] as const) {
    await sql`update calsync.${sql.raw(table)} as given set site = ${to} where site = ${from}
      and not exists (select 1 from calsync.${sql.raw(table)} as there
      where there.site = ${to} and there.${sql.raw(column)} = given.${sql.raw(column)})`.execute(query);
  }
}
