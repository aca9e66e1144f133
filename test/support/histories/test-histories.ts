import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyOfSlug } from '../../../src/sync/model/slug.ts';
import { freshDatabase, type FreshDatabase } from '../database.ts';
import { must } from '../machine/check-run.ts';
import { historyOf, ACTIONS, RULES, type Doing, type History } from './history.ts';
import { checkQuiet, live, type Telling } from './live.ts';
import { comparable, differences, linesOf, type Living } from './living.ts';
import { closePlace, openPlace, type Place, type Shown } from './place.ts';
import { run } from './run.ts';

type Places = readonly [Place, Place];
type Tally = Map<string, number>;
interface Law {
  readonly name: string;
  readonly of: fc.Arbitrary<Doing>;
  readonly holds: (places: Places, history: History, tally: Tally) => Promise<void>;
}

/** A history that is run in another way ends with the same site. */
const retold =
  (telling: Telling, line?: (post: Shown) => string): Law['holds'] =>
  async ([one, other], history, tally) =>
    mustBeSame(await live(one, history, tally), await live(other, history, tally, telling), line);

function mustBeSame(one: readonly Shown[], other: readonly Shown[], line?: (post: Shown) => string): void {
  const differing = differences(linesOf(one, line), linesOf(other, line));
  must(differing === undefined, 'the site is the same at the end', () => differing);
}

/** A slug is derived from the first title that an event had on the site. */
const withoutTitle = (post: Shown): string => comparable({ ...post, slug: keyOfSlug(post.slug) ?? post.slug });

/** Venues that were created earlier remain unchanged, so only their names are compared. */
const withoutPlaces = (post: Shown): Shown => ({
  ...post,
  venues: (post['venues'] as readonly string[]).map((each) => each.split('|')[0]),
});
/** Events may have exchanged their slugs. */
const byNames = (post: Shown): string => comparable({ ...withoutPlaces(post), slug: '' });

/** Settings under which the feed alone determines what the site shows. */
const asTheFeedSays = (history: History): History => ({
  ...history,
  settings: { missing: 'trash', authority: 'preserve' },
  first: history.first.map((seed) => ({ ...seed, state: 'CONFIRMED' })),
});

/** Toggles a rule and toggles it back, with a run after each. */
async function changeRules(living: Living, step: number): Promise<void> {
  if (step % 3 !== 1) return;
  const { source } = living.place;
  const name = RULES[(source.items.length * 7 + step) % RULES.length]!;
  for (const _ of ['there', 'back']) {
    if (!source.rules.delete(name)) source.rules.add(name);
    await run(living, false);
  }
}

const LAWS: readonly Law[] = [
  {
    name: 'each run does what it announces, respects people’s work, and leaves nothing to do',
    of: ACTIONS.everything,
    holds: async ([place], history, tally) => {
      await live(place, history, tally, { remainder: checkQuiet });
    },
  },
  {
    name: 'full comparisons end with the same site',
    of: ACTIONS.everything,
    holds: retold({ isFull: true }),
  },
  {
    name: 'the order of events in a feed does not matter',
    of: ACTIONS.everything,
    holds: retold({ isShuffled: true }),
  },
  {
    name: 'runs that are killed and repeated end with the same site',
    of: ACTIONS.withoutUndo,
    holds: retold({ diesAfter: (step) => 3 + ((step * 17) % 60) }),
  },
  {
    name: 'changes at once or step by step end with the same site',
    of: ACTIONS.steadySource,
    holds: (places, history, tally) =>
      retold({ isStepwise: true }, withoutTitle)(places, asTheFeedSays(history), tally),
  },
  {
    name: 'toggling a rule twice leaves nothing behind',
    of: ACTIONS.source,
    holds: (places, history, tally) =>
      retold({ remainder: changeRules }, (post) => comparable(withoutPlaces(post)))(
        places,
        asTheFeedSays(history),
        tally,
      ),
  },
  {
    name: 'a site that has been synced for long equals one that is synced today for the first time',
    of: ACTIONS.source,
    holds: async ([one, other], history, tally) => {
      const followed = await live(one, asTheFeedSays(history), tally);
      await other.begin(asTheFeedSays(history));
      other.source = one.source;
      other.clock.now = one.clock.now;
      await other.sync(true);
      mustBeSame(followed, await other.shown(), byNames);
    },
  },
];

/**
 * Tests properties of the whole sync with random histories of a source, its rules, and people on the built-in site.
 * Each property is tested with `standard` histories, or as many as HISTORIES says, of at most `steps` steps. The seed
 * is HISTORIES_SEED.
 */
export function testHistories(standard: number, steps: number): void {
  const times = Number(process.env['HISTORIES'] ?? standard);
  const seed = Number(process.env['HISTORIES_SEED'] ?? 100_000);
  // Shrinking a failing history takes many minutes, which only runs on demand can afford.
  const isAsked = process.env['HISTORIES'] !== undefined;
  const fresh: FreshDatabase[] = [];
  const places: Place[] = [];
  beforeAll(async () => {
    for (const _ of ['one', 'other']) {
      const own = await freshDatabase();
      fresh.push(own);
      places.push(await openPlace(own.database));
    }
  });
  afterAll(async () => {
    for (const place of places) await closePlace(place);
    for (const own of fresh) await own.close();
  });
  test.each(LAWS)('$name', { timeout: isAsked ? 86_400_000 : 600_000 }, async ({ name, of, holds }) => {
    const tally: Tally = new Map();
    await fc.assert(
      fc.asyncProperty(historyOf(of, steps), (history) => holds([places[0]!, places[1]!], history, tally)),
      { numRuns: times, seed, endOnFailure: !isAsked },
    );
    const done = [...tally].map(([what, often]) => `${what} ${often}`).join(', ');
    process.stdout.write(`${name}: ${times} histories, seed ${seed} (${done})\n`);
    expect(tally.get('run')).toBeGreaterThan(times);
  });
}
