import type { SiteClient } from '../../client/site-client.ts';
import type { Event } from '../../contract/representation.ts';
import { AppError } from '../../error.ts';
import { assumedEvents, decidedSlugs, listsNeeded } from '../../sync/plan/assumed-events.ts';
import { withPauses } from '../../pauses.ts';
import { planInSteps, type PlanInput } from '../../sync/plan/plan-changes.ts';
import { NO_REMAINDER } from '../../sync/model/unread-remainder.ts';
import type { LedgerEntry, Plan, SiteEvent, Snapshot } from '../../sync/model/plan.ts';
import { isEventOf } from '../../sync/compare/our-event.ts';
import { siteEventOf } from '../../sync/compare/site-values.ts';
import { assertSomeRead, errorIfForbidden, nullIfForbidden, SINGLE_READS_MAX } from './event-reads.ts';
import { listedOf } from './load-snapshot.ts';
import { LISTS } from './site-lists.ts';

/** A plan made without a full comparison, and the events that were read for it one by one, as the site showed them. */
export interface PlannedChanges {
  readonly plan: Plan;
  readonly seen: ReadonlyMap<string, Event>;
}

type Lists = Partial<Omit<Snapshot, 'events'>>;
interface Looked {
  /** Events that were read one by one. */
  readonly events: Map<string, Event>;
  /** Events that were read from lists. */
  readonly listed: Map<string, SiteEvent>;
  readonly absent: Set<string>;
  /** By slug, why an event may not be read. */
  readonly unread: Map<string, string>;
  readonly lists: { -readonly [Name in keyof Lists]: Lists[Name] };
}

const EVENTS_PER_PAGE = 50;
const ROUNDS_MAX = 5;

/**
 * Plans a changed feed on the assumption that the site is as we left it. Only reads the events about which something is
 * decided, by id, and the lists whose names matter. Null if a full comparison is needed, because many events are new or
 * an event is not where it was.
 */
export async function planChanged(
  client: SiteClient,
  planning: Omit<PlanInput, 'snapshot'>,
  from: number,
): Promise<PlannedChanges | null> {
  const { ledger, remainder = NO_REMAINDER } = planning;
  const assumed = assumedEvents(ledger, from, remainder.count);
  if (assumed === null) return null;
  // The cost of a full comparison: the pages of the known events, and four lists.
  const known = assumed.size + remainder.count;
  const requestsMax = Math.ceil(known / EVENTS_PER_PAGE) + Object.keys(LISTS).length;
  const looked: Looked = { events: new Map(), listed: new Map(), absent: new Set(), unread: new Map(), lists: {} };
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const read = readOf(looked);
    const plan = await withPauses(planInSteps({ ...planning, snapshot: snapshotOf(assumed, read, looked) }));
    const slugs = decidedSlugs(plan, ledger).filter((slug) => !read.has(slug) && !looked.absent.has(slug));
    const lists = listsNeeded(plan, ledger, read).filter((name) => looked.lists[name] === undefined);
    if (slugs.length === 0 && lists.length === 0) return { plan, seen: looked.events };
    const singlesLeft = requestsMax - looked.events.size - Object.keys(looked.lists).length - lists.length;
    if (!(await lookAtAll(client, slugs, ledger, Math.min(singlesLeft, SINGLE_READS_MAX), looked))) return null;
    assertSomeRead(looked.unread, looked.events.size + looked.listed.size + looked.absent.size);
    for (const name of lists) Object.assign(looked.lists, { [name]: await LISTS[name](client) });
  }
  return null;
}

const readOf = ({ events, listed }: Looked): ReadonlyMap<string, SiteEvent> =>
  new Map([...listed, ...[...events].map(([slug, event]) => [slug, siteEventOf(event)] as const)]);

const snapshotOf = (
  assumed: ReadonlyMap<string, SiteEvent>,
  read: ReadonlyMap<string, SiteEvent>,
  { lists, unread }: Looked,
): Snapshot => ({
  categories: [],
  tags: [],
  venues: [],
  organizers: [],
  ...lists,
  unread,
  events: new Map([...assumed, ...read]),
});

/**
 * Reads events: those of the ledger one by one up to `singlesMax`, else page by page. False if too many are new, or if
 * one differs from the ledger: it is gone, in the trash, another event under the same id, or a removed one that
 * returns.
 */
async function lookAtAll(
  client: SiteClient,
  slugs: readonly string[],
  ledger: ReadonlyMap<string, LedgerEntry>,
  singlesMax: number,
  looked: Looked,
): Promise<boolean> {
  const entries = slugs.flatMap((slug) => ledger.get(slug) ?? []);
  const fresh = slugs.filter((slug) => !ledger.has(slug));
  const freshBefore = [...looked.events.keys(), ...looked.absent, ...looked.unread.keys()].filter(
    (slug) => !ledger.has(slug),
  );
  if (freshBefore.length + fresh.length > SINGLE_READS_MAX || !entries.every(isThere)) return false;
  if (entries.length > singlesMax)
    for (const [slug, event] of await listedOf(client, entries)) looked.listed.set(slug, event);
  const hidden = entries.filter(({ slug }) => !looked.listed.has(slug));
  if (hidden.length > SINGLE_READS_MAX) return false;
  for (const slug of fresh) await lookFor(client, slug, looked);
  for (const entry of hidden) if (!(await lookAt(client, entry, looked))) return false;
  return true;
}

type There = LedgerEntry & { readonly id: number };
const isThere = (entry: LedgerEntry): entry is There => entry.state === 'kept' && entry.id !== null;

/** Looks for an event that is not in the ledger. */
async function lookFor(client: SiteClient, slug: string, { events, absent, unread }: Looked): Promise<void> {
  const found = await client.read('events', { slug }).catch(errorIfForbidden);
  if (found instanceof AppError) unread.set(slug, found.message);
  else if (found) events.set(slug, found);
  else absent.add(slug);
}

/** Reads one event of the ledger; false if it is not there as the ledger says. */
async function lookAt(client: SiteClient, entry: There, looked: Looked): Promise<boolean> {
  const event = await client.read('events', { id: entry.id }).catch(nullIfForbidden);
  if (!event || event.status === 'trash' || !isEventOf(event, entry)) return false;
  looked.events.set(entry.slug, event);
  return true;
}
