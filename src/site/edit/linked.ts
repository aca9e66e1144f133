import type { Organizer, Venue } from '../../contract/event-parts.ts';
import { sql } from '../../db/database.ts';
import { textFromHtml } from '../../html/text.ts';
import { storedTitle } from '../store/render.ts';
import { mayEdit, mayWriteAnyHtml, type Owned } from '../store/rights.ts';
import { rowsById } from '../store/rows-by-id.ts';
import { allOf, visiblePosts } from '../store/visible.ts';
import { callerOfPerson, callInterface, type AskedEdit } from './editor.ts';
import { plainText, typedNames } from './event-values.ts';

export type Linked = Venue | Organizer;
export type LinkedName = 'venue' | 'organizer';
/** The paths of their lists, in the interface and here. */
export const LINKED_LISTS = { venue: 'venues', organizer: 'organizers' } as const;

/** The name of a place or organizer as plain text. */
export const nameOfLinked = (linked: Linked): string =>
  textFromHtml('venue' in linked ? linked.venue : linked.organizer);

/** A page of a list of places or organizers. */
export interface ListedLinked {
  readonly found: readonly Linked[];
  readonly total: number;
  readonly pages: number;
}

/** The number on a page. */
export const LINKED_SHOWN = 50;

/**
 * Lists the places or organizers that can be chosen, the newest first. `query` has parameters of the interface's list.
 */
export async function listedLinked(
  asked: AskedEdit,
  kind: LinkedName,
  query: Readonly<Record<string, string>> = {},
): Promise<ListedLinked> {
  const all = new URLSearchParams({ per_page: String(LINKED_SHOWN), ...query });
  const told = await callInterface<Readonly<Record<string, unknown>>>(asked, 'GET', `/${LINKED_LISTS[kind]}?${all}`);
  if (!told.ok) return { found: [], total: 0, pages: 0 };
  const { [LINKED_LISTS[kind]]: found, total, total_pages: pages } = told.value;
  return { found: found as readonly Linked[], total: Number(total), pages: Number(pages) };
}

/** The ids of those that this person may change, or take out of the trash. */
export async function theirsAmong(
  { db, person }: AskedEdit,
  kind: LinkedName,
  listed: readonly Linked[],
): Promise<ReadonlySet<number>> {
  const ids = listed.map(({ id }) => id);
  const { rows } = await sql<Owned & { readonly id: number }>`select found.* from ${rowsById(
    LINKED_LISTS[kind],
    ids,
    sql`id, author, status, trashed_from`,
  )}`.execute(db);
  return new Set(rows.filter((row) => mayEdit(callerOfPerson(person), row)).map(({ id }) => id));
}

/**
 * The parameter for places or organizers whose names were typed: existing ones, or new ones. New ones of an unpublished
 * event are drafts.
 */
export async function linkedParam(
  asked: AskedEdit,
  kind: LinkedName,
  typed: string,
  linkedNow: readonly Linked[],
  waits = false,
): Promise<readonly (number | Readonly<Record<string, string>>)[]> {
  return Promise.all(
    typedNames(typed).map(async (name) => {
      const isNamed = (linked: Linked): boolean => nameOfLinked(linked).toLowerCase() === name.toLowerCase();
      const known =
        linkedNow.find(isNamed)?.id ??
        (await idOfNamed(asked, kind, name)) ??
        // The name may be shown with other characters than stored, such as typographic quotation marks.
        (await listedLinked(asked, kind, { search: name })).found.find(isNamed)?.id;
      return known ?? { [kind]: plainText(name), ...(waits && { status: 'draft' }) };
    }),
  );
}

/** Finds the one stored with a name, among those that this person may see; the first of several. */
async function idOfNamed({ db, person }: AskedEdit, kind: LinkedName, name: string): Promise<number | undefined> {
  const caller = callerOfPerson(person);
  const title = storedTitle(plainText(name), mayWriteAnyHtml(caller));
  const where = allOf([visiblePosts(undefined, caller), sql`lower(title) = lower(${title})`]);
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.ref(`site.${LINKED_LISTS[kind]}`)} where ${where} order by id limit 1`.execute(db);
  return rows[0]?.id;
}
