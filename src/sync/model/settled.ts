import { FIELD_NAMES } from './fields.ts';
import type { FieldState, LedgerChange, LedgerEntry, Plan } from './plan.ts';
import { withoutOrdinal } from './identity.ts';
import { sameJson } from './json.ts';

/** An entry without the digest of its draft: it is compared the next time, whatever the feed says. */
export function unsettled(entry: LedgerEntry): LedgerEntry {
  if (entry.digest === undefined) return entry;
  const { digest: _digest, ...rest } = entry;
  return rest;
}

/** An entry with the digest of its draft only if a plan would leave the same draft alone. */
export const ifSettled = (entry: LedgerEntry): LedgerEntry => (isPlain(entry) ? entry : unsettled(entry));

/** The same after a write: nothing of what was planned may be left open. */
export const ifWritten = (entry: LedgerEntry, { entry: planned }: LedgerChange): LedgerEntry =>
  entry.digest !== undefined && FIELD_NAMES.every((field) => isHandled(planned.fields[field], entry.fields[field]))
    ? ifSettled(entry)
    : unsettled(entry);

const isHandled = (planned: FieldState | undefined, after: FieldState | undefined): boolean =>
  planned === undefined || sameJson(planned.feed, after?.feed ?? null);

/** On the site as the feed has it, under its UID, and nothing of it is a person's or waits for anything. */
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

/** Whether entries share no UID with events that are left aside. */
export const areApart = (entries: Iterable<LedgerEntry>, isLeft: (uid: string) => boolean): boolean =>
  [...entries].every(({ uid, identity }) =>
    [uid, identity === null ? null : withoutOrdinal(identity).split('\t')[0]].every(
      (each) => typeof each !== 'string' || !isLeft(each),
    ),
  );

/** A plan after which all its events are compared again. */
export const unsettledPlan = <P extends Pick<Plan, 'ledger'>>(plan: P): P => ({
  ...plan,
  ledger: Object.fromEntries(
    Object.entries(plan.ledger).map(([slug, change]) => [slug, { ...change, entry: unsettled(change.entry) }]),
  ),
});
