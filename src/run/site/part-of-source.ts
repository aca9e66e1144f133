import type { Queryable } from '../../db/database.ts';
import type { SettledEvents } from '../../sync/formats/format.ts';
import {
  remainderOf,
  linkedNamesWithout,
  type UnreadRemainder,
  type CountedLinkedNames,
  type SettledEvent,
} from '../../sync/model/unread-remainder.ts';
import type { DraftSettings } from '../../sync/model/draft.ts';
import type { LedgerEntry } from '../../sync/model/plan.ts';
import { shareNoUid } from '../../sync/model/settled.ts';
import type { SourceSetup } from '../state/context.ts';
import { isInWindow, loadSettled, loadUnsettled, type EventsOf } from '../state/settled-events.ts';
import { mayBeOwn } from './own-events.ts';

/** The settled events of a source, by UID. */
export interface SettledSource {
  readonly events: EventsOf;
  readonly byUid: ReadonlyMap<string, SettledEvent>;
  /** UIDs of other events with settled entries, which must be read nevertheless. */
  readonly others: readonly string[];
}

/** The events of a source that need not be read; undefined if there are none. */
export async function loadSettledSource(
  query: Queryable,
  { name, site }: SourceSetup,
  { window }: DraftSettings,
): Promise<SettledSource | undefined> {
  const events = { site: site.key, source: name, window };
  const byUid = new Map<string, SettledEvent>();
  const others: string[] = [];
  for (const event of await loadSettled(query, events))
    if (byUid.has(event.uid) || mayBeOwn(event.uid, site.host)) others.push(event.uid);
    else byUid.set(event.uid, event);
  for (const uid of others) byUid.delete(uid);
  return byUid.size === 0 ? undefined : { events, byUid, others };
}

/** The same for the reader of the feed. */
export const settledEventsOf = ({ byUid }: SettledSource, frame: string): SettledEvents => ({
  frame,
  digests: new Map([...byUid].map(([uid, { digest }]) => [uid, digest])),
});

/** The ledger of the events that were read, and a summary of the others. */
export interface PartOfLedger {
  readonly stored: ReadonlyMap<string, LedgerEntry>;
  readonly remainder: UnreadRemainder;
}

/**
 * What planning needs to know about a source that was read in part; `unsettled` are the settled events that were read
 * nevertheless. Null if an entry of the part shares its UID with an event outside it.
 */
export async function partOfLedger(
  query: Queryable,
  { events, byUid, others }: SettledSource,
  unsettled: readonly string[],
  named: readonly CountedLinkedNames[],
  now: number,
): Promise<PartOfLedger | null> {
  const uids = [...others, ...unsettled];
  const read = new Set(uids);
  const left = [...byUid.values()].filter(({ uid }) => !read.has(uid));
  const stored = await loadUnsettled(query, events, uids);
  if (!shareNoUid(stored.values(), (uid) => byUid.has(uid) && !read.has(uid))) return null;
  // The names of these events were counted, too.
  const counted = [...stored.values()].filter(
    (entry) => entry.digest !== undefined && isInWindow(entry, events.window),
  );
  return { stored, remainder: remainderOf(left, linkedNamesWithout(named, counted), now) };
}
