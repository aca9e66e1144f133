import { makeSiteClient } from '../../../src/client/make-site-client.ts';
import { decodeEntities } from '../../../src/html/references.ts';
import { instantFromWall } from '../../../src/time.ts';
import { nearRealSite } from '../real-site/real-site.ts';
import type { Site } from '../real-site/site.ts';
import {
  emptyStore,
  postsOf,
  trashPost,
  uniqueSlug,
  type EventPost,
  type LinkedPost,
  type Store,
} from '../real-site/store.ts';
import { addTerm } from '../real-site/terms.ts';
import type { Edit, Grounds, Post } from './grounds.ts';

const HOUR_MS = 3_600_000;
const RIGHTS = '/wp/v2/users/me';

/** The double of a real site, in this process. */
export function realGrounds(now: () => number): Grounds {
  const site = nearRealSite({ now });
  let kept: Store | undefined;
  const event = (id: number): EventPost => site.store().posts.get(id) as EventPost;
  const at = { store: site.store(), now } as Site;
  return {
    key: `${site.root} ${site.namespace}`,
    isPartial: false,
    client: async (wrap) =>
      makeSiteClient({
        root: site.root,
        namespace: site.namespace,
        credentials: site.credentials,
        transport: wrap(site.transport),
        retry: { firstWaitMs: 0, waitMsMax: 0, random: () => 0 },
      }),
    posts: async () => postsOf(site.store(), 'events').map((post) => postFrom(post, site.store())),
    others: async () => [
      ...[...site.store().posts.values()].flatMap((post) =>
        post.type === 'events' ? [] : [`${post.type} ${post.title} ${JSON.stringify(post.meta)}`],
      ),
      ...[...site.store().terms.values()].map(({ type, name }) => `${type} ${name}`),
    ],
    edit: async (id, edit) => {
      Object.assign(event(id), valuesOf(edit, event(id), { ...at, store: site.store() }), { modified: now() });
    },
    trash: async (id) => {
      trashPost(site.store(), event(id), now());
    },
    untrash: async (id) => {
      const post = event(id);
      Object.assign(post, {
        status: 'publish',
        slug: uniqueSlug(site.store(), 'events', post.slug.replace(/__trashed$/, ''), id),
        modified: now(),
      });
    },
    erase: async (id) => {
      site.store().posts.delete(id);
    },
    add: async (title, start) =>
      site.person.addEvent({ title, start_date: start, end_date: start, timezone: 'Europe/Warsaw' }).id,
    backUp: async () => {
      kept = site.backup();
    },
    restore: async () => {
      if (kept) site.restore(kept);
    },
    freezeLists: site.freezeLists,
    thawLists: site.thawLists,
    setRole: site.setRole,
    heal: site.heal,
    // The program asks only once whether the site can tell it the user's rights, so that request never fails here.
    // Other tests cover it.
    fail: (fault, plan) =>
      site.fail(fault, { ...plan, when: (method, path) => path !== RIGHTS && (plan.when?.(method, path) ?? true) }),
    reset: async () => {
      kept = undefined;
      site.heal();
      site.thawLists();
      site.setRole('editor');
      site.restore(emptyStore());
      (site.requests as string[]).length = 0;
    },
    close: site.close,
  };
}

function postFrom(post: EventPost, store: Store): Post {
  const names = (ids: readonly number[]): readonly string[] =>
    ids.map((id) => store.terms.get(id)?.name ?? `#${id}`).toSorted();
  const venue = store.posts.get(post.venue) as LinkedPost | undefined;
  return {
    id: post.id,
    slug: post.slug,
    status: post.status,
    title: decodeEntities(post.title),
    description: post.description,
    cost: post.cost,
    featured: post.featured,
    hidden: post.hide_from_listings,
    start: post.start,
    startsAt: post.utcStart,
    endsAt: post.utcEnd,
    zone: post.timezone,
    venue: venue ? decodeEntities(venue.title) : null,
    organizers: post.organizer.length,
    categories: names(post.categories),
    tags: names(post.tags),
  };
}

function valuesOf({ hidden, start, category, ...plain }: Edit, post: EventPost, site: Site): Partial<EventPost> {
  const utcStart = start === undefined ? post.utcStart : instantFromWall(start, post.timezone);
  return {
    ...plain,
    ...(hidden === undefined ? {} : { hide_from_listings: hidden }),
    ...(plain.status === 'draft' ? { date: null } : {}),
    ...(start === undefined
      ? {}
      : {
          start,
          utcStart,
          utcEnd: utcStart + HOUR_MS,
          end: `${start.slice(0, 11)}${String(Number(start.slice(11, 13)) + 1).padStart(2, '0')}${start.slice(13)}`,
        }),
    ...(category === undefined
      ? {}
      : {
          categories: [
            (
              [...site.store.terms.values()].find(({ type, name }) => type === 'categories' && name === category) ??
              addTerm(site, 'categories', category)
            ).id,
          ],
        }),
  };
}
