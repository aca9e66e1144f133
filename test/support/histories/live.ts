import { must } from '../machine/check-run.ts';
import type { Doing, History } from './history.ts';
import { differences, linesOf, newLiving, type Living } from './living.ts';
import { perform } from './perform.ts';
import type { Place, Shown } from './place.ts';
import { run, runAndDie } from './run.ts';
import { addItem, changeSource } from './source.ts';

/** How a history is run. The site must be the same at the end, whichever way is chosen. */
export interface Telling {
  /** Each run compares all events. */
  readonly isFull?: boolean;
  /** The source is synced after each single change instead of after each step. */
  readonly isStepwise?: boolean;
  /** The feed has its components in a different order each time. */
  readonly isShuffled?: boolean;
  /** After how many effects the run of a step is killed. */
  readonly diesAfter?: (step: number) => number;
  /** What else happens after each step. */
  readonly remainder?: (living: Living, step: number) => Promise<void>;
}

/** Runs a whole history and returns what the site shows at the end. */
export async function live(
  place: Place,
  history: History,
  tally: Map<string, number>,
  telling: Telling = {},
): Promise<readonly Shown[]> {
  await place.begin(history);
  const living = newLiving(place, tally);
  for (const seed of history.first) addItem(place.source, seed);
  await synced(living, telling, 0, false);
  for (const [index, doings] of history.steps.entries()) {
    let isTouched = false;
    for (const doing of doings) {
      isTouched = (await done(living, doing)) || isTouched;
      if (telling.isStepwise) await synced(living, telling, index + 1, isTouched);
    }
    if (!telling.isStepwise) await synced(living, telling, index + 1, isTouched);
  }
  return place.shown();
}

const isNew = (one: unknown, other: unknown): boolean => JSON.stringify(one) !== JSON.stringify(other);

/** Carries out one action. True if only a full comparison can notice its effect. */
async function done(living: Living, doing: Doing): Promise<boolean> {
  const { place, touched } = living;
  if (doing.kind === 'days') {
    place.clock.now += doing.days * 86_400_000;
    return false;
  }
  if (changeSource(place.source, doing)) {
    living.isDue = true;
    return false;
  }
  const [posts, ledger] = [new Map((await place.shown()).map((post) => [post.id, post])), await place.ledger()];
  await perform(living, doing);
  for (const post of await place.shown()) if (isNew(post, posts.get(post.id))) touched.add(post.id);
  for (const [slug, entry] of await place.ledger())
    if (entry.id !== null && isNew(entry, ledger.get(slug))) touched.add(entry.id);
  return true;
}

async function synced(living: Living, telling: Telling, step: number, isTouched: boolean): Promise<void> {
  const isFull = isTouched || telling.isFull === true;
  if (telling.isShuffled) living.place.order = step + 1;
  if (telling.diesAfter) await runAndDie(living, telling.diesAfter(step), isFull);
  else await run(living, isFull);
  await telling.remainder?.(living, step);
}

/** Checks that nothing is left to do after a run, whether or not the next one compares all events. */
export async function checkQuiet(living: Living): Promise<void> {
  const before = linesOf(await living.place.shown());
  for (const isFull of [false, true]) {
    const report = await run(living, isFull);
    const differing = differences(before, linesOf(await living.place.shown()));
    must(report.writes === 0 && differing === undefined, 'a second run finds nothing to do', () => ({
      isFull,
      report,
      differing,
    }));
  }
}
