import { sourceKey } from '../../../src/sync/model/slug.ts';
import type { Command } from './command.ts';
import type { Post } from './grounds.ts';
import { keyOf } from './memory.ts';
import { isUserError } from './user-error.ts';
import type { Living } from './perform.ts';
import { settleFor, takeOver } from './world.ts';

type SettleField = Extract<Command, { kind: 'settle field' }>;

const EDITED = { title: 'title', description: 'description', start_date: 'start' } as const;

/** The operator decides whether the feed or the site is right about a field of an event. */
export async function settleField(
  { memory, world }: Living,
  post: Post | undefined,
  { field, winner }: SettleField,
): Promise<void> {
  const source = world.publishers.find(({ name }) => post !== undefined && keyOf(post).startsWith(sourceKey(name)));
  await takeOver(world.worker(0));
  const entry =
    source &&
    post &&
    [...(await world.ledger(source.name)).values()].find(({ id, state }) => id === post.id && state === 'kept');
  if (!entry) return;
  // If the site is failing, the decision reports an error.
  const report = await settleFor(world.worker(0), source.name, entry.slug, field, winner).catch((error: unknown) => {
    if (!isUserError(error)) throw error;
  });
  if (report === undefined) return;
  const name = EDITED[field];
  const edits = memory.edits.get(post.id) ?? new Map<string, unknown>();
  // A refused or abandoned write may have been carried out in part. A field that nobody has edited belongs to a person
  // only until feed and site agree.
  if (report.state === 'failed' || (winner === 'site' && !edits.has(name))) memory.loose.add(`${post.id} ${name}`);
  else if (winner === 'feed') edits.delete(name);
}
