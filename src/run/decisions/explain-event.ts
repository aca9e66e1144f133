import type { SiteClient } from '../../client/site-client.ts';
import { sql, type Queryable } from '../../db/database.ts';
import { AppError } from '../../error.ts';
import { asPartOfSentence } from '../../problem.ts';
import type { Event } from '../../contract/representation.ts';
import { looksSame } from '../../sync/compare/looks-same.ts';
import { absencesOf } from '../../sync/event/held-absences.ts';
import { howRemoved, isWithdrawn } from '../../sync/event/life.ts';
import { withLocks } from '../../sync/event/locks.ts';
import { authorityOf } from '../../sync/event/merge.ts';
import type { FieldPlace } from '../../sync/formats/field-place.ts';
import { rulesByField } from '../../sync/formats/rules-by-field.ts';
import { FIELD_NAMES, isLinked, type FieldName } from '../../sync/model/fields.ts';
import { editedIn, unitOf } from '../../sync/decisions/settle.ts';
import type {
  Authority,
  EventAction,
  FieldState,
  Json,
  LedgerEntry,
  Outcome,
  Policy,
  RemoveEvent,
  SiteEvent,
} from '../../sync/model/plan.ts';
import { valuesBefore } from '../../sync/model/values-before.ts';
import { listActs, type Act } from '../watch/acts.ts';
import { feedDiffers } from '../events/feed-differs.ts';
import { eventLinksOf, NO_LINKS, type EventLinks } from '../events/event-links.ts';
import { sameElsewhere, type AlsoFrom } from '../events/symptoms.ts';
import { knownNames, linkedNames, namedValue, type NamesOfField } from '../events/linked-names.ts';
import { IN_FEED, whyNotNewer, type FieldSituation } from '../events/why-not-newer.ts';
import { nullIfForbidden } from '../site/event-reads.ts';
import { batchesWith } from '../state/batches.ts';
import { settingsWithoutZone, type RunContext, type SourceSetup } from '../state/context.ts';
import { rejectedFor, waitingFor, type Waiting } from '../state/held.ts';
import { eventOnSite } from '../site/load-events.ts';
import { fieldsInFeed } from './fields-in-feed.ts';
import { placeInFeed } from './place-in-feed.ts';
import type { FeedPresence } from './place-by-reading.ts';
import type { SiteAsRead } from './fresh-reading.ts';

/** Why an event is as it is. */
export interface Explanation {
  readonly slug: string;
  readonly title: string;
  readonly source: string;
  readonly site: string;
  readonly id: number | null;
  /** kept, removed (by us), ignored (removed by a person), detached (made a person's own). */
  readonly state: LedgerEntry['state'];
  /** How we removed it; null if we did not. */
  readonly removed: RemoveEvent['how'] | null;
  readonly onSite: string | null;
  /** Why the site could not be read; the event is then described as it was after our last write. */
  readonly notAsked: string | null;
  readonly identity: {
    readonly rung: string;
    readonly identity: string;
    readonly uid: string | null;
    readonly key: string;
  };
  readonly feed: Omit<FeedPresence, 'says'> & {
    readonly missing: number;
    readonly fetched: Date | null;
    readonly good: Date | null;
  };
  readonly fields: Readonly<Partial<Record<FieldName, ExplainedField>>>;
  /**
   * When the event was last changed on the site after our last write, and the author that the site names; null if it
   * was not.
   */
  readonly changedHere: { readonly at: string; readonly author: string } | null;
  readonly links: EventLinks;
  /** Why the site does not show what the feed says now, one reason per sentence. */
  readonly whyNotNewer: readonly string[];
  readonly edits: readonly FieldName[];
  readonly conflicts: readonly FieldName[];
  /** What a held run would do to the event. */
  readonly held: Waiting | null;
  /** What is probably the same event, from other sources. */
  readonly alsoFrom: AlsoFrom;
  readonly runs: readonly EventChange[];
  /** People's decisions about the event, by command or in the console, latest first; at most `ACTS_MAX`. */
  readonly acts: readonly Act[];
}

const ACTS_MAX = 100;

/** Where a field of an event comes from, and who decided it. */
export interface ExplainedField {
  readonly origin: 'feed' | 'person' | 'site';
  readonly feed: Json;
  readonly site: Json;
  /** What the site returned for our last write, which is the last value that feed and site agreed on. */
  readonly agreed: Json;
  readonly conflict: boolean;
  /** A person decided that the feed must not change it. */
  readonly locked: boolean;
  /** The site last refused the feed's picture, so the event is shown without it. */
  readonly refused: boolean;
  readonly authority: Authority;
  /** The places in the feed that give it, as written. */
  readonly from: readonly FieldPlace[];
  /** In words, the rules and settings of the source that affected it. */
  readonly rules: readonly string[];
  /** For terms, venues and organizers: the names that the values stand for. */
  readonly names?: Readonly<Record<'feed' | 'site' | 'agreed', readonly string[]>>;
}

