import { rowOf, sql, type Queryable } from '../../db/database.ts';
import { textFromHtml } from '../../html/text.ts';
import type { Status } from '../../contract/post-args.ts';
import { DAY_MS } from '../../time.ts';

/** A visitor's suggestion, as it was typed. */
export interface SuggestedFields {
  readonly title: string;
  readonly allDay: boolean;
  readonly startDay: string;
  readonly startTime: string;
  readonly endDay: string;
  readonly endTime: string;
  readonly venue: string;
  readonly website: string;
  readonly description: string;
}

/**
 * An undecided suggestion. The e-mail address is only for those who decide on it, and goes into no page, log or
 * message.
 */
export interface Suggestion {
  readonly id: number;
  readonly fields: SuggestedFields;
  readonly email: string;
}

/** Beyond this, visitors cannot suggest more until somebody has decided on some. */
const WAITING_MAX = 300;
/** Days after which suggestions are deleted. */
const KEPT_DAYS = { decided: 7, waiting: 90 };
export const SUGGESTIONS_SHOWN = 25;

/** Stores a suggestion until somebody decides on it, once however often it is sent; false if too many are waiting. */
export const keepSuggestion = (
  db: Queryable,
  { fields, email }: Pick<Suggestion, 'fields' | 'email'>,
  now: number,
): Promise<boolean> =>
  db.transaction(async (transaction) => {
    // Serialized, so that the second click of a double click finds what the first has stored.
    await sql`lock table site.suggestions in share row exclusive mode`.execute(transaction);
    const { isKept } = rowOf(
      await sql<{ isKept: boolean }>`
        with sent as (select ${JSON.stringify(fields)}::jsonb as fields, ${email}::text as email),
          waiting as (select fields, email from site.suggestions where state = 'waits'),
          same as (select from waiting join sent using (fields, email)),
          added as (
            insert into site.suggestions (made_at, state, fields, email)
            select ${new Date(now)}, 'waits', fields, email from sent
            where not exists (select from same) and (select count(*) from waiting) < ${WAITING_MAX}
            returning id)
        select exists (select from same) or exists (select from added) as "isKept"`.execute(transaction),
    );
    return isKept;
  });

/** The suggestions that have waited longest. */
export const waitingSuggestions = async (db: Queryable): Promise<readonly Suggestion[]> =>
  (
    await sql<Suggestion>`select id, fields, email from site.suggestions where state = 'waits'
      order by made_at, id limit ${SUGGESTIONS_SHOWN}`.execute(db)
  ).rows;

export const waitingSuggestion = async (db: Queryable, id: number): Promise<Suggestion | undefined> =>
  (
    await sql<Suggestion>`select id, fields, email from site.suggestions
      where id = ${id} and state = 'waits'`.execute(db)
  ).rows[0];

/** A decision on a suggestion. */
interface Decision {
  readonly state: 'taken' | 'refused';
  readonly by: string;
  /** Only shown to other editors. */
  readonly reason?: string;
}

/** Decides on a waiting suggestion; false if it is no longer waiting. */
export async function decideSuggestion(
  db: Queryable,
  id: number,
  { state, by, reason = '' }: Decision,
  now: number,
): Promise<boolean> {
  const { rowCount } = await sql`
    update site.suggestions set state = ${state}, decided_at = ${new Date(now)}, decided_by = ${by}, reason = ${reason}
    where id = ${id} and state = 'waits'`.execute(db);
  return rowCount === 1;
}

/** Puts a decided suggestion back in the queue because the decision was wrong or could not be carried out. */
export async function reopenSuggestion(db: Queryable, id: number, state: Decision['state']): Promise<boolean> {
  const { rowCount } = await sql`
    update site.suggestions set state = 'waits', decided_at = null, decided_by = '', reason = ''
    where id = ${id} and state = ${state}`.execute(db);
  return rowCount === 1;
}

/** Records which event a suggestion has become. */
export async function writeSuggestedEvent(db: Queryable, id: number, event: number): Promise<void> {
  await sql`update site.suggestions set event_id = ${event} where id = ${id} and state = 'taken'`.execute(db);
}

/** A suggestion that has been decided on. */
export interface DecidedSuggestion extends Required<Decision> {
  readonly id: number;
  readonly title: string;
  readonly email: string;
  /** The event that it became, with its current status; null if there is none. */
  readonly event: { readonly id: number; readonly status: Status } | null;
  /** The total number of decided suggestions. */
  readonly all: number;
}

