import { keyOfSlug } from '../../../src/sync/model/slug.ts';
import type { Batch } from '../../../src/run/state/batches.ts';
import type { Action, Report } from '../../../src/sync/model/plan.ts';
import { must } from './check-run.ts';
import type { Post } from './grounds.ts';
import { plain } from './check-values.ts';
import { isLive, isOf, keyOf } from './memory.ts';
import type { Living } from './perform.ts';
import { isUserError } from './user-error.ts';
import { approve, reject, takeOver, undoFor } from './world.ts';

/** A run of a source, and what the site showed of its events before and after it. */
export interface Written {
  readonly run: string;
  readonly before: readonly Post[];
  readonly after: readonly Post[];
}

/**
 * The operator undoes the last run of a source that wrote something, approves the undo if it is held and, with `again`,
 * undoes the undo.
 */
export async function undo(living: Living, source: string, again: boolean): Promise<void> {
  const { world } = living;
  await takeOver(world.worker(0));
  const run = await world.lastWritten(source);
  if (run === undefined) return;
  const own = async (): Promise<readonly Post[]> => (await world.grounds.posts()).filter(isOf(source));
  const now = await own();
  const isFresh =
    !living.frozen &&
    living.written?.run === run &&
    sameEvents(living.written.after, now) &&
    isDone(await world.batches(run));
  const back = await takeBack(living, source, run);
  if (back === undefined) return;
  if (isFresh)
    checkBack(living, 'a run that is taken back leaves the site as it was before', living.written!.before, await own());
  if (again && (await takeBack(living, source, back)) !== undefined && isFresh)
    checkBack(living, 'a way back that is taken back leaves the site as it was before', now, await own());
}

/** Undefined unless all of it is known to be done: the site may be failing. */
async function takeBack(living: Living, source: string, run: string): Promise<string | undefined> {
  const { world } = living;
  const begun = await undoFor(world.worker(0), source, run).catch(told);
  const report: Report | undefined =
    begun?.state === 'held' ? await approve(world.worker(0), { run: begun.run, source }).catch(told) : begun;
  // What cannot be approved now is not approved later.
  if (begun?.state === 'held' && !report) await reject(world.worker(0), begun.run).catch(told);
  const batches = report ? await world.batches(report.run) : [];
  const entries = await world.ledger(source);
  // An event that the feed does not have may come back with it, whoever removed it last.
  remember(
    living,
    batches,
    await world.batches(run),
    (slug) => entries.get(slug)?.state !== 'removed',
    report !== undefined || begun?.state === 'held',
  );
  return report?.state === 'done' && isDone(batches) && report.problems.length === 0 ? report.run : undefined;
}

const told = (error: unknown): undefined => {
  if (!isUserError(error)) throw error;
};

const isDone = (batches: readonly Batch[]): boolean =>
  batches.every(({ outcomes }) => outcomes.every((outcome) => outcome?.kind === 'done'));

const NAMES: Readonly<Record<string, string>> = {
  title: 'title',
  description: 'description',
  start_date: 'start',
  end_date: 'start',
  timezone: 'start',
  all_day: 'start',
  venue: 'venue',
  categories: 'category',
  tags: 'tags',
  status: 'status',
};

/** What an operator undoes counts as done by a person; if an action failed, nobody can tell how far it got. */
function remember(
  { memory }: Living,
  back: readonly Batch[],
  undone: readonly Batch[],
  staysAway: (slug: string) => boolean,
  isKnown: boolean,
): void {
  for (const { items, outcomes } of back)
    for (const [index, { action }] of items.entries()) {
      if (action.resource !== 'events') continue;
      const key = keyOfSlug(action.slug) ?? '';
      if (outcomes[index]?.kind !== 'done') loosen(memory, action);
      else if (action.kind === 'remove') {
        if (staysAway(action.slug)) memory.removed.add(key);
      } else if (action.kind === 'create') {
        memory.removed.delete(key);
        // The values that it was created with count as a person's, even if an older event with the same key takes its
        // place.
        memory.loose.add(outcomes[index].id).add(key);
      } else {
        if (action.changes['status']?.from === 'trash') {
          memory.removed.delete(key);
          memory.untrashed.add(key);
        }
        for (const field of Object.keys(action.changes))
          if (
            NAMES[field] !== undefined &&
            (NAMES[field] === 'tags' || memory.edits.get(action.id)?.has(NAMES[field]) !== true)
          )
            memory.loose.add(`${action.id} ${NAMES[field]}`);
      }
    }
  for (const { items } of undone)
    for (const { action } of items) {
      if (action.resource !== 'events') continue;
      if (!isKnown) loosen(memory, action);
      // A venue that cannot be removed stays, and counts as a person's.
      if (action.kind === 'update' && action.changes['venue']) memory.loose.add(`${action.id} venue`);
      // What stays as the run made it, because somebody has changed it since, may come and go with the feed as before.
      if (isKnown && action.kind === 'update' && action.changes['status']?.from === 'trash')
        memory.spare.add(keyOfSlug(action.slug) ?? '');
    }
}

function loosen(memory: Living['memory'], action: Extract<Action, { resource: 'events' }>): void {
  memory.spare.add(keyOfSlug(action.slug) ?? '');
  memory.unknown.add(keyOfSlug(action.slug) ?? '');
  // What was to be brought back may be back.
  if (action.kind !== 'remove') memory.removed.delete(keyOfSlug(action.slug) ?? '');
  if ('id' in action) memory.loose.add(action.id);
}

const shownOf = (posts: readonly Post[], title = (post: Post): string => post.title): readonly string[] =>
  posts
    .filter(isLive)
    .map((post) => JSON.stringify({ ...post, id: 0, title: title(post) }))
    .toSorted();

const sameEvents = (one: readonly Post[], other: readonly Post[]): boolean =>
  JSON.stringify(shownOf(one)) === JSON.stringify(shownOf(other));

function checkBack({ memory }: Living, law: string, wanted: readonly Post[], now: readonly Post[]): void {
  // Without a ledger, the title is only known as the site renders it, and is written back like that.
  const title = (post: Post): string => (memory.unknown.has(keyOf(post)) ? plain(post.title) : post.title);
  must(JSON.stringify(shownOf(wanted, title)) === JSON.stringify(shownOf(now, title)), law, () => ({
    wanted: shownOf(wanted),
    now: shownOf(now),
    edits: [...memory.edits.keys()],
  }));
}