/** What one run did to an event. */
export interface EventChange {
  readonly run: string;
  readonly at: Date;
  readonly action: string;
  readonly fields: readonly string[];
  /** Values before and after, with names for what is linked; for a removed event, its old values. */
  readonly changes: Readonly<Record<string, { readonly from: Json; readonly to: Json }>>;
  readonly because: string;
  readonly outcome: Outcome['kind'] | null;
}

/** Gathers everything known about an event; if the site cannot be read, from our own database only. */
export async function explainEvent(context: RunContext, setup: SourceSetup, entry: LedgerEntry): Promise<Explanation> {
  const query = context.database.query();
  const { asked, event } = await onSiteNow(setup.site.client, entry);
  const onSite = asked instanceof AppError ? undefined : asked;
  const status = onSite?.status ?? null;
  const { slug, title, id, state, rung, identity, uid, key } = entry;
  const away = asked instanceof AppError ? siteOf(entry) : undefined;
  const { says, ...found } = await inFeed(context, setup, entry, away);
  const said = entry.state === 'detached' && says ? withFeed(entry, says) : entry;
  const names = onSite ? await linkedNames(setup.site.client, said, onSite) : knownNames(undefined);
  const policy = setup.policy(context.now(), false);
  const fields = fieldsOf(said, asked, policy, names, await origins(context, setup, found));
  const held = (await waitingFor(query, setup, slug)) ?? null;
  const missing = Math.max(absencesOf(entry), 0);
  const removed = howRemoved(entry);
  return {
    slug,
    title,
    source: setup.name,
    site: setup.site.key,
    id,
    state,
    removed,
    onSite: status,
    notAsked: asked instanceof AppError ? asked.message : null,
    identity: { rung, identity: identity ?? '', uid, key },
    feed: { ...found, missing, ...(await fetches(query, setup)) },
    fields,
    edits: editsIn(entry, onSite),
    conflicts: FIELD_NAMES.filter((field) => fields[field]?.conflict),
    changedHere: changedHere(entry, event),
    links: event ? await eventLinksOf(setup.site, event) : NO_LINKS,
    whyNotNewer: whyNotNewer({
      state,
      removed,
      onSite: status,
      presence: found.presence,
      missing,
      isPinned: entry.pinned === true,
      removal: policy.missing,
      held,
      rejected: await rejectedFor(query, setup, slug),
      fields: Object.fromEntries(
        // The keys of an explanation are field names.
        (Object.entries(fields) as [FieldName, ExplainedField][]).map(([field, each]) => [
          field,
          { ...each, ...standingOf(field, each, entry) },
        ]),
      ),
    }),
    held,
    alsoFrom: await sameElsewhere(query, setup.site.key, setup.name, entry),
    runs: await touches(query, slug, names),
    acts: await listActs(query, { event: slug }, ACTS_MAX),
  };
}

function standingOf(
  field: FieldName,
  each: ExplainedField,
  { fields }: LedgerEntry,
): Pick<FieldSituation, 'isEdited' | 'isDue'> {
  const isTheirs = each.origin === 'person';
  const isOther = feedDiffers(field, each);
  return {
    isEdited: isTheirs && (isOther || each.feed === null),
    isDue: !isTheirs && isOther && fields[field]?.unlocked === true,
  };
}

/** The ledger does not follow the feed of a detached event, so the feed's values are taken from its last reading. */
const withFeed = (entry: LedgerEntry, says: Readonly<Partial<Record<FieldName, Json>>>): LedgerEntry => ({
  ...entry,
  fields: Object.fromEntries(
    FIELD_NAMES.flatMap((field) => {
      const state = entry.fields[field];
      return state || says[field] !== undefined
        ? [[field, { by: 'feed' as const, ...state, feed: says[field] ?? null }]]
        : [];
    }),
  ),
});

/** What the feed says about each field, and which rules affected it. */
interface Origins {
  readonly places: readonly FieldPlace[];
  readonly rules: ReturnType<typeof rulesByField>;
}

async function origins(context: RunContext, setup: SourceSetup, { where, touchedBy }: FeedPresence): Promise<Origins> {
  if (where === null) return { places: [], rules: {} };
  const settings = settingsWithoutZone(context.now(), setup);
  const places = await fieldsInFeed(context.database.query(), setup, where, settings);
  return { places, rules: rulesByField(settings, places, touchedBy) };
}

/** The time and author of a change that is later than our last write, by the site's clock. */
function changedHere({ fields }: LedgerEntry, event: Event | null): Explanation['changedHere'] {
  const ours = Object.values(fields)
    .flatMap(({ at }) => at ?? [])
    .toSorted()
    .at(-1);
  return event === null || ours === undefined || event.modified_utc <= ours
    ? null
    : { at: event.modified_utc, author: event.author };
}

/** Stands in for the site's settings if it cannot be read; times without a zone get the event's own zone. */
const siteOf = ({ fields }: LedgerEntry): SiteAsRead => ({
  timezone: String(fields.timezone?.returned ?? 'UTC'),
  venueCoordinates: false,
});

