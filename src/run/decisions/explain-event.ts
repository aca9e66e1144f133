import type { SiteClient } from '../../client/site-client.ts';
import { sql, type Kysely } from '../../db/database.ts';
import { AppError } from '../../error.ts';
import { absencesOf } from '../../sync/event/held-absences.ts';
import { FIELD_NAMES } from '../../sync/model/fields.ts';
import { conflictsIn, editedIn } from '../../sync/decisions/settle.ts';
import type { Json, LedgerEntry, Outcome, SiteEvent } from '../../sync/model/plan.ts';
import { batchesWith } from '../state/batches.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { waitingFor, type Waiting } from '../state/held.ts';
import { eventOnSite } from '../site/load-events.ts';
import { placeInFeed } from './place-in-feed.ts';
import type { InFeed } from './place-by-reading.ts';
import type { SiteAsRead } from './read-again.ts';

/** Why an event is as it is. */
export interface Explanation {
  readonly slug: string;
  readonly title: string;
  readonly source: string;
  readonly site: string;
  readonly id: number | null;
  /** kept, removed (by us), ignored (a person removed it). */
  readonly state: LedgerEntry['state'];
  readonly onSite: string | null;
  /** Why the site could not be read; the event is then described as it was after our last write. */
  readonly notAsked: string | null;
  readonly identity: {
    readonly rung: string;
    readonly identity: string;
    readonly uid: string | null;
    readonly key: string;
  };
  readonly feed: InFeed & {
    readonly missing: number;
    readonly fetched: Date | null;
    readonly good: Date | null;
  };
  readonly fields: Readonly<
    Record<
      string,
      {
        readonly origin: 'feed' | 'person' | 'site';
        readonly feed: Json;
        readonly site: Json;
        readonly conflict: boolean;
      }
    >
  >;
  readonly edits: readonly string[];
  readonly conflicts: readonly string[];
  /** What a held run would do to it. */
  readonly held: Waiting | null;
  readonly runs: readonly Touch[];
}

/** What one run did to an event. */
export interface Touch {
  readonly run: string;
  readonly at: Date;
  readonly action: string;
  readonly fields: readonly string[];
  readonly because: string;
  readonly outcome: Outcome['kind'] | null;
}

/** Gathers all that is known about an event; from our own database alone where the site cannot be read. */
export async function explainEvent(context: RunContext, setup: SourceSetup, entry: LedgerEntry): Promise<Explanation> {
  const query = context.database.query<unknown>();
  const asked = await onSiteNow(setup.site.client, entry);
  const onSite = asked instanceof AppError ? undefined : asked;
  const { slug, title, id, state, rung, identity, uid, key } = entry;
  return {
    slug,
    title,
    source: setup.name,
    site: setup.site.key,
    id,
    state,
    onSite: onSite?.status ?? null,
    notAsked: asked instanceof AppError ? asked.message : null,
    identity: { rung, identity: identity ?? '', uid, key },
    feed: {
      ...(await inFeed(context, setup, entry, asked instanceof AppError ? siteOf(entry) : undefined)),
      missing: Math.max(absencesOf(entry), 0),
      ...(await fetches(query, setup)),
    },
    fields: fieldsOf(entry, asked),
    edits: editedIn(entry, onSite),
    conflicts: conflictsIn(entry),
    held: (await waitingFor(query, setup, slug)) ?? null,
    runs: await touches(query, slug),
  };
}

/** Stands in for the site's settings when it cannot be read; times without a zone get the zone of the event. */
const siteOf = ({ fields }: LedgerEntry): SiteAsRead => ({
  timezone: String(fields.timezone?.returned ?? 'UTC'),
  venueCoordinates: false,
});

async function onSiteNow(client: SiteClient, entry: LedgerEntry): Promise<SiteEvent | undefined | AppError> {
  try {
    return await eventOnSite(client, entry);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function fieldsOf(entry: LedgerEntry, asked: SiteEvent | undefined | AppError): Explanation['fields'] {
  const onSite = asked instanceof AppError ? undefined : asked;
  const edited = new Set<string>(editedIn(entry, onSite));
  return Object.fromEntries(
    FIELD_NAMES.flatMap((field) => {
      const state = entry.fields[field];
      const site = (asked instanceof AppError ? state?.returned : onSite?.values[field]) ?? null;
      if (!state && site === null) return [];
      const feed = state?.feed ?? null;
      const origin = edited.has(field) ? 'person' : feedOrSite(feed);
      return [[field, { origin, feed, site, conflict: state?.conflict === true }]];
    }),
  );
}

const feedOrSite = (feed: Json): 'feed' | 'site' => (feed === null ? 'site' : 'feed');

async function inFeed(
  context: RunContext,
  setup: SourceSetup,
  entry: LedgerEntry,
  site: SiteAsRead | undefined,
): Promise<InFeed> {
  try {
    const place = await placeInFeed(context, setup, entry);
    if (place) return { where: place, presence: 'in the feed', touchedBy: [] };
    // Few events have to be read again, and what reads and plans them takes long to load.
    const { placeByReading } = await import('./place-by-reading.ts');
    return await placeByReading(context, setup, entry, site);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { where: null, presence: error.message, touchedBy: [] };
  }
}

async function fetches(
  query: Kysely<unknown>,
  { site, name }: SourceSetup,
): Promise<{ fetched: Date | null; good: Date | null }> {
  const { rows } = await sql<{
    fetched: Date | null;
    good: Date | null;
  }>`select fetched_at as fetched, good_at as good from calsync.sources where site = ${site.key} and source = ${name}`.execute(
    query,
  );
  return rows[0] ?? { fetched: null, good: null };
}

async function touches(query: Kysely<unknown>, slug: string): Promise<readonly Touch[]> {
  return (await batchesWith(query, slug)).flatMap(({ run, at, items, outcomes }) =>
    items.flatMap(({ action }, index): Touch[] =>
      'slug' in action && action.slug === slug
        ? [
            {
              run,
              at,
              action: action.kind,
              fields: Object.keys('changes' in action ? action.changes : action.fields).filter(
                (field) => field !== 'slug',
              ),
              because: action.because,
              outcome: outcomes[index]?.kind ?? null,
            },
          ]
        : [],
    ),
  );
}
