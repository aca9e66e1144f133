import { grouped } from '../../count-in-words.ts';
import { FATES } from './notices.ts';
import { fetchesInWords } from '../event/absence.ts';
import { instantOf } from '../model/event-times.ts';
import { nameOfRef } from '../links/link.ts';
import { placeOfEntry } from '../identity/claim-entries.ts';
import type { AbsenceDecision } from '../event/plan-absent.ts';
import { absencesOf } from '../event/held-absences.ts';
import type { Action, CreateEvent, HoldReason, LedgerEntry, Policy } from '../model/plan.ts';
import { foldedWords } from '../../ascii.ts';
import { DAY_MS } from '../../time.ts';

/**
 * The input of the replacement guard: `leaving` comes from `newlyMissing`, `all` is the number of the source's upcoming
 * events.
 */
export interface ReplacementInput {
  readonly actions: readonly Action[];
  readonly leaving: readonly LedgerEntry[];
  readonly all: number;
  readonly policy: Policy;
}

/**
 * The upcoming entries that are missing for the first time, except events that the feed drops less than a day before
 * they begin. If missing events are kept, those before the feed's first event do not count either: the feed has gone on
 * to next week's programme.
 */
export function newlyMissing(
  gone: readonly AbsenceDecision[],
  ledger: ReadonlyMap<string, LedgerEntry>,
  firstStart: number,
  { now, missing }: Policy,
): readonly LedgerEntry[] {
  const from = missing.action === 'keep' ? firstStart : now + DAY_MS;
  return gone.flatMap(({ change }) => {
    const before = change && ledger.get(change.entry.slug);
    const isLeaving = before && isFirstAbsence(before, change.entry) && before.endsAt > now && before.startsAt >= from;
    return isLeaving ? [before] : [];
  });
}

/** Whether this is the first plan to be carried out in which the entry is missing. */
const isFirstAbsence = (before: LedgerEntry, after: LedgerEntry): boolean =>
  before.state === 'kept' && before.missing === 0 && after.missing === absencesOf(before) + 1;

/**
 * Why a review is needed if most upcoming events are gone and a similar number came instead: all titles or times
 * changed.
 */
export function replacement({ actions, leaving, all, policy: { hold, missing } }: ReplacementInput): HoldReason | null {
  const coming = actions.flatMap((action) =>
    action.resource === 'events' && action.kind === 'create' ? [action.title] : [],
  );
  const isLike = coming.length >= leaving.length / 2 && coming.length <= leaving.length * 2;
  const [first] = leaving;
  if (first === undefined || leaving.length <= hold.moreThan || leaving.length <= all / 2 || !isLike) return null;
  const fate =
    missing.action === 'keep'
      ? 'which stay'
      : `which ${FATES[missing.action]} once the feed has lacked them for ${fetchesInWords(missing.after)}`;
  const message =
    `${grouped(leaving.length)} of ${grouped(all)} upcoming events are gone from the feed, such as "${first.title}", and ` +
    `${grouped(coming.length)} others have come instead, such as "${coming[0]}". ` +
    `Approving creates those beside the old ones, ${fate}.${sameUnderNewNames(leaving, actions)}`;
  return { kind: 'replacement', count: leaving.length, all, limit: hold, message };
}

/** A sentence that says how many missing events may have come back under other names; '' unless most have. */
export function sameUnderNewNames(gone: readonly LedgerEntry[], actions: readonly Action[]): string {
  const { elsewhere, renamed } = likelySameEvents(gone, actions);
  const parts = [
    ...(elsewhere.length > 0 ? [`${grouped(elsewhere.length)} with the same title and start at another place`] : []),
    ...(renamed.length > 0
      ? [
          `${grouped(renamed.length)} with the same start${renamed.some((entry) => placeOfEntry(entry) !== '') ? ' and place' : ''} under another title`,
        ]
      : []),
  ];
  const isMost = elsewhere.length + renamed.length > gone.length / 2;
  return !isMost
    ? ''
    : ` They may be the same events under new names: of those that are gone, there are again ${parts.join(', and ')}.`;
}

/** The missing events that a new one resembles: by title and start, or else by start and place. */
export function likelySameEvents(
  gone: readonly LedgerEntry[],
  actions: readonly Action[],
): { readonly elsewhere: readonly LedgerEntry[]; readonly renamed: readonly LedgerEntry[] } {
  const coming = actions.filter((action) => action.resource === 'events' && action.kind === 'create');
  const titled = new Set(coming.map((action) => `${foldedWords(action.title)}|${startOf(action)}`));
  const placed = new Set(coming.map((action) => `${placeOf(action)}|${startOf(action)}`));
  const isTitled = isIn(titled, ({ title }) => foldedWords(title));
  return {
    elsewhere: gone.filter(isTitled),
    renamed: gone.filter((entry) => !isTitled(entry) && isIn(placed, placeOfEntry)(entry)),
  };
}

const isIn =
  (keys: ReadonlySet<string>, words: (entry: LedgerEntry) => string) =>
  (entry: LedgerEntry): boolean =>
    keys.has(`${words(entry)}|${entry.startsAt}`);

const startOf = ({ fields }: CreateEvent): number => instantOf(fields['start_date'], fields['timezone']);

function placeOf({ fields: { venue } }: CreateEvent): string {
  const [ref] = Array.isArray(venue) ? venue.map(String) : [];
  return ref === undefined ? '' : foldedWords(nameOfRef(ref));
}
