import { withoutPrefix } from '../../../src/contract/cancelled-title.ts';
import type { LedgerEntry } from '../../../src/sync/model/plan.ts';
import { sourceKey } from '../../../src/sync/model/slug.ts';
import { must } from './check-run.ts';
import { checkValues } from './check-values.ts';
import { occurrencesOf, type Said } from './feed.ts';
import type { Post } from './grounds.ts';
import { isLive, isOf, isOurs, keyOf } from './memory.ts';
import type { Living } from './perform.ts';
import type { Publisher } from './world.ts';

/** Checks what must hold whenever the world has settled. */
export async function checkSite(living: Living): Promise<void> {
  const posts = await living.world.grounds.posts();
  checkStrangers(living, posts);
  checkOthers(await living.world.grounds.others());
  for (const publisher of living.world.publishers) await checkSource(living, publisher, posts);
  living.changed.clear();
}

function checkStrangers({ memory }: Living, posts: readonly Post[]): void {
  for (const [id, before] of memory.strangers)
    must(JSON.stringify(posts.find((post) => post.id === id)) === before, 'events of others are not touched', () => ({
      before,
      now: posts.find((post) => post.id === id),
    }));
  const theirs = posts.filter((post) => !isOurs(post) && !memory.strangers.has(post.id));
  must(theirs.length === 0, 'every event of ours bears its key', () => theirs);
}

function checkOthers(others: readonly string[]): void {
  must(new Set(others).size === others.length, 'no venue, organizer or term is there twice', () => others);
  must(
    others.every((each) => !/^(?:tags|categories) \d+$/.test(each)),
    'no term is named after an id',
    () => others,
  );
}

async function checkSource(living: Living, publisher: Publisher, posts: readonly Post[]): Promise<void> {
  const { world, memory, excused } = living;
  const { now } = world.clock;
  const entries = [...(await world.ledger(publisher.name)).values()];
  const own = posts.filter(isOf(publisher.name));
  checkKeys(
    living,
    entries,
    own.filter(
      (post) =>
        entries.some(({ id }) => id === post.id) ||
        !excused('hidden event', isLive(post) && isLostTwin(living, post, own)),
    ),
  );
  const all = publisher.items.flatMap(occurrencesOf);
  const said = all.filter(
    ({ title, endsAt }) => endsAt > now && (publisher.skips === null || !title.startsWith(`${publisher.skips} `)),
  );
  const upcoming = entries.filter(({ state, endsAt }) => state !== 'removed' && endsAt > now);
  const { pairs, missing, extra } = matched(said, upcoming);
  must(missing.length === 0, 'every occurrence of the feed has one event', () => ({
    missing,
    extra: extra.map(brief),
  }));
  const covered = Math.max(Number.NEGATIVE_INFINITY, ...all.map(({ startsAt }) => startsAt));
  const kept = extra.filter(
    (entry) =>
      entry.state === 'kept' && !entry.pinned && entry.startsAt <= covered && world.settings.missing !== 'keep',
  );
  must(kept.length === 0, 'what the feed lost is gone from the site', () => ({ kept: kept.map(brief), said }));
  for (const [occurrence, entry] of pairs) {
    const post = own.find(({ id }) => id === entry.id);
    // Removed events are looked up in lists only, and no list shows a hidden event.
    const isUnseen = post !== undefined && post.hidden && memory.untrashed.has(entry.key);
    if (entry.state === 'ignored')
      must(
        memory.removed.has(entry.key) ||
          excused('uncertain event', memory.spare.has(entry.key)) ||
          excused('forgotten event', memory.unknown.has(entry.key)) ||
          excused('hidden event', isUnseen),
        'only what a person removed is ignored',
        () => ({ entry: brief(entry), occurrence }),
      );
    else checkValues(living, occurrence, post!, entry);
  }
  checkSame(living, publisher, pairs);
}

// Lists of a real site never show hidden events, and frozen lists show no new ones. After the ledger is lost, such an
// event can only be found by a slug made from its current title. One that was retitled is not found and is created
// again.
const isLostTwin = ({ memory, world }: Living, post: Post, own: readonly Post[]): boolean =>
  !world.grounds.isPartial &&
  (post.hidden || memory.spare.has(keyOf(post))) &&
  memory.unknown.has(keyOf(post)) &&
  own.some(
    (other) =>
      other.id > post.id &&
      keyOf(other) === keyOf(post) &&
      (memory.spare.has(keyOf(post)) || !other.slug.startsWith(post.slug)),
  );

const brief = ({ slug, state, id, uid, title, startsAt, missing }: LedgerEntry): object => ({
  slug,
  state,
  id,
  uid,
  title,
  starts: new Date(startsAt).toISOString(),
  missing,
});

