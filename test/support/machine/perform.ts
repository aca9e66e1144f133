import { howRemoved } from '../../../src/sync/event/life.ts';
import type { LedgerEntry } from '../../../src/sync/model/plan.ts';
import { unlessKilled, reject, sync, takeOver, type Publisher, type World } from './world.ts';
import type { Command, Seed } from './command.ts';
import type { Item } from './feed.ts';
import { checkRun, must } from './check-run.ts';
import {
  forgetSource,
  isFoundByNobody,
  isLive,
  isOf,
  isOurs,
  keyOf,
  newMemory,
  restoreSite,
  type Memory,
} from './memory.ts';
import type { Fault } from '../real-site/faults.ts';
import type { Post } from './grounds.ts';
import type { Excused } from './excuses.ts';
import { letThrough } from './let-through.ts';
import { settle } from './settle.ts';
import { settleField } from './settle-field.ts';
import { isUserError } from './user-error.ts';
import type { Edit } from './grounds.ts';
import { undo, type Written } from './undo.ts';
import { occurrencesOf } from './feed.ts';

/** A running life. */
export interface Living {
  readonly world: World;
  readonly excused: Excused;
  memory: Memory;
  backup: Memory | undefined;
  tokens: number;
  /** Somebody else has changed the site since the world last settled, which only a full comparison can notice. */
  touched: boolean;
  /** The site answers with lists that it cached earlier. */
  frozen: boolean;
  /** Sources with an event that may have been missing from the feed, or had another identity, for a while. */
  readonly left: Set<string>;
  /** The post of each occurrence when the world last settled, by source, token and index. */
  readonly posts: Map<string, number>;
  /** What has changed about each item since then. */
  readonly changed: Map<number, Set<string>>;
  /** The last run that was started on its own, whatever its outcome. */
  written: Written | undefined;
}

export const newLiving = (world: World, excused: Excused): Living => ({
  world,
  excused,
  memory: newMemory(),
  backup: undefined,
  tokens: 0,
  touched: false,
  frozen: false,
  left: new Set(),
  posts: new Map(),
  changed: new Map(),
  written: undefined,
});

const pick = <T>(all: readonly T[], at: number): T | undefined => all[at % Math.max(1, all.length)];

/** Adds a new item to a feed. */
export function publish(living: Living, publisher: Publisher, { series, ...seed }: Seed): void {
  const token = (living.tokens += 1);
  publisher.items.push({
    ...seed,
    token,
    uid: `uid-${token}`,
    series: series && { ...series, without: [], changed: {} },
  });
}

type Doing<K extends Command['kind']> = (living: Living, command: Extract<Command, { kind: K }>) => unknown;

/** A change of one item in a feed; `what` names the part of its identity that changes. */
const changing =
  <K extends Command['kind']>(
    what: string,
    change: (item: Item, command: Extract<Command, { kind: K }>, living: Living) => void,
  ): Doing<K> =>
  (living, command) => {
    const { source, at } = command as unknown as { source: 0 | 1; at: number };
    const item = pick(living.world.publishers[source].items, at);
    if (!item) return;
    note(living, item, what);
    change(item, command, living);
  };

function note(living: Living, { token }: Item, what: string): void {
  living.changed.set(token, (living.changed.get(token) ?? new Set()).add(what));
}

const renewUid = (living: Living, item: Item): void => {
  note(living, item, 'uid');
  item.uid = `uid-${(living.tokens += 1)}-again`;
};

/** An event of ours on the site; `where` limits the choice. */
async function ours({ world }: Living, at: number, where: (post: Post) => boolean = isLive): Promise<Post | undefined> {
  return pick(
    (await world.grounds.posts()).filter((post) => isOurs(post) && where(post)),
    at,
  );
}

async function edit(living: Living, post: Post | undefined, change: Edit): Promise<void> {
  if (!post) return;
  await living.world.grounds.edit(post.id, change);
  const isLost = living.memory.lost.has(post.id) && !isFoundByNobody(post, living.world.grounds);
  const isKnown =
    isLost ||
    (!living.memory.unknown.has(keyOf(post)) &&
      (await entriesOf(living.world)).some(({ id, key }) => id === post.id && key === keyOf(post)));
  // An event that a killed process created, and that was edited before the next run found it, looks as if it had been
  // created that way. The same goes for values of a restored site after a person's edit.
  if (!isKnown || living.memory.older.has(post.id)) living.memory.loose.add(post.id);
  // After a person's edit, what a cached list hid from a run cannot be told from that edit.
  if (living.frozen)
    for (const field of ['title', 'start', 'description', 'venue', 'category', 'tags'])
      if (!Object.hasOwn(change, field)) living.memory.loose.add(`${post.id} ${field}`);
  const fields = living.memory.edits.get(post.id) ?? new Map<string, unknown>();
  for (const [field, value] of Object.entries(change)) fields.set(field, value);
  living.memory.edits.set(post.id, fields);
}

