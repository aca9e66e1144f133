import { AppError } from '../../error.ts';
import type { Problem } from '../../problem.ts';
import { asUnhandled, EMPTY_PLAN, feedDecides } from '../../sync/decisions/settle.ts';
import { subPlan } from '../../sync/decisions/sub-plan.ts';
import { unlocked } from '../../sync/event/locks.ts';
import type { FieldName } from '../../sync/model/fields.ts';
import { canonical } from '../../sync/model/json.ts';
import type { Action, FieldState, LedgerEntry, Plan, SiteEvent } from '../../sync/model/plan.ts';
import { planChanges } from '../../sync/plan/plan-changes.ts';
import { EVENT_REMOVED } from '../write/writes-of.ts';
import { eventIn, loadEvents } from '../site/load-events.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { planningWith } from './planning-with.ts';

/** Fields of an event, in whole units, about which the feed decides, overriding everything else. */
export interface FeedDecision {
  readonly slug: string;
  readonly fields: readonly FieldName[];
}

/**
 * Plans to write the feed's values of some fields. `decided` holds the events' entries as decided so far. A problem of
 * the plan reports values that the feed no longer gives. Throws AppError if an event is no longer on the site.
 */
export async function planFromFeed(
  context: RunContext,
  setup: SourceSetup,
  decided: ReadonlyMap<string, LedgerEntry>,
  wanted: readonly FeedDecision[],
): Promise<Plan> {
  const slugs = wanted.map(({ slug }) => slug);
  const planning = await planningWith(
    context,
    setup,
    slugs.flatMap((slug) => decided.get(slug) ?? []),
  );
  const snapshot = await loadEvents(setup.site.client, decided, slugs);
  const find = eventIn(snapshot);
  for (const slug of slugs) assertThere(slug, find(slug));
  const plans: Plan[] = [];
  // A policy applies to a whole plan, so events with the same fields share one.
  for (const own of Map.groupBy(wanted, ({ fields }) => canonical(fields)).values()) {
    const [{ fields } = { fields: [] }] = own;
    const open = new Map(planning.ledger);
    for (const { slug } of own) {
      const entry = decided.get(slug);
      if (entry) open.set(slug, asUnhandled(unlocked(entry, fields), fields));
    }
    const policy = feedDecides(planning.policy, fields);
    const plan = planChanges({ ...planning, policy, ledger: open, snapshot });
    const isAsSaid = (slug: string): boolean =>
      plan.ledger[slug] === undefined && fields.some((field) => isOfFeed(open.get(slug)?.fields[field]));
    const [asSaid, others] = [own.filter(({ slug }) => isAsSaid(slug)), own.filter(({ slug }) => !isAsSaid(slug))];
    const silent = others.filter(({ slug }) => isSilent(plan, slug, fields)).map(({ slug }) => slug);
    const said = subPlan(plan, (slug) => own.some((each) => each.slug === slug) && !silent.includes(slug));
    plans.push({
      ...said,
      problems: [
        ...silent.map((slug) => feedSilent(slug, fields)),
        ...asSaid.map(({ slug }) => alreadySo(slug, fields)),
      ],
    });
  }
  return joinedPlans(plans);
}

function assertThere(slug: string, onSite: SiteEvent | undefined): void {
  if (!onSite || onSite.status === 'trash')
    throw new AppError(
      EVENT_REMOVED,
      `${slug} is not on the site any more: "npm run -s calsyncd -- restore ${slug}" brings it back.`,
    );
}

/** The feed has given it a value, and no person has edited it since. */
const isOfFeed = (state: FieldState | undefined): boolean => state?.by === 'feed' && state.feed !== null;

const isSilent = ({ ledger }: Plan, slug: string, fields: readonly FieldName[]): boolean =>
  fields.every((field) => ledger[slug]?.entry.fields[field]?.by !== 'feed');

const feedSilent = (slug: string, fields: readonly FieldName[]): Problem => ({
  code: 'feed-silent',
  message: `The feed says nothing about ${fields.join(', ')} of ${slug} any more: only "npm run -s calsyncd -- settle ${slug} site" is left.`,
  where: { slug },
});

const alreadySo = (slug: string, fields: readonly FieldName[]): Problem => ({
  code: 'nothing-to-settle',
  message: `On the site, ${fields.join(', ')} of ${slug} is as the feed says already.`,
  where: { slug },
});

/**
 * Joins plans for different events, or for different fields of them; for an event in several plans, the last one
 * counts.
 */
export function joinedPlans(plans: readonly Plan[]): Plan {
  const actions = new Map<string, Action>();
  for (const action of plans.flatMap((plan) => plan.actions))
    actions.set(action.resource === 'events' ? `event ${action.slug}` : action.ref, action);
  return {
    ...EMPTY_PLAN,
    actions: [...actions.values()],
    refs: Object.assign({}, ...plans.map(({ refs }) => refs)) as Plan['refs'],
    ledger: Object.assign({}, ...plans.map(({ ledger }) => ledger)) as Plan['ledger'],
    problems: plans.flatMap(({ problems }) => problems),
  };
}
