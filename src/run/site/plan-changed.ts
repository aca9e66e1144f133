import type { SiteClient } from '../../client/site-client.ts';
import type { Event } from '../../contract/representation.ts';
import { AppError } from '../../error.ts';
import { assumedEvents, decidedSlugs, listsNeeded } from '../../sync/plan/assumed-events.ts';
import { planChanges, type Planning } from '../../sync/plan/plan-changes.ts';
import { NOTHING_BESIDES } from '../../sync/model/besides.ts';
import type { LedgerEntry, Plan, SiteEvent, Snapshot } from '../../sync/model/plan.ts';
import { isEventOf } from '../../sync/compare/our-event.ts';
import { siteEventOf } from '../../sync/compare/site-values.ts';
import { assertSomeRead, errorIfForbidden, nullIfForbidden, SINGLE_READS_MAX } from './event-reads.ts';
import { LISTS } from './site-lists.ts';

/** A plan made without a whole comparison, and the events that were read for it, as the site showed them. */
export interface PlannedChanges {
  readonly plan: Plan;
  readonly seen: ReadonlyMap<string, Event>;
}

type Lists = Partial<Omit<Snapshot, 'events'>>;
interface Looked {
  readonly events: Map<string, Event>;
  readonly absent: Set<string>;
  /** By slug: why an event may not be read. */
  readonly unread: Map<string, string>;
  readonly lists: { -readonly [Name in keyof Lists]: Lists[Name] };
}

const EVENTS_PER_PAGE = 50;
const ROUNDS_MAX = 5;

/**
 * Plans a changed feed on the assumption that the site is as we left it: reads only the events that something is
 * decided about, each by id, and only the lists whose names matter. Null where a whole comparison is due, because much
 * has changed or an event is not where it was.
 */
export async function planChanged(
  client: SiteClient,
  planning: Omit<Planning, 'snapshot'>,
  from: number,
): Promise<PlannedChanges | null> {
  const { ledger, besides = NOTHING_BESIDES } = planning;
  const assumed = assumedEvents(ledger, from, besides.count);
  if (assumed === null) return null;
  // What a whole comparison costs: the pages of the known events, and four lists.
  const known = assumed.size + besides.count;
  const requestsMax = Math.ceil(known / EVENTS_PER_PAGE) + Object.keys(LISTS).length;
  const looked: Looked = { events: new Map(), absent: new Set(), unread: new Map(), lists: {} };
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const read = new Map([...looked.events].map(([slug, event]) => [slug, siteEventOf(event)]));
    const plan = planChanges({ ...planning, snapshot: snapshotOf(assumed, read, looked) });
    const slugs = decidedSlugs(plan, ledger).filter((slug) => !looked.events.has(slug) && !looked.absent.has(slug));
    const lists = listsNeeded(plan, ledger, read).filter((name) => looked.lists[name] === undefined);
    if (slugs.length === 0 && lists.length === 0) return { plan, seen: looked.events };
    if (
      isTooMuch(
        [...looked.events.keys(), ...looked.absent, ...looked.unread.keys(), ...slugs],
        ledger,
        Object.keys(looked.lists).length + lists.length,
        requestsMax,
      )
    )
      return null;
    for (const slug of slugs) if (!(await lookAt(client, slug, ledger.get(slug), looked))) return null;
    assertSomeRead(looked.unread, looked.events.size + looked.absent.size);
    for (const name of lists) Object.assign(looked.lists, { [name]: await LISTS[name](client) });
  }
  return null;
}

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

/** New events do not count as requests: a whole comparison looks them up by slug as well. */
function isTooMuch(
  slugs: readonly string[],
  ledger: ReadonlyMap<string, LedgerEntry>,
  lists: number,
  requestsMax: number,
): boolean {
  const known = slugs.filter((slug) => ledger.has(slug)).length;
  return slugs.length - known > SINGLE_READS_MAX || known + lists > requestsMax;
}

/**
 * Reads one event. False if it is not as the ledger says: gone, in the trash, another event under its id, or one that
 * was removed and comes back.
 */
async function lookAt(
  client: SiteClient,
  slug: string,
  entry: LedgerEntry | undefined,
  looked: Looked,
): Promise<boolean> {
  if (entry === undefined) {
    const found = await client.read('events', { slug }).catch(errorIfForbidden);
    if (found instanceof AppError) looked.unread.set(slug, found.message);
    else if (found) looked.events.set(slug, found);
    else looked.absent.add(slug);
    return true;
  }
  if (entry.state !== 'kept' || entry.id === null) return false;
  const event = await client.read('events', { id: entry.id }).catch(nullIfForbidden);
  if (!event || event.status === 'trash' || !isEventOf(event, entry)) return false;
  looked.events.set(slug, event);
  return true;
}