const EDITS: Readonly<Record<Extract<Command, { kind: 'edit' }>['field'], (number: number) => Edit>> = {
  title: (number) => ({ title: `By hand ${number}` }),
  description: (number) => ({ description: `<p>By hand ${number}</p>` }),
  cost: (number) => ({ cost: `${number}zł` }),
  featured: () => ({ featured: true }),
  when: (number) => ({ start: `2027-04-${String(1 + (number % 28)).padStart(2, '0')} 07:00:00` }),
  categories: (number) => ({ category: `By hand ${number % 3}` }),
};

const FAULTS: Readonly<Record<Extract<Command, { kind: 'fault' }>['fault'], Fault>> = {
  lost: { kind: 'lost' },
  'hang-up': { kind: 'hang-up' },
  mute: { kind: 'mute' },
  '429': { kind: 'status', status: 429, retryAfter: '30' },
  '500': { kind: 'status', status: 500 },
  '500 done': { kind: 'status', status: 500, carriedOut: true },
  '502 done': { kind: 'status', status: 502, carriedOut: true },
  '503': { kind: 'status', status: 503, retryAfter: '5' },
  page: { kind: 'page' },
  'page done': { kind: 'page', carriedOut: true },
  warning: { kind: 'warning' },
};

/** What each command does. */
const DOINGS: { readonly [K in Command['kind']]: Doing<K> } = {
  add: (living, { source, seed }) => publish(living, living.world.publishers[source as 0 | 1], seed),
  drop: (living, { source, at }) => {
    const publisher = living.world.publishers[source as 0 | 1];
    const item = pick(publisher.items, at);
    if (!item) return;
    note(living, item, 'gone');
    publisher.items = publisher.items.filter((each) => each !== item);
    publisher.gone.push(item);
  },
  'bring back': ({ world }, { source }) => {
    const publisher = world.publishers[source as 0 | 1];
    publisher.items.push(...publisher.gone.splice(-1));
  },
  retitle: changing('title', (item, { title }) => {
    item.title = title;
  }),
  move: changing('time', (item, { days, hours }, living) => {
    if (days !== 0) note(living, item, 'day');
    item.day += days;
    item.hour += hours;
  }),
  rezone: changing('time', (item, { zone }) => {
    item.zone = zone;
  }),
  rewrite: changing('text', (item, { text }) => {
    item.text = text;
  }),
  replace: changing('venue', (item, { venue }) => {
    item.venue = venue;
  }),
  'set state': changing('state', (item, { state }) => {
    item.state = state;
  }),
  sort: changing('categories', (item, { categories }) => {
    item.categories = categories;
  }),
  'renew UID': changing('uid', (item, _command, living) => renewUid(living, item)),
  'renew all UIDs': (living, { source }) => {
    for (const item of living.world.publishers[source as 0 | 1].items) renewUid(living, item);
  },
  'make a series': changing('series', (item, { every, count }) => {
    item.series = { every, count, without: [], changed: {} };
  }),
  'make single': changing('series', (item) => {
    item.series = null;
  }),
  'leave out': changing('series', (item, { index }) => {
    if (item.series && item.series.without.length + 1 < item.series.count)
      item.series = { ...item.series, without: [...new Set([...item.series.without, index % item.series.count])] };
  }),
  'change one': changing('series', (item, { index, hours, title }) => {
    if (item.series)
      item.series = {
        ...item.series,
        changed: {
          ...item.series.changed,
          [index % item.series.count]: title === undefined ? { hours } : { hours, title },
        },
      };
  }),
  'shift all': (living, { source, hours }) => {
    for (const item of living.world.publishers[source as 0 | 1].items) {
      note(living, item, hours % 24 === 0 ? 'day' : 'time');
      item.hour += hours;
    }
  },
  rule: ({ world, posts }, { source, skips }) => {
    world.publishers[source as 0 | 1].skips = skips;
    posts.clear();
  },
  publish: ({ world }, { source, how }) => {
    world.publishers[source as 0 | 1].how = how as Publisher['how'];
  },
  edit: async (living, { at, field }) => edit(living, await ours(living, at), EDITS[field]((living.tokens += 1))),
  hide: async (living, { at }) => edit(living, await ours(living, at), { hidden: true }),
  // Withdrawing a draft changes nothing.
  withdraw: async (living, { at }) =>
    edit(living, await ours(living, at, (post) => isLive(post) && post.status !== 'draft'), { status: 'draft' }),
  trash: async (living, { at }) => removing(living, 'trash', await ours(living, at), living.world.grounds.trash),
  erase: async (living, { at }) => removing(living, 'erase', await ours(living, at), living.world.grounds.erase),
  untrash: async (living, { at }) => {
    const post = await ours(
      living,
      at,
      ({ status, slug }) => status === 'trash' && living.memory.removed.has(keyOf({ slug } as Post)),
    );
    if (!post) return;
    await living.world.grounds.untrash(post.id);
    living.memory.removed.delete(keyOf(post));
    living.memory.untrashed.add(keyOf(post));
    // An event leaves the trash as published, whatever its status was before.
    living.memory.edits.get(post.id)?.delete('status');
  },
  'add by hand': async (living, { at }) => {
    const said = pick(living.world.publishers[0].items.flatMap(occurrencesOf), at);
    const id = await living.world.grounds.add(said?.title ?? 'By hand', said?.wall ?? '2027-02-01 10:00:00');
    living.memory.strangers.set(
      id,
      JSON.stringify((await living.world.grounds.posts()).find((post) => post.id === id)),
    );
  },
  fault: ({ world }, { fault, of, after, times }) =>
    world.grounds.fail(FAULTS[fault], { after, times, when: (method) => of === 'any' || of === method }),
  // A write gets no answer, and for a while nothing after it does: its outcome is unknown.
  'go away': ({ world: { grounds } }, { isCarriedOut, after, times }) => {
    let [writes, isAway] = [0, false];
    grounds.fail(
      { kind: isCarriedOut ? 'lost' : 'hang-up' },
      { times: 1, when: (method) => method !== 'GET' && (isAway ||= (writes += 1) > after) },
    );
    grounds.fail({ kind: 'hang-up' }, { times, when: () => isAway });
  },
  kill: async ({ world }, { source, full, effects }) => {
    world.worker(0).dieAfter(effects);
    await unlessKilled(sync(world.worker(0), world.publishers[source as 0 | 1].name, full));
    await world.bury(0);
  },
  // The queue loses the jobs of a run halfway: nothing works on the run any more, but its process lives on and keeps
  // the lease.
  'lose queue': async ({ world }, { source, full, effects }) => {
    world.worker(0).dieAfter(effects);
    await unlessKilled(sync(world.worker(0), world.publishers[source as 0 | 1].name, full));
    world.worker(0).dieAfter(Number.POSITIVE_INFINITY);
  },
  'lose ledger': (living, { source }) => loseLedger(living, living.world.publishers[source as 0 | 1].name),
  'lose ledger beside edits': async (living, { source, edits, full }) => {
    const { name } = living.world.publishers[source as 0 | 1];
    const isOfSource = (post: Post): boolean => isLive(post) && isOf(name)(post);
    for (const { at, what } of edits) {
      if (what === 'withdraw')
        await edit(living, await ours(living, at, (post) => isOfSource(post) && post.status !== 'draft'), {
          status: 'draft',
        });
      else await edit(living, await ours(living, at, isOfSource), EDITS[what]((living.tokens += 1)));
    }
    await loseLedger(living, name);
    const drafts = (await living.world.grounds.posts()).filter((post) => isOf(name)(post) && post.status === 'draft');
    await syncAlone(living, name, full);
    const now = await living.world.grounds.posts();
    must(
      drafts.every(({ id }) => now.find((post) => post.id === id)?.status !== 'publish'),
      'without a ledger nothing goes from draft to publish',
      () => ({ drafts, now }),
    );
  },
  // The operator configures another user, or somebody changes the user's rights, and the program is restarted.
  'change role': async ({ world }, { role }) => {
    world.grounds.setRole(role);
    for (const number of [0, 1] as const) await world.bury(number);
  },
  'back up': async (living) => {
    await living.world.grounds.backUp();
    living.backup = structuredClone(living.memory);
  },
  restore: async (living) => {
    if (!living.backup) return;
    const ignored = new Set(
      (await entriesOf(living.world)).flatMap(({ key, state }) => (state === 'ignored' ? [key] : [])),
    );
    living.memory = await restoreSite(living.memory, living.backup, living.world.grounds, {
      pending: await living.world.pending(),
      ignored,
    });
    living.posts.clear();
  },
  'freeze lists': (living) => {
    living.frozen = true;
    living.world.grounds.freezeLists();
    // A run without a ledger relies on what lists show.
    for (const key of living.memory.unknown) living.memory.spare.add(key);
  },
  'thaw lists': (living) => {
    living.frozen = false;
    living.world.grounds.thawLists();
  },
  sync: (living, { source, full }) => syncAlone(living, living.world.publishers[source as 0 | 1].name, full),
  'sync twice at once': async ({ world }, { source, other }) => {
    await Promise.all([
      sync(world.worker(0), world.publishers[source as 0 | 1].name, true),
      sync(world.worker(1), world.publishers[other as 0 | 1].name, true),
    ]);
  },
  approve: async (living) => {
    const { world } = living;
    const held = await world.held();
    await takeOver(world.worker(0));
    // If the site is failing, or the run has been overtaken, approving it reports an error.
    if (held)
      await letThrough(living, held).catch((error: unknown) => {
        if (!isUserError(error)) throw error;
      });
  },
  reject: async ({ world }) => {
    const held = await world.held();
    if (held) await reject(world.worker(0), held.run);
  },
  'settle field': async (living, command) => settleField(living, await ours(living, command.at), command),
  undo: async (living, { source, syncs, again }) => {
    const { name } = living.world.publishers[source as 0 | 1];
    if (syncs) await syncAlone(living, name, true);
    await undo(living, name, again);
  },
  'days pass': ({ world }, { days }) => {
    world.clock.now += days * 86_400_000;
  },
  settle: (living) => settle(living),
};

