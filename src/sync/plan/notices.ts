import { grouped } from '../../count-in-words.ts';
import type { ProblemCode } from '../../codes.ts';
import type { Problem } from '../../problem.ts';
import { isoFromInstant } from '../../time.ts';
import { NO_EVENTS } from '../drafts/no-events.ts';
import type { AbsenceDecision } from '../event/plan-absent.ts';
import type { Identified } from '../identity/identify-drafts.ts';
import { fetchesInWords } from '../event/absence.ts';
import type { LedgerEntry, Plan, Policy, Snapshot } from '../model/plan.ts';

/** An event, in the words of a notice. */
interface Named {
  readonly slug: string;
  readonly words: string;
}

/**
 * A notice about some events, empty if there are none; `message` gets their names. For a single event, it carries the
 * slug.
 */
function noticeOf(
  code: ProblemCode,
  events: readonly Pick<Named, 'slug'>[],
  names: string,
  message: (names: string, isOne: boolean) => string,
): readonly Problem[] {
  const [first, ...others] = events;
  if (first === undefined) return [];
  const isOne = others.length === 0;
  return [{ code, where: isOne ? { slug: first.slug } : {}, message: message(names, isOne) }];
}

/** The first `most` names as a list: `"A", "B" and 2 more`. */
export const listFirst = (names: readonly string[], most: number): string =>
  `${names.slice(0, most).join(', ')}${names.length > most ? ` and ${names.length - most} more` : ''}`;

/** The most events that are named with slugs or fields. */
const NAMED_MAX = 5;

const firstNamed = (events: readonly Named[]): string =>
  listFirst(
    events.map(({ words }) => words),
    NAMED_MAX,
  );

/** The most titles that are named with days. */
const TITLES_MAX = 3;

/** The first titles, with the days of their events because a title alone says little about a series. */
function titlesWithDays(entries: readonly LedgerEntry[]): string {
  const inOrder = entries.toSorted((one, other) => one.startsAt - other.startsAt || (one.slug < other.slug ? -1 : 1));
  const titles = [...Map.groupBy(inOrder, ({ title }) => title)];
  const named = titles.slice(0, TITLES_MAX).map(([title, own]) => `"${title}" (${daysOf(own)})`);
  const others = titles.slice(TITLES_MAX).flatMap(([, own]) => own);
  return `${named.join(', ')}${others.length > 0 ? ` and ${others.length} more` : ''}`;
}

/** The days of entries sorted by start: "2027-01-21", or "16 times, 2027-01-21 to 2027-05-06". */
function daysOf(entries: readonly LedgerEntry[]): string {
  const [first = '', last = ''] = [entries[0], entries.at(-1)].map((entry) => entry && dayIn(entry));
  const days = first === last ? first : `${first} to ${last}`;
  return entries.length === 1 ? days : `${entries.length} times, ${days}`;
}

/** The day on which an event starts, in its own zone. */
function dayIn({ fields: { start_date: start }, startsAt }: LedgerEntry): string {
  const wall = start?.returned ?? start?.feed;
  return (typeof wall === 'string' ? wall : isoFromInstant(startsAt)).slice(0, 10);
}

const withSlug = ({ title, slug }: LedgerEntry): Named => ({ slug, words: `"${title}" (${slug})` });

/** Upcoming events that come after the feed's last one: they were called off, or the feed now covers less. */
export function beyondCoverage(entries: readonly LedgerEntry[]): readonly Problem[] {
  return noticeOf('beyond-coverage', entries, titlesWithDays(entries), (names, isOne) => {
    const [are, they] = isOne
      ? ['event that comes after the last one in the feed is', 'it is']
      : ['events that come after the last one in the feed are', 'they are'];
    return (
      `${grouped(entries.length)} ${are} not in it any more: ${names}. The feed may just end earlier now, so ${they} ` +
      'left on the site. Remove by hand there what does not take place.'
    );
  });
}