interface OnSiteNow {
  readonly asked: SiteEvent | undefined | AppError;
  /** The event as the site returns it; null if it is only in the trash, or is not shown on its own. */
  readonly event: Event | null;
}

async function onSiteNow(client: SiteClient, entry: LedgerEntry): Promise<OnSiteNow> {
  try {
    const asked = await eventOnSite(client, entry);
    return { asked, event: asked ? await client.read('events', { id: asked.id }).catch(nullIfForbidden) : null };
  } catch (error) {
    if (error instanceof AppError) return { asked: error, event: null };
    throw error;
  }
}

/**
 * The fields that a person has edited, as far as that is visible; the status is left out while we withdraw the event.
 */
const editsIn = (entry: LedgerEntry, onSite: SiteEvent | undefined): readonly FieldName[] =>
  editedIn(entry, onSite).filter((field) => field !== 'status' || !onSite || !isWithdrawn(entry, onSite));

function fieldsOf(
  entry: LedgerEntry,
  asked: OnSiteNow['asked'],
  policy: Policy,
  names: NamesOfField,
  { places, rules }: Origins,
): Explanation['fields'] {
  const onSite = asked instanceof AppError ? undefined : asked;
  const edited = editsIn(entry, onSite);
  const own = withLocks(policy, entry);
  const explained = (field: FieldName): ExplainedField | undefined => {
    const state = entry.fields[field];
    const site = (asked instanceof AppError ? state?.returned : onSite?.values[field]) ?? null;
    if (!state && site === null) return undefined;
    return {
      origin: edited.includes(field) ? 'person' : feedOrSite(state?.feed ?? null),
      ...valuesOf(field, state, site, names),
      authority: authorityOf(own, unitOf(field, [])),
      from: places.filter((place) => place.field === field),
      rules: rules[field] ?? [],
    };
  };
  return Object.fromEntries(
    FIELD_NAMES.flatMap((field) => {
      const one = explained(field);
      return one ? [[field, one]] : [];
    }),
  );
}

function valuesOf(
  field: FieldName,
  state: FieldState | undefined,
  site: Json,
  names: NamesOfField,
): Pick<ExplainedField, 'feed' | 'site' | 'agreed' | 'conflict' | 'locked' | 'refused' | 'names'> {
  const [feed, agreed] = [state?.feed ?? null, state?.returned ?? null];
  // The fields of a unit conflict together, but people only have to decide about those that differ.
  const conflict = state?.conflict === true && !looksSame(field, feed, site);
  const [locked, refused] = [state?.locked === true, state?.refused !== undefined];
  const values = { feed, site, agreed, conflict, locked, refused };
  if (!isLinked(field)) return values;
  return { ...values, names: { feed: names(field, feed), site: names(field, site), agreed: names(field, agreed) } };
}

const feedOrSite = (feed: Json): 'feed' | 'site' => (feed === null ? 'site' : 'feed');

async function inFeed(
  context: RunContext,
  setup: SourceSetup,
  entry: LedgerEntry,
  site: SiteAsRead | undefined,
): Promise<FeedPresence> {
  try {
    const place = await placeInFeed(context, setup, entry);
    if (place) return { where: place, presence: IN_FEED, touchedBy: [] };
    // Few events need a new reading, and the code for reading and planning takes long to load.
    const { placeByReading } = await import('./place-by-reading.ts');
    return await placeByReading(context, setup, entry, site);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { where: null, presence: asPartOfSentence(error.message), touchedBy: [] };
  }
}

async function fetches(
  query: Queryable,
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

async function touches(query: Queryable, slug: string, names: NamesOfField): Promise<readonly EventChange[]> {
  return (await batchesWith(query, slug)).flatMap(({ run, at, items, outcomes }) =>
    items.flatMap(({ action }, index): EventChange[] =>
      action.resource === 'events' && action.slug === slug
        ? [
            {
              run,
              at,
              action: action.kind,
              fields: Object.keys('changes' in action ? action.changes : action.fields).filter(
                (field) => field !== 'slug',
              ),
              changes: changesIn(action, names),
              because: action.because,
              outcome: outcomes[index]?.kind ?? null,
            },
          ]
        : [],
    ),
  );
}

/** The fields that an action changed. Withdrawing an event or marking it as cancelled leaves its other fields alone. */
function changedIn(action: EventAction): readonly string[] {
  if (action.kind === 'update') return Object.keys(action.changes);
  if (action.kind === 'remove' && action.how !== 'trash') return Object.keys(action.fields);
  return Object.keys({ ...valuesBefore(action), ...action.fields });
}

function changesIn(action: EventAction, names: NamesOfField): EventChange['changes'] {
  const [before, after] = [valuesBefore(action), action.fields];
  return Object.fromEntries(
    changedIn(action)
      .filter((field) => field !== 'slug')
      .map((field) => [
        field,
        { from: namedValue(names, field, before[field]), to: namedValue(names, field, after[field]) },
      ]),
  );
}