async function syncAlone(living: Living, source: string, full: boolean): Promise<void> {
  const { world } = living;
  await takeOver(world.worker(1));
  const own = async (): Promise<readonly Post[]> => (await world.grounds.posts()).filter(isOf(source));
  const before = await own();
  const report = await checkRun(world, source, () => sync(world.worker(1), source, full));
  if (report) living.written = { run: report.run, before, after: await own() };
}

async function loseLedger(living: Living, source: string): Promise<void> {
  await living.world.loseLedger(source);
  await forgetSource(living.memory, source, living.world.grounds, living.frozen);
  living.posts.clear();
}

const entriesOf = async (world: World): Promise<readonly LedgerEntry[]> => [
  ...(await world.ledger('town')).values(),
  ...(await world.ledger('club')).values(),
];

const slugOf = (entries: readonly LedgerEntry[], { id, slug }: Post): string =>
  entries.find((entry) => entry.id === id)?.slug ?? slug;

async function removing(
  { memory, world }: Living,
  kind: 'trash' | 'erase',
  post: Post | undefined,
  how: (id: number) => Promise<void>,
): Promise<void> {
  if (!post) return;
  await how(post.id);
  // Without a ledger, nothing is known about erased events, nor about events that were hidden before they were trashed.
  const isKnown =
    (!memory.spare.has(keyOf(post)) && !memory.unknown.has(keyOf(post))) ||
    ((world.grounds.isPartial || !post.hidden) && kind === 'trash');
  // What calsyncd has trashed itself comes back with the feed, even if a person took it out of the trash and put it in
  // again. So does what it has withdrawn or cancelled and a person erased: nobody looks for it until the feed has it.
  const entries = await entriesOf(world);
  const isLeft = entries.some(
    (entry) =>
      entry.key === keyOf(post) && entry.state === 'removed' && (kind === 'erase' || howRemoved(entry) === 'trash'),
  );
  // Events that a killed process created are unknown until the next run finds them. That run can find them in the
  // trash, but not if they are erased.
  // Nor is it known who trashed an event that a killed run was about to trash.
  const isHeard =
    entries.some(({ id, key }) => id === post.id && key === keyOf(post)) &&
    !(await world.leaving()).has(slugOf(entries, post));
  if (!isHeard) {
    memory.spare.add(keyOf(post));
    memory.unknown.add(keyOf(post));
  }
  if (isKnown && isHeard && !isLeft) memory.removed.add(keyOf(post));
}

const TOUCHING: ReadonlySet<Command['kind']> = new Set([
  'edit',
  'hide',
  'withdraw',
  'trash',
  'untrash',
  'erase',
  'restore',
  'freeze lists',
  'lose ledger beside edits',
  'settle field',
  'undo',
]);

const LEAVING: ReadonlySet<Command['kind']> = new Set([
  'drop',
  'publish',
  'rule',
  'make single',
  'make a series',
  'leave out',
  'change one',
  'move',
  'shift all',
  'renew UID',
  'renew all UIDs',
]);

/** Carries out a command. Throws if something happens that must not. */
export async function perform(living: Living, command: Command): Promise<void> {
  if (TOUCHING.has(command.kind)) living.touched = true;
  if (LEAVING.has(command.kind) && 'source' in command)
    living.left.add(living.world.publishers[command.source as 0 | 1].name);
  // No two commands happen in the same second.
  living.world.clock.now += 1_000;
  // The entry for a kind takes the commands of that kind.
  await (DOINGS[command.kind] as Doing<Command['kind']>)(living, command as never);
  must(
    (await living.world.grounds.posts()).every(({ status, slug }) => status !== 'pending' && slug !== ''),
    'no event leaves the site by a user who may not publish',
    () => command,
  );
}
