import type { Report } from '../../../src/sync/plan.ts';
import type { World } from './world.ts';

/** Something happened that must not. */
export class Broken extends Error {}

export function must(holds: boolean, law: string, facts: () => unknown): void {
  if (!holds) throw new Broken(`${law}: ${JSON.stringify(facts(), null, 1)}`);
}

/** A run that nobody approved: it removes no more than the guard lets through, and a held one writes nothing. */
export async function checkRun(world: World, source: string, run: () => Promise<Report | undefined>): Promise<Report | undefined> {
  const upcoming = [...(await world.ledger(source)).values()].filter(({ state, endsAt }) => state === 'kept' && endsAt > world.clock.now).length;
  const before = JSON.stringify(await world.grounds.posts());
  const report = await run();
  if (!report) return report;
  must(report.state === 'held' || report.removed <= 3 || report.removed <= 0.2 * upcoming, 'a mass removal is held', () => ({ report, upcoming }));
  if (report.state === 'held') must(JSON.stringify(await world.grounds.posts()) === before && report.writes === 0, 'what is held writes nothing', () => report);
  return report;
}