/** Upcoming events that are missing from the readable part of a feed; they may be in the rest of it. */
export const notAllRead = (entries: readonly LedgerEntry[]): readonly Problem[] =>
  noticeOf('part-unread', entries, titlesWithDays(entries), (names, isOne) => {
    const [are, they] = isOne ? ['event is', 'it stays'] : ['events are', 'they stay'];
    return (
      `${entries.length} ${are} not in what could be read of the feed, so ${they} on the site: ${names}. ` +
      'Only a feed that can be read whole takes events off.'
    );
  });

/** Notices that apply until the feed is read again; runs with nothing to read repeat them. */
export const UNTIL_READ_AGAIN: readonly ProblemCode[] = [NO_EVENTS, 'beyond-coverage', 'part-unread', 'csv-header'];

/**
 * Upcoming events that are gone from the site, too few for a lost site; from now on they count as removed by a person.
 */
export const notFound = (entries: readonly LedgerEntry[]): readonly Problem[] =>
  noticeOf('not-found-on-site', entries, firstNamed(entries.map(withSlug)), (names, isOne) => {
    const [are, they] = isOne
      ? ['One event that was written before is', 'It counts']
      : [`${grouped(entries.length)} events that were written before are`, 'They count'];
    return (
      `${are} not on the site any more, not even in its trash: ${names}. ` +
      `${they} as removed by a person and will not be created again. "npm run -s calsyncd -- restore SLUG" ` +
      'brings an event back.'
    );
  });

/** People's edits on the site that a plan overwrites because the feed has authority. */
export function overwritten({ actions }: Pick<Plan, 'actions'>): readonly Problem[] {
  const edited = actions.flatMap((action): readonly Named[] =>
    action.kind === 'update' && action.edited
      ? [{ slug: action.slug, words: `"${action.title}" (${action.edited.join(', ')})` }]
      : [],
  );
  return noticeOf('edits-overwritten', edited, firstNamed(edited), (names, isOne) => {
    const [were, get] = isOne ? ['One event was', 'gets'] : [`${grouped(edited.length)} events were`, 'get'];
    return (
      `${were} changed on the site, or undone, where the feed decides (authority: ` +
      `feed), and ${get} the feed's values again: ${names}. With authority: ` +
      'preserve they would stay as they are.'
    );
  });
}

/** In words, what happens to events that are gone from the feed. */
export const FATES: Readonly<Record<Policy['missing']['action'], string>> = {
  trash: 'go to the trash',
  draft: 'are withdrawn',
  cancel: 'are marked as cancelled',
  keep: 'stay, because missing.action is "keep": trash them on the site if they do not take place',
};

/** Upcoming events that, after the ledger was lost, were found on the site but not in the feed. */
export function foundWithoutLedger(found: readonly AbsenceDecision[], { now, missing }: Policy): readonly Problem[] {
  const gone = found.flatMap(({ change }) =>
    change && change.entry.missing > 0 && change.entry.endsAt > now ? [change.entry] : [],
  );
  return noticeOf('found-without-ledger', gone, firstNamed(gone.map(withSlug)), (names, isOne) => {
    const [are, they] = isOne
      ? ['One event of this source is', 'It is']
      : [`${grouped(gone.length)} events of this source are`, 'They are'];
    return (
      `${are} on the site that the feed does not have, and that the ledger, which was lost, did not know: ` +
      `${names}. ${they} kept in step again: events that the feed lacks for ${fetchesInWords(missing.after)} ` +
      `${FATES[missing.action]}. "npm run -s calsyncd -- explain SLUG" tells about one; ` +
      '"undo" of the run that removes it brings it back.'
    );
  });
}

/** The events that the site did not let us look for, and why. */
export function unreadEvents(
  { unread = new Map() }: Snapshot,
  identified: readonly Identified[],
  ledger: ReadonlyMap<string, LedgerEntry>,
): readonly Problem[] {
  if (unread.size === 0) return [];
  const drafts = new Map(identified.map(({ slug, draft }) => [slug, draft]));
  return [...unread].map(([slug, why]): Problem => {
    const draft = drafts.get(slug);
    const title = draft?.fields.title ?? ledger.get(slug)?.title ?? slug;
    return {
      code: 'event-unread',
      message: `"${title}" could not be looked up on the site: it is left unchanged, and the next comparison tries again. ${why}`,
      where: { ...draft?.where, slug },
    };
  });
}
