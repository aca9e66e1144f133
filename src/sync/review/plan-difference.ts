import { countInWords } from '../../count-in-words.ts';
import { canonical } from '../model/json.ts';
import type { Action, EventAction, Plan } from '../model/plan.ts';

/** How a later plan differs from an earlier one, event by event. */
export interface PlanDifference {
  readonly before: Counts;
  readonly after: Counts;
  /** Slugs of events that both plans treat in the same way. */
  readonly same: readonly string[];
  /** Actions of the earlier plan only; their events are now left alone. */
  readonly dropped: readonly EventAction[];
  /** Actions of the later plan only. */
  readonly added: readonly EventAction[];
  /** Actions of the later plan that differ from the earlier one's. */
  readonly otherwise: readonly EventAction[];
}

/** The numbers of events that a plan removes, changes and creates. */
export interface Counts {
  readonly removed: number;
  readonly updated: number;
  readonly created: number;
}

/** The difference between two plans for one source. */
export function planDifference(before: readonly Action[], after: readonly Action[]): PlanDifference {
  const [was, is] = [eventsIn(before), eventsIn(after)];
  const [earlier, later] = [was, is].map((list) => new Map(list.map((action) => [action.slug, action])));
  const isSame = (action: EventAction): boolean => {
    const former = earlier?.get(action.slug);
    return former !== undefined && whatItDoes(former) === whatItDoes(action);
  };
  return {
    before: countsOf(was),
    after: countsOf(is),
    same: is.filter(isSame).map(({ slug }) => slug),
    dropped: was.filter(({ slug }) => later?.has(slug) !== true),
    added: is.filter(({ slug }) => earlier?.has(slug) !== true),
    otherwise: is.filter((action) => earlier?.has(action.slug) === true && !isSame(action)),
  };
}

/** Whether two plans treat all events in the same way; false if they have no actions. */
export function isSamePlan(before: Pick<Plan, 'actions'>, after: Pick<Plan, 'actions'>): boolean {
  const { same, dropped, added, otherwise } = planDifference(before.actions, after.actions);
  return same.length > 0 && dropped.length + added.length + otherwise.length === 0;
}

const eventsIn = (actions: readonly Action[]): readonly EventAction[] =>
  actions.flatMap((action) => (action.resource === 'events' ? [action] : []));

function whatItDoes(action: EventAction): string {
  const sent = action.kind === 'remove' ? { how: action.how } : action.fields;
  return canonical({ kind: action.kind, ...sent });
}

const countsOf = (actions: readonly EventAction[]): Counts => {
  const count = (kind: EventAction['kind']): number => actions.filter((action) => action.kind === kind).length;
  return { removed: count('remove'), updated: count('update'), created: count('create') };
};

/** A difference in words, such as "The new plan would remove 4 events, not 17; 13 are back, and 2 changes are new." */
export function planDifferenceInWords(difference: PlanDifference): string {
  const { before, after } = difference;
  const counted = COUNTS.flatMap(([name, verb]) =>
    before[name] === after[name] ? [] : [`${verb} ${events(after[name])}, not ${before[name]}`],
  );
  const rest = restInWords(difference);
  if (rest.length === 0) return 'The new plan does the same.';
  const says = counted.length === 0 ? 'The new plan has as many changes' : `The new plan would ${joined(counted)}`;
  return `${says}; ${joined(rest)}.`;
}

function restInWords({ dropped, added, otherwise }: PlanDifference): readonly string[] {
  const back = dropped.filter(({ kind }) => kind === 'remove').length;
  const said = [
    [back, 'is back', 'are back'],
    [dropped.length - back, 'change is no longer needed', 'changes are no longer needed'],
    [added.length, 'change is new', 'changes are new'],
    [otherwise.length, 'differs', 'differ'],
  ] as const;
  return said.flatMap(([count, one, many]) => (count === 0 ? [] : [countInWords(count, one, many)]));
}

const COUNTS = [
  ['removed', 'remove'],
  ['updated', 'change'],
  ['created', 'add'],
] as const;

const events = (count: number): string => (count === 1 ? '1 event' : `${count || 'no'} events`);

const joined = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}`;
