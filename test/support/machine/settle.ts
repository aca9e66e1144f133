import type { Report } from '../../../src/sync/model/plan.ts';
import { checkRun, must } from './check-run.ts';
import { checkSite } from './check-site.ts';
import { letThrough } from './let-through.ts';
import type { Living } from './perform.ts';
import { sync, takeOver, type Publisher, type World } from './world.ts';

const ROUNDS_MAX = 12;

/**
 * Ends all faults, lets the operator approve everything, and checks that the runs soon have nothing left to do and that
 * everything is in order.
 */
export async function settle(living: Living): Promise<void> {
  const { world } = living;
  world.grounds.heal();
  world.grounds.thawLists();
  world.grounds.setRole('editor');
  living.frozen = false;
  await takeOver(world.worker(0));
  for (const publisher of world.publishers) {
    publisher.how = 'whole';
    await runUntilQuiet(living, publisher, living.touched);
    if (!living.touched) await runUntilQuiet(living, publisher, true, 1);
  }
  living.touched = false;
  living.memory.older.clear();
  await checkSite(living);
}

async function runUntilQuiet(living: Living, { name }: Publisher, full: boolean, rounds = ROUNDS_MAX): Promise<void> {
  const { world } = living;
  const reports: Report[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [ledger, posts] = [await ledgerText(world, name), JSON.stringify(await world.grounds.posts())];
    const report = await checkRun(world, name, () => sync(world.worker(0), name, full));
    must(report !== undefined, 'a source is free once its run has ended', () => name);
    reports.push(report!);
    if (report!.state === 'held') await letThrough(living, (await world.held())!);
    // After its last change, a source may still learn how its events are identified. That changes only the ledger.
    else if (report!.state === 'unchanged' && (rounds === 1 || (await ledgerText(world, name)) === ledger)) {
      must(
        report!.writes === 0 && JSON.stringify(await world.grounds.posts()) === posts,
        'a run that finds nothing to do writes nothing',
        () => report,
      );
      return;
    }
  }
  must(
    false,
    full && rounds === 1
      ? 'what no run saw without comparing everything is nothing'
      : 'runs without a change come to an end',
    () => reports,
  );
}

/** The ledger, without the counters that never stop. */
async function ledgerText(world: World, source: string): Promise<string> {
  const entries = [...(await world.ledger(source)).values()].toSorted((one, other) => (one.slug < other.slug ? -1 : 1));
  return JSON.stringify(
    entries.map((entry) => ({ ...entry, missing: world.settings.missing === 'keep' ? 0 : entry.missing })),
  );
}