/** Checks that ledger and site have the same events, each exactly once. */
function checkKeys(
  { memory, left, excused, world: { settings, clock, grounds } }: Living,
  entries: readonly LedgerEntry[],
  own: readonly Post[],
): void {
  const live = own.filter(isLive);
  const keys = live.map(keyOf);
  must(new Set(keys).size === keys.length, 'no event is on the site twice', () =>
    live.filter((post) => keys.indexOf(keyOf(post)) !== keys.lastIndexOf(keyOf(post))),
  );
  const byKey = new Map(entries.map((entry) => [entry.key, entry]));
  // After the ledger is lost, only the feed can identify what is in the trash.
  const isForgotten = (key: string): boolean =>
    memory.unknown.has(key) && [...left].some((source) => key.startsWith(sourceKey(source)));
  must(byKey.size === entries.length, 'no two entries share a key', () => entries.map(brief));
  for (const entry of entries.filter(({ state }) => state === 'kept')) {
    const post = live.find(({ id }) => id === entry.id);
    // Past events are no longer checked: a person or a restore may have erased them.
    const isOver = entry.endsAt <= clock.now;
    must(
      (post !== undefined && keyOf(post) === entry.key) ||
        (isOver && memory.removed.has(entry.key)) ||
        excused('uncertain event', isOver && memory.spare.has(entry.key)),
      'what the ledger keeps is on the site',
      () => ({
        entry: brief(entry),
        post,
        own: own.map(({ id, slug, status }) => `${id} ${slug} ${status}`),
      }),
    );
  }
  for (const post of live) {
    const entry = byKey.get(keyOf(post));
    must(
      !memory.removed.has(keyOf(post)) || excused('forgotten event', isForgotten(keyOf(post))),
      'what a person removed stays removed',
      () => ({ post, entry }),
    );
    const isKnown =
      entry?.state === 'kept' ||
      (entry?.state === 'removed' && (settings.missing === 'draft' || settings.missing === 'cancel'));
    const isBroughtBack =
      memory.untrashed.has(keyOf(post)) &&
      // The feed had dropped it in the meantime: an event that a person restores by hand belongs to them.
      (entry?.state === 'ignored' ||
        // An event that the feed had dropped before the ledger was lost stays unknown as long as it is in the trash.
        (entry === undefined && memory.unknown.has(keyOf(post))));
    must(
      isKnown ||
        excused('brought back by hand', isBroughtBack) ||
        excused('uncertain event', memory.spare.has(keyOf(post))) ||
        excused('hidden event', !grounds.isPartial && post.hidden && memory.unknown.has(keyOf(post))),
      'every event of ours on the site is in the ledger',
      () => ({ post, entry: entry && brief(entry) }),
    );
  }
}

interface Matching {
  readonly pairs: readonly (readonly [Said, LedgerEntry])[];
  readonly missing: readonly Said[];
  readonly extra: readonly LedgerEntry[];
}

const readingsWithout = ({ missing, pinned }: LedgerEntry): number => (pinned ? 1 : missing);

/** Matches the feed's occurrences with the ledger's entries, one to one. */
function matched(said: readonly Said[], entries: readonly LedgerEntry[]): Matching {
  // An entry that the feed has dropped, but that stays, may look exactly like one that has moved to its place.
  const left = entries.toSorted((one, other) => readingsWithout(one) - readingsWithout(other));
  const missing: Said[] = [];
  const pairs = said.flatMap((each): (readonly [Said, LedgerEntry])[] => {
    const index = left.findIndex(
      (entry) =>
        entry.uid === each.uid &&
        entry.startsAt === each.startsAt &&
        entry.endsAt === each.endsAt &&
        entry.title === each.title,
    );
    if (index < 0) {
      missing.push(each);
      return [];
    }
    return [[each, left.splice(index, 1)[0]!]];
  });
  return { pairs, missing, extra: left };
}

/** Checks that an event that can be told from all others keeps its post, however it has changed. */
function checkSame(
  { posts, changed, excused, world }: Living,
  { name, items, gone }: Publisher,
  pairs: Matching['pairs'],
): void {
  // A dropped event might have been its twin.
  const likes = Map.groupBy(
    [...pairs.map(([said]) => said), ...gone.flatMap(occurrencesOf)],
    ({ title, startsAt, venue }) => `${withoutPrefix(title)} ${startsAt} ${venue}`,
  );
  const uids = Map.groupBy(items, ({ uid }) => uid);
  const living = new Set(posts.values());
  for (const [{ token, index, uid, title, startsAt, venue }, { id, slug, rung }] of pairs) {
    const place = `${name} ${token} ${index}`;
    const what = [...(changed.get(token) ?? [])];
    const isWithout = (...kinds: readonly string[]): boolean => what.every((each) => !kinds.includes(each));
    // A daily series that begins a day later looks as if it had lost its first day.
    const isSeries = uids.get(uid)![0]!.series !== null;
    const isTold =
      uids.get(uid)!.length === 1 &&
      (isWithout('uid', 'series', 'gone', ...(isSeries ? ['day'] : [])) ||
        (isWithout('series', 'gone', 'title', 'time', 'day', 'venue') &&
          likes.get(`${withoutPrefix(title)} ${startsAt} ${venue}`)!.length === 1));
    const before = posts.get(place);
    // Where UIDs change, an event is identified by title, start and place. It may then be taken for one that the feed
    // had dropped and that has come back.
    const isFormer = rung === 'fingerprint' && id !== null && !living.has(id);
    must(
      before === undefined || before === id || excused('cannot be told apart', !isTold || isFormer),
      'an event that changes stays the same event',
      () => ({ place, what, before, id, slug, now: new Date(world.clock.now) }),
    );
  }
  for (const place of posts.keys()) if (place.startsWith(`${name} `)) posts.delete(place);
  for (const [{ token, index }, { id, state }] of pairs)
    if (id !== null && state === 'kept') posts.set(`${name} ${token} ${index}`, id);
}
