import { keyOfSlug, sourceKey } from '../../../src/sync/model/slug.ts';
import type { Grounds, Post } from './grounds.ts';

/** What people remember of their own actions, and what is known to be unrecoverable since. */
export interface Memory {
  /** Post id → field → what a person wrote. */
  readonly edits: Map<number, Map<string, unknown>>;
  /** Keys of events that a person removed. */
  readonly removed: Set<string>;
  /** Keys of events that a person took out of the trash again. */
  readonly untrashed: Set<string>;
  /** Post id → an event that a person created. */
  readonly strangers: Map<number, string>;
  /** Posts, single fields (`id field`) or keys of events whose values may differ from those of the last run. */
  readonly loose: Set<number | string>;
  /** Keys of events that the ledger does not know, or no longer knows. */
  readonly unknown: Set<string>;
  /**
   * Posts whose ledger entry was lost: until feed and site agree, they keep their values, and differences are listed.
   */
  readonly lost: Set<number>;
  /** Posts that a restore changed back. */
  readonly older: Set<number>;
  /** Keys of events that may or may not be on the site, whatever the feed says. */
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
/** Whether an event belongs to a source. */
export const isOf =
  (source: string) =>
  (post: Post): boolean =>
    keyOf(post).startsWith(sourceKey(source));
export const isOurs = (post: Post): boolean => isOf('town')(post) || isOf('club')(post);

/**
 * Whether no list of a real site shows an event. Without a ledger, only a write can find it, and its values then look
 * as if it had been created with them.
 */
export const isFoundByNobody = ({ hidden }: Post, grounds: Grounds): boolean => hidden && !grounds.isPartial;

/**
 * Updates the memory for a source whose ledger is lost: nobody can tell any more who removed what. If lists are cached,
 * the trash is not visible either.
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
  // If two events share a key, one of them created beside a hidden one, nobody can tell any more what became of either.
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
    // A cached list may still show an event that a person has erased: a run finds it there and misses it later.
    if (areListsOld) memory.spare.add(key);
  }
}

/**
 * Updates the memory for a site that is restored, along with people's work on it. What was added since is gone, and
 * what was removed since is back. `pending` are the slugs of writes that were planned before the restore, with values
 * and ids from then. `ignored` are the keys of events whose removal a run has noticed.
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
  // What a person had erased since then looks as if the restore had lost it.
  // The same goes for what they had removed and brought back.
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

/** Fields that a person has edited since the backup. The ledger cannot know that the restore has undone these edits. */
const editedSince = (memory: Memory, then: Memory): readonly (readonly [number, string])[] =>
  [...memory.edits].flatMap(([id, fields]) =>
    [...fields].flatMap(([field, value]) => (then.edits.get(id)?.get(field) === value ? [] : [[id, field] as const])),
  );
