import type { Abilities, SiteClient } from '../../client/site-client.ts';
import type { Event } from '../../contract/representation.ts';
import { isEventOf } from '../../sync/compare/our-event.ts';
import { siteEventOf } from '../../sync/compare/site-values.ts';
import { carriedOutWrites, type CarriedOutWrite } from '../../sync/event/late-answers.ts';
import { withoutFields } from '../../sync/event/ledger-after.ts';
import type { LedgerEntry, SiteEvent } from '../../sync/model/plan.ts';
import { keyOfSlug, withoutTrashed } from '../../sync/model/slug.ts';
import type { LostAnswers, Question } from '../state/lost-answers.ts';
import { readTwin } from './read-twin.ts';
import { includeQueries, nullIfForbidden, SINGLE_READS_MAX } from './event-reads.ts';

/**
 * Asks a site what became of all writes that were given up. Throws AppError if the site cannot be asked; they then stay
 * open.
 */
export async function askAboutLostAnswers(
  client: SiteClient,
  unanswered: readonly Question[],
  ledger: ReadonlyMap<string, LedgerEntry>,
): Promise<LostAnswers> {
  const asked = new Map(unanswered.map(({ change: { entry } }) => [entry.slug, ledger.get(entry.slug) ?? entry]));
  const [known, unknown] = [
    new Map([...asked].filter(([, { id }]) => id !== null)),
    new Map([...asked].filter(([, { id }]) => id === null)),
  ];
  const shown = new Map([...(await read(client, known)), ...(await read(client, unknown))]);
  // If the site appended something to the slug, an event that is in no list may already have that slug.
  const appended = new Map([...unknown].filter(([slug]) => (shown.get(slug)?.slug ?? slug) !== slug));
  for (const [slug, event] of await readEach(client, appended)) shown.set(slug, event);
  // Trashed events are only in lists that ask for them; they cannot be read by id or slug.
  const hidden = new Map([...asked].filter(([slug]) => !shown.has(slug)));
  const trashed = await listed(client, hidden, { status: 'trash' });
  const twins = await readTwins(client, unknown.size > SINGLE_READS_MAX ? appended : unknown, shown);
  const done = carriedOutWrites(unanswered, ledger, new Map([...trashed, ...shown]));
  return { done: done.map((each) => (twins.has(each.entry.slug) ? asOlder(each) : each)), twins };
}

/** An event that existed before our create may show people's edits, so its values do not count as sent by us. */
const asOlder = (carried: CarriedOutWrite<Question>): CarriedOutWrite<Question> => ({
  ...carried,
  entry: { ...carried.entry, fields: withoutFields(carried.entry.fields, carried.asked.change.pendingFields) },
  outcome: { ...carried.outcome, older: true },
});

// If the site changed the slug of a created event, an existing event that is in no list may have that slug.
async function readTwins(
  client: SiteClient,
  asked: Asked,
  shown: ReadonlyMap<string, SiteEvent>,
): Promise<Map<string, SiteEvent>> {
  const twins = new Map<string, SiteEvent>();
  for (const slug of asked.keys()) {
    const first = shown.get(slug);
    const twin = first && (await readTwin(client, slug, first.id).catch(nullIfForbidden));
    if (twin && twin.status !== 'trash') twins.set(slug, siteEventOf(twin));
  }
  return twins;
}

/** Entries by slug, from the ledger or else from the action that was given up. */
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
  const filters = filtersFor(await client.abilities(), asked);
  for (const [list, filter] of [client.list, client.listElsewhere].flatMap((each) =>
    filters.map((filter) => [each, filter] as const),
  )) {
    for await (const event of list('events', { ...query, ...filter })) {
      const entry = byKey.get(keyOfSlug(event.slug) ?? '') ?? asked.get(withoutTrashed(event.slug));
      // If several have the same key, the one that we know is preferred, else the first.
      if (entry && (event.id === entry.id || !shown.has(entry.slug))) shown.set(entry.slug, siteEventOf(event));
    }
  }
  return shown;
}

/** Filters for lists of events: by ids, plus the whole list if an id is unknown. */
function filtersFor(site: Abilities, asked: Asked): readonly Readonly<Record<string, string>>[] {
  const ids = [...asked.values()].flatMap(({ id }) => id ?? []);
  return [...includeQueries(site, ids), ...(ids.length < asked.size ? [{}] : [])];
}
