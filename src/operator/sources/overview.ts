import { receiverNames } from '../../alerts/alert-settings.ts';
import { lastChange } from '../../run/watch/last-change.ts';
import { loadFacts } from '../../run/watch/facts.ts';
import { generalMatters, reviewMatters, type GeneralMatter } from '../../run/watch/general-matters.ts';
import { loadMatters, type Matter } from '../../run/watch/matters.ts';
import { snoozesOf, sortMatters, type SortedMatters } from '../../run/watch/snoozes.ts';
import type { SourceFacts } from '../../run/watch/source-state.ts';
import type { Asked, Operator, Person } from '../frame/operator.ts';

/** The state of all sources, and the matters that wait for people. */
export interface Overview {
  /** In the order of the configuration. */
  readonly facts: readonly SourceFacts[];
  readonly matters: readonly Matter[];
  /** Matters that concern no source. */
  readonly general: readonly GeneralMatter[];
}

type OfSources = Omit<Overview, 'general'>;

/** The page that asks; all parts of one page get the same answer. */
type Asking = Pick<Asked, 'operator' | 'now'> & Partial<Pick<Asked, 'request'>>;

// A page that stays open keeps asking with the same request.
const ofRequests = new WeakMap<Request, { readonly now: number; readonly made: Promise<Overview> }>();

/**
 * Every page shows how many matters wait. If counting takes longer than this, as with ten thousand sources, pages share
 * it.
 */
const LONG_MS = 200;
const KEPT_TIMES = 4;

interface Shared {
  readonly ofSources: OfSources;
  readonly mark: string;
  readonly until: number;
}
const shared = new WeakMap<Operator, Shared>();

/**
 * The current overview. The part about sources may be slightly older if no run has progressed and nobody has acted
 * since.
 */
export function overviewOf(asking: Asking): Promise<Overview> {
  const { request, now } = asking;
  const known = request && ofRequests.get(request);
  if (known?.now === now) return known.made;
  const made = sharedOrMade(asking);
  if (request) ofRequests.set(request, { now, made });
  return made;
}

async function sharedOrMade({ operator, now }: Asking): Promise<Overview> {
  const [general, ofSources] = await Promise.all([loadGeneral(operator), ofSourcesSharedOrMade(operator, now)]);
  return { ...ofSources, general };
}

async function ofSourcesSharedOrMade(operator: Operator, now: number): Promise<OfSources> {
  const known = shared.get(operator);
  const mark = await lastChange(operator.context.database.query());
  if (known && performance.now() < known.until && mark === known.mark) return known.ofSources;
  const begun = performance.now();
  const ofSources = await loadOfSources(operator, now);
  const took = performance.now() - begun;
  if (took > LONG_MS) shared.set(operator, { ofSources, mark, until: performance.now() + took * KEPT_TIMES });
  return ofSources;
}

/** Makes a decision just made visible on the next page, even if it has left no other trace yet. */
export const forgetOverview = ({ operator }: Pick<Asked, 'operator'>): void => void shared.delete(operator);

async function loadOfSources({ context, watched }: Operator, now: number): Promise<OfSources> {
  const query = context.database.query();
  const facts = await loadFacts(query, await watched(), now);
  return { facts, matters: await loadMatters(query, facts, now) };
}

/** These are few and cheap to load, so they are not shared. */
async function loadGeneral({ context, config, waitingForReview }: Operator): Promise<readonly GeneralMatter[]> {
  const [general, waiting] = await Promise.all([
    generalMatters(context.database.query(), receiverNames(config())),
    waitingForReview(),
  ]);
  return [...general, ...reviewMatters(waiting)];
}

/** The matters that wait for a person, that this person has put off, and that others have to deal with. */
export async function mattersFor(asked: Asking, { login }: Person): Promise<SortedMatters> {
  const { matters } = await overviewOf(asked);
  return sortMatters(matters, await snoozesOf(asked.operator.context.database.query(), login), asked.now);
}

/** How many matters wait for a person. */
export async function countWaiting(asked: Asking, person: Person): Promise<number> {
  const [{ waiting }, { general }] = await Promise.all([mattersFor(asked, person), overviewOf(asked)]);
  return waiting.length + general.length;
}
