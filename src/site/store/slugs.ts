import { sql, type Queryable } from '../../db/database.ts';
import { numberedSlug } from './sanitize-title.ts';

/** Where a slug has to be unique: in a table or, for terms, in a taxonomy. */
export type SlugScope = 'events' | 'venues' | 'organizers' | { readonly taxonomy: string };

/** The slug that a row would like; `own` is the row's id if it exists already, and may have that slug. */
export interface Wish {
  readonly slug: string;
  readonly own?: number;
}

/** Slugs by the order of the wishes. */
export interface FreeSlugs {
  readonly slugs: readonly string[];
  /** One of the rows would like what another one still has: what it gets depends on which is written first. */
  readonly isContested: boolean;
}

// Most slugs are free. Each further query tries more numbers, so that a title shared by ten thousand events takes a
// handful of them.
const NUMBERS_TIMES = 8;

/**
 * The slug for a row (`own` if it exists already): the wanted one, or the first of `-2`, `-3` … that is free in its
 * scope.
 */
export async function freeSlug(db: Queryable, slug: string, scope: SlugScope, own?: number): Promise<string> {
  const {
    slugs: [free],
  } = await freeSlugs(db, [{ slug, ...(own !== undefined && { own }) }], scope);
  if (free === undefined) throw new Error('one slug wanted gives one slug');
  return free;
}

/** The same for several rows that are written together: none gets the slug of another. '' stays ''. */
export async function freeSlugs(db: Queryable, wishes: readonly Wish[], scope: SlugScope): Promise<FreeSlugs> {
  const holders = new Map<string, number>();
  for (let [from, to] = [1, 1]; ; [from, to] = [to + 1, to * NUMBERS_TIMES]) {
    const asked = new Set(wishes.flatMap(({ slug }) => numberedSlugs(slug, from, to)));
    for (const [slug, id] of await holdersOf(db, [...asked], scope)) holders.set(slug, id);
    const free = distributed(wishes, holders, to);
    if (free) return free;
  }
}

/** Gives each row a slug with a number up to `to`, in order; undefined where these are not enough. */
function distributed(wishes: readonly Wish[], holders: ReadonlyMap<string, number>, to: number): FreeSlugs | undefined {
  const given = new Set<string>();
  const owners = new Set(wishes.flatMap(({ own }) => own ?? []));
  let isContested = false;
  const slugs: string[] = [];
  for (const { slug: wanted, own } of wishes) {
    const free = numberedSlugs(wanted, 1, to).find((slug) => {
      const holder = holders.get(slug) ?? own;
      isContested ||= holder !== own && holder !== undefined && owners.has(holder);
      return holder === own && !given.has(slug);
    });
    if (wanted !== '' && free === undefined) return undefined;
    slugs.push(free ?? '');
    given.add(free ?? '');
  }
  return { slugs, isContested };
}

const numberedSlugs = (slug: string, from: number, to: number): readonly string[] =>
  slug === '' ? [] : Array.from({ length: to - from + 1 }, (_, index) => numberedSlug(slug, from + index));

/** Who has these slugs, by slug. */
async function holdersOf(
  db: Queryable,
  candidates: readonly string[],
  scope: SlugScope,
): Promise<ReadonlyMap<string, number>> {
  if (candidates.length === 0) return new Map();
  const rows =
    typeof scope === 'string'
      ? sql`${sql.ref(`site.${scope}`)}`
      : sql`(select id, slug from site.terms where taxonomy = ${scope.taxonomy}) as terms`;
  // Planned anew each time: what is prepared while a table is small would be read whole when it has grown.
  const taken = await sql<{
    slug: string;
    id: number;
  }>`select slug, id from ${rows} where slug = any (${candidates})`.execute(db);
  return new Map(taken.rows.map(({ slug, id }) => [slug, id]));
}
