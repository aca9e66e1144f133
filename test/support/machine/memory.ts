import { keyOfSlug, sourceKey } from '../../../src/sync/model/slug.ts';
import type { Grounds, Post } from './grounds.ts';

/** What people know that they have done, and what is known to have gone beyond any repair since. */
export interface Memory {
  /** Post id → field → what a person wrote. */
  readonly edits: Map<number, Map<string, unknown>>;
  /** Keys of events that a person removed. */
  readonly removed: Set<string>;
  /** Keys of events that a person took out of the trash again. */
  readonly untrashed: Set<string>;
  /** Post id → an event that a person made. */
  readonly strangers: Map<number, string>;
  /** Posts (or `id field` of one), or keys of events, whose values need not be those of the last run any more. */
  readonly loose: Set<number | string>;
  /** Keys of events of which the ledger did not know, or does not any more. */
  readonly unknown: Set<string>;
  /** Posts of which the ledger was lost: until feed and site agree, what they show stays, and is listed. */
  readonly lost: Set<number>;
  /** Posts that were restored to what they were before. */
  readonly older: Set<number>;
  /** Keys of events that may be on the site, or not, whatever the feed says. */
  readonly spare: Set<string>;
}

export const newMemory = (): Memory => ({
  edits: new Map(),
  removed: new Set(),
  untrashed: new Set(),
  strangers: new Map(),
  loose: new Set(),
  unknown: new Set(),
  lost: new Set(),
  older: new Set(),
  spare: new Set(),
});

export const isLive = ({ status }: Post): boolean => status !== 'trash';
export const keyOf = ({ slug }: Pick<Post, 'slug'>): string => keyOfSlug(slug) ?? '';
/** Whether an event is ours, or one of a source's. */
export const isOf =
  (source: string) =>
  (post: Post): boolean =>
    keyOf(post).startsWith(sourceKey(source));
export const isOurs = (post: Post): boolean => isOf('town')(post) || isOf('club')(post);

/**
 * No list of a real site shows it: without a ledger it is met by a write, and what that finds looks as if it had been
 * made so.
 */
export const isFoundByNobody = ({ hidden }: Post, grounds: Grounds): boolean => hidden && !grounds.isPartial;

/**
 * The ledger of a source is lost: nobody can tell who removed what. Where lists are old, nobody sees what is in the
 * trash.
 */
export async function forgetSource(
  memory: Memory,
  source: string,
  grounds: Grounds,
  areListsOld: boolean,
): Promise<void> {
  const posts = (await grounds.posts()).filter(isOf(source));
  const trashed = new Set(
    posts.filter((post) => !isLive(post) && (grounds.isPartial || !post.hidden) && !areListsOld).map(keyOf),
  );
  // Of two with one key, one that was just made beside a hidden one, the question what became of it is lost, too.
  for (const [key, alike] of Map.groupBy(posts, keyOf)) if (alike.length > 1) memory.spare.add(key);
  for (const post of posts) {
    if (isFoundByNobody(post, grounds)) memory.loose.add(post.id);
    memory.lost.add(post.id);
    memory.unknown.add(keyOf(post));
    if (areListsOld) memory.spare.add(keyOf(post));
  }
  for (const key of memory.removed) {
    if (!key.startsWith(sourceKey(source)) || trashed.has(key)) continue;
    memory.removed.delete(key);
    // An old list may still show what a person has erased: it is found there, and missed later.
    if (areListsOld) memory.spare.add(key);
  }
}

/**
 * The site is as it was, and so is what people did on it. What came since is gone, what went since is back. `pending`
 * are the slugs that runs write to which were planned before: to values, and with ids, of then. `ignored` are the keys
 * of events whose removal a run has noticed.
 */
export async function restoreSite(
  memory: Memory,
  then: Memory,
  grounds: Grounds,
  { pending, ignored }: { readonly pending: ReadonlySet<string>; readonly ignored: ReadonlySet<string> },
): Promise<Memory> {
  const before = (await grounds.posts()).filter(isOurs);
  await grounds.restore();
  const after = (await grounds.posts()).filter(isOurs);
  const [was, is] = [
    new Map(before.map((post) => [post.id, JSON.stringify(post)])),
    new Map(after.map((post) => [post.id, JSON.stringify(post)])),
  ];
  const restored: Memory = {
    ...structuredClone(then),
    loose: new Set([...then.loose, ...memory.loose]),
    unknown: new Set([...then.unknown, ...memory.unknown]),
    lost: new Set([...then.lost, ...memory.lost]),
    spare: new Set([...then.spare, ...memory.spare]),
  };
  // What a person had erased since then might as well have been lost by the restore.
  // So might what they had removed and brought back.
  for (const key of [...memory.removed, ...memory.untrashed]) if (!then.removed.has(key)) restored.spare.add(key);
  // What they had erased before, and no run has noticed yet, looks as if it had been lost with the rest.
  const known = new Set(after.map(keyOf));
  for (const key of then.removed)
    if (!known.has(key) && !ignored.has(key)) {
      restored.removed.delete(key);
      restored.spare.add(key);
    }
  for (const slug of pending) restored.loose.add(keyOf({ slug }));
  for (const [id, field] of editedSince(memory, then)) restored.loose.add(`${id} ${field}`);
  for (const post of [...before, ...after]) {
    if (was.get(post.id) === is.get(post.id)) continue;
    restored.spare.add(keyOf(post));
    restored.older.add(post.id);
  }
  return restored;
}

/** A field that a person has edited is theirs: the ledger cannot know that the edit is gone. */
const editedSince = (memory: Memory, then: Memory): readonly (readonly [number, string])[] =>
  [...memory.edits].flatMap(([id, fields]) =>
    [...fields].flatMap(([field, value]) => (then.edits.get(id)?.get(field) === value ? [] : [[id, field] as const])),
  );
