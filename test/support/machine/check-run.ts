import type { Report } from '../../../src/sync/model/plan.ts';
import { isLive, isOf } from './memory.ts';
import type { World } from './world.ts';

/** Something happened that must not. */
export class LawBroken extends Error {}

export function must(holds: boolean, law: string, facts: () => unknown): void {
  if (!holds) throw new LawBroken(`${law}: ${JSON.stringify(facts(), null, 1)}`);
}

/**
 * Makes a run that nobody has approved, and checks that it removes no more than the guard allows, and that it writes
 * nothing if it is held.
 */
export async function checkRun(
  world: World,
  source: string,
  run: () => Promise<Report | undefined>,
): Promise<Report | undefined> {
  const kept = [...(await world.ledger(source)).values()].filter(
    ({ state, endsAt }) => state === 'kept' && endsAt > world.clock.now,
  ).length;
  const posts = await world.grounds.posts();
  const before = JSON.stringify(posts);
  // What earlier runs wrote without an answer is on the site, and this run adds it to the ledger.
  const upcoming = Math.max(
    kept,
    posts.filter((post) => isOf(source)(post) && isLive(post) && post.endsAt > world.clock.now).length,
  );
  const report = await run();
  if (!report) return report;
  must(
    report.state === 'held' || report.removed <= 3 || report.removed <= 0.2 * upcoming,
    'a mass removal is held',
    () => ({ report, upcoming }),
  );
  if (report.state === 'held')
    must(
      JSON.stringify(await world.grounds.posts()) === before && report.writes === 0,
      'what is held writes nothing',
      () => report,
    );
  return report;
}
