import { loadFacts } from '../../run/watch/facts.ts';
import { loadMatters, type Matter } from '../../run/watch/matters.ts';
import { snoozesOf, sortedFor, type Sorted } from '../../run/watch/snoozes.ts';
import type { SourceFacts } from '../../run/watch/source-state.ts';
import type { Asked, Operator, Person } from '../frame/operator.ts';

/** How all sources are, and what waits for people. */
export interface Overview {
  /** In the order of the configuration. */
  readonly facts: readonly SourceFacts[];
  readonly matters: readonly Matter[];
}

/** Every page says how many matters wait. Ten thousand sources take half a second: then some pages share an answer. */
const KEPT_TIMES = 4;

const kept = new WeakMap<Operator, { readonly made: Promise<Overview>; until: number }>();

/** The overview of this moment, or a little earlier. */
export function overviewOf({ operator, now }: Pick<Asked, 'operator' | 'now'>): Promise<Overview> {
  const known = kept.get(operator);
  if (known && performance.now() < known.until) return known.made;
  const begun = performance.now();
  const entry = { made: load(operator, now), until: Number.POSITIVE_INFINITY };
  kept.set(operator, entry);
  const over = (): void => {
    const took = performance.now() - begun;
    entry.until = performance.now() + took * KEPT_TIMES;
  };
  entry.made.then(over, () => kept.delete(operator));
  return entry.made;
}

/** What somebody has just done is to be seen at once. */
export const forgetOverview = ({ operator }: Pick<Asked, 'operator'>): void => void kept.delete(operator);

async function load({ context, watched }: Operator, now: number): Promise<Overview> {
  const query = context.database.query();
  const facts = await loadFacts(query, await watched(), now);
  return { facts, matters: await loadMatters(query, facts, now) };
}

/** What waits for a person, what that person has put off, and what others have to do. */
export async function mattersFor(asked: Pick<Asked, 'operator' | 'now'>, { login }: Person): Promise<Sorted> {
  const { matters } = await overviewOf(asked);
  return sortedFor(matters, await snoozesOf(asked.operator.context.database.query(), login), asked.now);
}
