import { freeSlug } from './text.ts';

export interface EventPost {
  readonly id: number;
  readonly type: 'events';
  author: string;
  status: string;
  slug: string;
  title: string;
  description: string;
  excerpt: string;
  /** Instants. `date` is null until the event is first published. */
  date: number | null;
  modified: number;
  start: string;
  end: string;
  utcStart: number;
  utcEnd: number;
  timezone: string;
  allDay: boolean;
  /** Undefined if it was never stored. */
  website: string | undefined;
  cost: string;
  image: string;
  show_map: boolean;
  show_map_link: boolean;
  hide_from_listings: boolean;
  sticky: boolean;
  featured: boolean;
  categories: number[];
  tags: number[];
  venue: number;
  organizer: number[];
  /** An event with a password is only shown to those who know it. */
  password: string;
}

export interface LinkedPost {
  readonly id: number;
  readonly type: 'venues' | 'organizers';
  author: string;
  status: string;
  slug: string;
  title: string;
  description: string;
  excerpt: string;
  date: number;
  modified: number;
  meta: Record<string, string>;
  show_map: boolean;
  show_map_link: boolean;
}

export interface TermPost {
  readonly id: number;
  readonly type: 'categories' | 'tags';
  name: string;
  slug: string;
  description: string;
  parent: number;
}

export type Post = EventPost | LinkedPost;

/** Everything the site stores. It is plain data, so a backup is a copy. */
export interface Store {
  posts: Map<number, Post>;
  terms: Map<number, TermPost>;
  nextPost: number;
  nextTerm: number;
}

export const emptyStore = (): Store => ({ posts: new Map(), terms: new Map(), nextPost: 7, nextTerm: 2 });

export const postsOf = <T extends Post['type']>(store: Store, type: T): Extract<Post, { type: T }>[] =>
  [...store.posts.values()].filter((post): post is Extract<Post, { type: T }> => post.type === type);

export const termsOf = (store: Store, type: TermPost['type']): TermPost[] =>
  [...store.terms.values()].filter((term) => term.type === type);

/** Slugs are unique per type; drafts are not checked until they are published. */
export function uniqueSlug(store: Store, type: Post['type'], slug: string, own: number): string {
  return freeSlug(slug, (each) =>
    [...store.posts.values()].some((post) => post.type === type && post.id !== own && post.slug === each),
  );
}

export function uniqueTermSlug(store: Store, type: TermPost['type'], slug: string, own: number): string {
  return freeSlug(slug, (each) => termsOf(store, type).some((term) => term.id !== own && term.slug === each));
}

/** Moves a post into the trash: its slug is renamed, and links to a venue or organizer are lost for good. */
export function trashPost(store: Store, post: Post, now: number): void {
  if (post.status === 'trash') return;
  post.status = 'trash';
  post.slug = `${post.slug}__trashed`;
  post.modified = now;
  if (post.type === 'events') return;
  for (const event of postsOf(store, 'events')) {
    if (event.venue === post.id) event.venue = 0;
    event.organizer = event.organizer.filter((id) => id !== post.id);
  }
}

/** The name as the database compares it: case and accents are ignored. */
export const collated = (name: string): string => name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
