import type { SiteClient } from '../../client/site-client.ts';
import type { Event } from '../../contract/representation.ts';
import { isEventOf } from '../../sync/compare/our-event.ts';
import { siteEventOf } from '../../sync/compare/site-values.ts';
import { carriedOut, type Carried } from '../../sync/event/late-answers.ts';
import { withoutFields } from '../../sync/event/ledger-after.ts';
import type { LedgerEntry, SiteEvent } from '../../sync/model/plan.ts';
import { keyOfSlug, withoutTrashed } from '../../sync/model/slug.ts';
import type { LostAnswers, Question } from '../state/lost-answers.ts';
import { readTwin } from './read-twin.ts';
import { includeQueries, nullIfForbidden, SINGLE_READS_MAX } from './event-reads.ts';

/** Asks a site about all that was given up. Throws AppError where the site cannot be asked: then it stays open. */
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
    const twin = first && (await readTwin(client, slug, first.id).catch(nullIfForbidden));
    if (twin && twin.status !== 'trash') twins.set(slug, siteEventOf(twin));
  }
  return twins;
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