/** Reads the most recently decided suggestions. */
export const decidedSuggestions = async (db: Queryable): Promise<readonly DecidedSuggestion[]> =>
  (
    await sql<DecidedSuggestion>`
      select id, fields->>'title' as title, email, state, decided_by as by, reason, (count(*) over ())::integer as all,
        (select jsonb_build_object('id', events.id, 'status', events.status) from site.events where events.id = event_id) as event
      from site.suggestions where state <> 'waits' order by decided_at desc, id desc limit ${SUGGESTIONS_SHOWN}`.execute(
      db,
    )
  ).rows;

/** Deletes suggestions that were decided on days ago, and those left undecided for months. */
export const forgetSuggestions = (db: Queryable, now: number): Promise<unknown> =>
  sql`delete from site.suggestions
    where (state <> 'waits' and decided_at < ${new Date(now - KEPT_DAYS.decided * DAY_MS)})
      or (state = 'waits' and made_at < ${new Date(now - KEPT_DAYS.waiting * DAY_MS)})`.execute(db);

/** How much is waiting for review, and since when (epoch milliseconds). */
export interface WaitingForReview {
  readonly handedIn: { readonly count: number; readonly since: number };
  readonly suggestions: { readonly count: number; readonly since: number };
}

interface Waits {
  readonly count: number;
  readonly since: Date | null;
}

const countedIn = (row: Waits | undefined) => ({ count: row?.count ?? 0, since: row?.since?.getTime() ?? 0 });

/** Counts the events that authors have submitted and the suggestions of visitors. */
export async function waitingForReview(db: Queryable): Promise<WaitingForReview> {
  const [handedIn, suggestions] = await Promise.all([
    sql<Waits>`select count(*)::integer as count, min(modified_at) as since from site.events where status = 'pending'`.execute(
      db,
    ),
    sql<Waits>`select count(*)::integer as count, min(made_at) as since from site.suggestions where state = 'waits'`.execute(
      db,
    ),
  ]);
  return { handedIn: countedIn(handedIn.rows[0]), suggestions: countedIn(suggestions.rows[0]) };
}

/** An item waiting for review. The title of a suggestion is left out because strangers wrote it. */
interface SubmittedItem {
  readonly kind: 'handed-in' | 'suggestions';
  readonly about: string;
  readonly title: string | null;
  readonly since: number;
}

/** At most this many of each kind are listed. */
const ITEMS_MAX = 200;

/** Lists what is waiting for review, of each kind those waiting longest, with the totals. */
export async function submittedItems(db: Queryable): Promise<{
  readonly items: readonly SubmittedItem[];
  readonly counts: Readonly<Record<SubmittedItem['kind'], number>>;
}> {
  const { rows } = await sql<SubmittedItem>`
    (select 'handed-in' as kind, id::text as about, title, (extract(epoch from modified_at) * 1000)::bigint as since
      from site.events where status = 'pending' order by modified_at, id limit ${ITEMS_MAX})
    union all
    (select 'suggestions', id::text, null, (extract(epoch from made_at) * 1000)::bigint
      from site.suggestions where state = 'waits' order by made_at, id limit ${ITEMS_MAX})`.execute(db);
  const { handedIn, suggestions } = await waitingForReview(db);
  const items = rows.map((row) => ({ ...row, title: row.title === null ? null : textFromHtml(row.title) }));
  return { items, counts: { 'handed-in': handedIn.count, suggestions: suggestions.count } };
}

/** Why an editor sent an event back; undefined if none did. */
export const reviewNoteOf = async (db: Queryable, event: number): Promise<string | undefined> =>
  (await sql<{ text: string }>`select text from site.review_notes where event_id = ${event}`.execute(db)).rows[0]?.text;

/** Records why an event was sent back; '' removes the note. */
export async function writeReviewNote(
  db: Queryable,
  event: number,
  text: string,
  by: string,
  now: number,
): Promise<void> {
  if (text === '') {
    await sql`delete from site.review_notes where event_id = ${event}`.execute(db);
    return;
  }
  await sql`insert into site.review_notes (event_id, text, written_by, written_at)
    values (${event}, ${text}, ${by}, ${new Date(now)})
    on conflict (event_id) do update set text = excluded.text, written_by = excluded.written_by, written_at = excluded.written_at`.execute(
    db,
  );
}
