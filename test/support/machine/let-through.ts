import type { Report } from '../../../src/sync/model/plan.ts';
import { sourceKey } from '../../../src/sync/model/slug.ts';
import { keyOf } from './memory.ts';
import type { Living } from './perform.ts';
import { approve } from './world.ts';

/** The operator approves a held run, whatever it says. */
export async function letThrough(
  living: Living,
  held: { readonly run: string; readonly source: string; readonly why: string },
): Promise<Report | undefined> {
  if (held.why.startsWith('Site lost')) await takeForLost(living, held.source);
  return approve(living.world.worker(0), held);
}

/**
 * Where people have erased all that there was, it looks as if the site had lost it, and the operator says that it had:
 * it comes back, as other posts.
 */
async function takeForLost({ world, memory, posts }: Living, source: string): Promise<void> {
  for (const slug of await world.pending()) {
    const key = keyOf({ slug });
    if (key.startsWith(sourceKey(source)) && memory.removed.delete(key)) memory.spare.add(key);
  }
  const onSite = new Set((await world.grounds.posts()).map(({ id }) => id));
  for (const [place, id] of posts) if (place.startsWith(`${source} `) && !onSite.has(id)) posts.delete(place);
}
