import { sourceKey } from '../../../src/sync/model/slug.ts';
import type { Command } from './command.ts';
import type { Post } from './grounds.ts';
import { keyOf } from './memory.ts';
import { isTold } from './told.ts';
import type { Living } from './perform.ts';
import { settleFor, takeOver } from './world.ts';

type SettleField = Extract<Command, { kind: 'settle field' }>;

const EDITED = { title: 'title', description: 'description', start_date: 'start' } as const;

/** The operator says who is right about a field of an event: from then on it is the feed's, or a person's. */
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
  // A site that is out of order is told by an error to whoever settles.
  const report = await settleFor(world.worker(0), source.name, entry.slug, field, winner).catch((error: unknown) => {
    if (!isTold(error)) throw error;
  });
  if (report === undefined) return;
  const name = EDITED[field];
  const edits = memory.edits.get(post.id) ?? new Map<string, unknown>();
  // Whatever was refused or given up may have been done by half; and what nobody has edited is a person's only until
  // feed and site agree.
  if (report.state === 'failed' || (winner === 'site' && !edits.has(name))) memory.loose.add(`${post.id} ${name}`);
  else if (winner === 'feed') edits.delete(name);
}
