import { FIELD_NAMES } from './fields.ts';
import type { FieldState, LedgerChange, LedgerEntry, Plan } from './plan.ts';
import { withoutOrdinal } from './identity.ts';
import { sameJson } from './json.ts';

/** Drops the digest of an entry's draft, so that the next run compares the event even if the feed says the same. */
export function unsettled(entry: LedgerEntry): LedgerEntry {
  if (entry.digest === undefined) return entry;
  const { digest: _digest, ...rest } = entry;
  return rest;
}

/** Keeps the digest of an entry's draft only if planning the same draft again would change nothing. */
export const keepDigestIfSettled = (entry: LedgerEntry): LedgerEntry => (isPlain(entry) ? entry : unsettled(entry));

/** Does the same after a write, provided that everything planned was handled. */
export const keepDigestIfWritten = (entry: LedgerEntry, { entry: planned }: LedgerChange): LedgerEntry =>
  entry.digest !== undefined && FIELD_NAMES.every((field) => isHandled(planned.fields[field], entry.fields[field]))
    ? keepDigestIfSettled(entry)
    : unsettled(entry);

const isHandled = (planned: FieldState | undefined, after: FieldState | undefined): boolean =>
  planned === undefined || sameJson(planned.feed, after?.feed ?? null);

/**
 * Whether the site has the event as the feed gives it, under its UID, with nothing edited by a person and nothing
 * pending.
 */
const isPlain = ({ state, missing, pinned, heldMissing = 0, rung, uid, identity, id, fields }: LedgerEntry): boolean =>
  state === 'kept' &&
  id !== null &&
  missing === 0 &&
  !pinned &&
  heldMissing === 0 &&
  rung === 'uid' &&
  identity === uid &&
  areOurs(fields);

function areOurs(fields: LedgerEntry['fields']): boolean {
  for (const field of FIELD_NAMES) if (fields[field] && !isOurs(fields[field])) return false;
  return true;
}

const isOurs = ({ by, conflict, locked, unlocked, refused, stateTagDue }: FieldState): boolean =>
  by === 'feed' && !conflict && !locked && !unlocked && refused === undefined && !stateTagDue;

/** Whether none of the entries share a UID with events that are left unread. */
export const shareNoUid = (entries: Iterable<LedgerEntry>, isLeft: (uid: string) => boolean): boolean =>
  [...entries].every(({ uid, identity }) =>
    [uid, identity === null ? null : withoutOrdinal(identity).split('\t')[0]].every(
      (each) => typeof each !== 'string' || !isLeft(each),
    ),
  );

/** Makes the next run compare all events of a plan. */
export const unsettledPlan = <P extends Pick<Plan, 'ledger'>>(plan: P): P => ({
  ...plan,
  ledger: Object.fromEntries(
    Object.entries(plan.ledger).map(([slug, change]) => [slug, { ...change, entry: unsettled(change.entry) }]),
  ),
});
