import { createEvent } from './events.ts';
import { createLinked } from './linked.ts';
import type { Params } from './reply.ts';
import type { Site } from './site.ts';
import { postsOf, trashPost, uniqueSlug, type EventPost } from './store.ts';
import { addTerm } from './terms.ts';

/** What people do in the back office. Events are identified by their slug. */
export interface Person {
  readonly event: (slug: string) => EventPost;
  readonly events: () => readonly EventPost[];
  readonly addEvent: (params: Params) => EventPost;
  readonly addVenue: (params: Params) => number;
  readonly addTerm: (type: 'categories' | 'tags', name: string) => number;
  /** Changes the stored fields of an event. */
  readonly edit: (slug: string, changes: Partial<Omit<EventPost, 'id' | 'type'>>) => void;
  readonly trash: (slug: string) => void;
  /** Takes an event out of the trash; `slug` is its slug from before. */
  readonly untrash: (slug: string) => void;
  /** Deletes an event permanently. */
  readonly erase: (slug: string) => void;
}

export function personAt(site: Site): Person {
  const event = (slug: string): EventPost => {
    const found = postsOf(site.store, 'events').find((each) => each.slug === slug);
    if (!found) throw new Error(`the site has no event ${slug}`);
    return found;
  };
  return {
    event,
    events: () => postsOf(site.store, 'events'),
    addEvent: (params) =>
      site.store.posts.get((createEvent(site, asEditor(params)).body as { id: number }).id) as EventPost,
    addVenue: (params) => (createLinked(site, 'venues', asEditor(params)).body as { id: number }).id,
    addTerm: (type, name) => addTerm(site, type, name).id,
    edit: (slug, changes) => {
      Object.assign(event(slug), changes, { modified: site.now() });
    },
    trash: (slug) => {
      trashPost(site.store, event(slug), site.now());
    },
    untrash: (slug) => {
      const post = event(`${slug}__trashed`);
      Object.assign(post, {
        status: 'publish',
        slug: uniqueSlug(site.store, 'events', slug, post.id),
        modified: site.now(),
      });
    },
    erase: (slug) => {
      site.store.posts.delete(event(slug).id);
    },
  };
}

const asEditor = (params: Params) => ({ params, role: 'editor' as const });
