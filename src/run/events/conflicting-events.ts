import { AppError } from '../../error.ts';
import { sql } from '../../db/database.ts';
import type { Event } from '../../contract/representation.ts';
import { siteEventOf } from '../../sync/compare/site-values.ts';
import { isEventOf } from '../../sync/compare/our-event.ts';
import { conflictsIn } from '../../sync/decisions/settle.ts';
import type { FieldName } from '../../sync/model/fields.ts';
import type { Json, LedgerEntry, SiteEvent } from '../../sync/model/plan.ts';
import { nullIfForbidden } from '../site/event-reads.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { configuredIn, ofSources } from '../state/open-matters.ts';
import { CONFLICT_SINCE, ENTRY_COLUMNS, entryFromRow, type EntryRow } from '../state/ledger.ts';
import { eventLinksOf, NO_LINKS, type EventLinks } from './event-links.ts';
import { knownNames, linkedNames, namedValue, type NamesOfField } from './linked-names.ts';

/** An event that has changed both in its feed and on its site. */
export interface Conflict {
  readonly site: string;
  readonly source: string;
  readonly slug: string;
  /** Title and times as the site shows them now or, if that is unknown, as of our last write. */
  readonly title: string;
  readonly startsAt: number;
  /** In the event's own zone. */
  readonly start: string;
  readonly allDay: boolean;
  /** The zone; '' if unknown. */
  readonly timezone: string;
  /** When we first saw the conflict. */
  readonly since: Date;
  /**
   * When the event was last changed on the site, in UTC, and the author that the site names; null if the site cannot be
   * asked.
   */
  readonly changedHere: { readonly at: string; readonly author: string } | null;
  /** Why the site could not be reached, so that its current values are unknown. */
  readonly notAsked: string | null;
  readonly links: EventLinks;
  readonly fields: readonly ConflictingField[];
}

/** The three values of a field in conflict, with names for what is linked. `site` is undefined if it is unknown. */
export interface ConflictingField {
  readonly field: FieldName;
  readonly agreed: Json;
  /** When the site stored the agreed value, in UTC. */
  readonly agreedAt: string | null;
  readonly site: Json | undefined;
  readonly feed: Json;
}

/** Conflicts, in the order in which the events start, and the number of further ones. */
export interface Conflicts {
  readonly conflicts: readonly Conflict[];
  readonly more: number;
}

/** The limit on conflicts, as each event is read from its site. */
const CONFLICTS_MAX = 25;

/** Which conflicts to return; those of all sources if neither is given. */
export interface WhichConflicts {
  readonly source?: string | undefined;
  readonly slugs?: readonly string[];
}

/** The upcoming events of configured sources that are in conflict, at most `CONFLICTS_MAX` of them. */
export async function openConflictsIn(
  context: Pick<RunContext, 'database' | 'sources' | 'now'>,
  { source, slugs }: WhichConflicts = {},
): Promise<Conflicts> {
  const ofSource = source === undefined ? sql`true` : sql`source = ${source}`;
  const named = slugs === undefined ? sql`true` : sql`slug = any(${[...slugs]}::text[])`;
  const { rows } = await sql<Stored & { readonly all: number }>`
    select site, source, ${CONFLICT_SINCE} as since, count(*) over ()::int as "all", ${ENTRY_COLUMNS} from calsync.ledger
    where ${ofSources(configuredIn(context))} and ${ofSource} and ${named} and state = 'kept' and ends_at > ${context.now()} and digest is null
      and jsonb_path_exists(fields, '$.*.conflict ? (@ == true)')
    order by starts_at, site, slug limit ${CONFLICTS_MAX}`.execute(context.database.query());
  const conflicts: Conflict[] = [];
  for (const row of rows) conflicts.push(await conflictOf(row, context.sources.get(row.source)));
  return { conflicts, more: (rows[0]?.all ?? 0) - rows.length };
}

type Stored = EntryRow & { readonly site: string; readonly source: string; readonly since: number };

async function conflictOf(row: Stored, setup: SourceSetup | undefined): Promise<Conflict> {
  const { site, source, since } = row;
  const entry: LedgerEntry = entryFromRow(row);
  const { slug, startsAt } = entry;
  const about = { site, source, slug, startsAt, since: new Date(since) };
  const own = setup?.site.key === site ? setup : undefined;
  const shown = await shownNow(own, entry);
  const now = (field: FieldName): Json | undefined => shown.values[field] ?? agreedOn(field, entry);
  return {
    ...about,
    title: String(shown.values.title ?? entry.fields.title?.shown ?? entry.title),
    start: String(now('start_date') ?? ''),
    allDay: now('all_day') === true,
    timezone: String(now('timezone') ?? ''),
    changedHere: shown.event && { at: shown.event.modified_utc, author: shown.event.author },
    notAsked: shown.notAsked,
    links: shown.event && own ? await eventLinksOf(own.site, shown.event) : NO_LINKS,
    fields: conflictsIn(entry).map((field) => valuesOf(field, entry, shown.values, shown.names)),
  };
}

/** A field's value as the site returned it for our last write, else as the feed gives it. */
const agreedOn = (field: FieldName, { fields }: LedgerEntry): Json | undefined =>
  fields[field]?.returned ?? fields[field]?.feed;

interface Shown {
  readonly event: Event | null;
  readonly values: SiteEvent['values'];
  readonly names: NamesOfField;
  readonly notAsked: string | null;
}

const unknown = (notAsked: string): Shown => ({ event: null, values: {}, names: knownNames(undefined), notAsked });

async function shownNow(setup: SourceSetup | undefined, entry: LedgerEntry): Promise<Shown> {
  if (!setup || entry.id === null) return unknown('Its source is not in the configuration.');
  const { client } = setup.site;
  try {
    const event = await client.read('events', { id: entry.id }).catch(nullIfForbidden);
    if (!event || !isEventOf(event, entry)) return unknown('The site does not show it by itself.');
    const onSite = siteEventOf(event);
    return { event, values: onSite.values, names: await linkedNames(client, entry, onSite), notAsked: null };
  } catch (error) {
    if (error instanceof AppError) return unknown(error.message);
    throw error;
  }
}

function valuesOf(
  field: FieldName,
  { fields }: LedgerEntry,
  shown: SiteEvent['values'],
  names: NamesOfField,
): ConflictingField {
  const state = fields[field];
  const site = shown[field];
  return {
    field,
    agreed: namedValue(names, field, state?.returned),
    agreedAt: state?.at ?? null,
    site: site === undefined ? undefined : namedValue(names, field, site),
    feed: namedValue(names, field, state?.feed),
  };
}
