import { newKey, type Json, type Target } from '../../support/contract-target.ts';

/** The data that the suite has created on a site; all names contain the key. */
export interface Made {
  readonly key: string;
  /** The key in the names of what cases create. Lists that search for `key` do not find it. */
  readonly caseKey: string;
  readonly target: Target;
  /** The day that is so many days from now, as `YYYY-MM-DD`. */
  readonly day: (days: number) => string;
  /** Creates an object and deletes it at the end. Throws if the site refuses. */
  readonly make: (collection: Collection, fields: object) => Promise<Json>;
  /** Registers an object that a case has created itself, to be deleted at the end. */
  readonly keep: (collection: Collection, id: number) => void;
  readonly category: Json;
  readonly child: Json;
  readonly unused: Json;
  readonly tag: Json;
  readonly otherTag: Json;
  readonly unusedTag: Json;
  readonly venue: Json;
  readonly farVenue: Json;
  readonly idleVenue: Json;
  readonly organizer: Json;
  readonly otherOrganizer: Json;
  readonly idleOrganizer: Json;
  /** Events in 30 and 40 days, a draft and a past event. All have `tag`. */
  readonly near: Json;
  readonly far: Json;
  readonly draft: Json;
  readonly past: Json;
  /** Deletes everything that was created, unless the site is removed anyway. */
  readonly clear: () => Promise<void>;
}
export type Collection = 'events' | 'venues' | 'organizers' | 'categories' | 'tags';

const DAY_MS = 86_400_000;

/** Creates the suite's data on a site. */
export async function madeOn(target: Target): Promise<Made> {
  const key = newKey();
  const kept: (readonly [Collection, number])[] = [];
  const keep = (collection: Collection, id: number): void => {
    kept.push([collection, id]);
  };
  const day = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
  const make = async (collection: Collection, fields: object): Promise<Json> => {
    const { status, body, text } = await target.send(`POST /${collection}`, { json: fields });
    if (status !== 201) throw new Error(`${target.name} did not make one of the ${collection}: ${status} ${text}`);
    keep(collection, body.id);
    return body;
  };
  const terms = await makeTerms(make, key);
  const posts = await makePosts(make, key, target.isOurs);
  const clear = async (): Promise<void> => {
    if (target.isScratch) return;
    for (const [collection, id] of kept.toReversed()) await target.send(`DELETE /${collection}/${id}`);
  };
  return {
    key,
    caseKey: newKey(),
    target,
    day,
    make,
    keep,
    clear,
    ...terms,
    ...posts,
    ...(await makeEvents(make, key, day, terms, posts)),
  };
}

type Make = Made['make'];

async function makeTerms(make: Make, key: string) {
  const category = await make('categories', { name: `${key} a music` });
  return {
    category,
    child: await make('categories', { name: `${key} b jazz`, parent: category.id }),
    unused: await make('categories', { name: `${key} c unused` }),
    tag: await make('tags', { name: `${key} a tag` }),
    otherTag: await make('tags', { name: `${key} b tag` }),
    unusedTag: await make('tags', { name: `${key} c tag` }),
  };
}

async function makePosts(make: Make, key: string, isOurs: boolean) {
  const at = (geo_lat: number, geo_lng: number): object => (isOurs ? { geo_lat, geo_lng } : {});
  return {
    venue: await make('venues', { venue: `${key} near hall`, date: '2026-01-01', ...at(54.35, 18.65) }),
    farVenue: await make('venues', { venue: `${key} far hall`, date: '2026-01-02', ...at(54.45, 18.6) }),
    idleVenue: await make('venues', { venue: `${key} idle hall`, date: '2026-01-03' }),
    organizer: await make('organizers', { organizer: `${key} near club`, date: '2026-01-01' }),
    otherOrganizer: await make('organizers', { organizer: `${key} far club`, date: '2026-01-02' }),
    idleOrganizer: await make('organizers', { organizer: `${key} idle club`, date: '2026-01-03' }),
  };
}

type Terms = Awaited<ReturnType<typeof makeTerms>>;
type Posts = Awaited<ReturnType<typeof makePosts>>;

async function makeEvents(make: Make, key: string, day: Made['day'], terms: Terms, posts: Posts) {
  const event = (title: string, days: number, more: object): Promise<Json> =>
    make('events', {
      title: `${key} ${title}`,
      start_date: `${day(days)} 10:00:00`,
      end_date: `${day(days)} 12:00:00`,
      tags: [terms.tag.id],
      ...more,
    });
  return {
    near: await event('near', 30, {
      description: 'saxophone',
      featured: true,
      categories: [terms.category.id],
      tags: [terms.tag.id, terms.otherTag.id],
      venue: posts.venue.id,
      organizer: posts.organizer.id,
    }),
    far: await event('far', 40, {
      categories: [terms.child.id],
      venue: posts.farVenue.id,
      organizer: posts.otherOrganizer.id,
    }),
    draft: await event('draft', 50, { status: 'draft' }),
    past: await event('past', -30, {}),
  };
}
