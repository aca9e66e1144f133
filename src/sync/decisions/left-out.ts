import type { Problem } from '../../problem.ts';
import { pinnedEntry } from '../event/life.ts';
import type { FieldName } from '../model/fields.ts';
import type { EventAction, FieldState, LedgerChange, LedgerEntry, Plan } from '../model/plan.ts';
import { unsettled } from '../model/settled.ts';
import { isRevival } from '../model/values-before.ts';
import { listFirst } from '../plan/notices.ts';

/**
 * The entries of events that a person excludes from a plan: what the feed says about them counts as handled. An
 * excluded removal pins the event until the feed has it again, an excluded change comes up again when the feed next
 * changes that event, and an excluded new event stays off like one removed by a person. Events that have `moved` since
 * the plan was shown are left to the next run.
 */
export function leftOutEntries(
  plan: Pick<Plan, 'ledger'>,
  actions: readonly EventAction[],
  moved: ReadonlySet<string>,
  ledger: ReadonlyMap<string, LedgerEntry>,
): Plan['ledger'] {
  return Object.fromEntries(
    actions.flatMap((action): readonly (readonly [string, LedgerChange])[] => {
      const change = plan.ledger[action.slug];
      if (change === undefined || moved.has(action.slug)) return [];
      const entry = leftAsItIs(action, change, ledger.get(action.slug));
      return [[action.slug, { entry, pendingFields: [] }]];
    }),
  );
}

function leftAsItIs(action: EventAction, change: LedgerChange, before: LedgerEntry | undefined): LedgerEntry {
  const planned = unsettled(change.entry);
  if (action.kind === 'remove') return pinnedEntry(before ?? planned);
  const handled = { ...planned, fields: { ...planned.fields, ...handledIn(change, before) } };
  return action.kind === 'create' || isRevival(action) ? { ...handled, state: 'ignored' } : handled;
}

/** Keeps fields as they are on the site and marks the feed's new values as handled. */
const handledIn = ({ entry, pendingFields }: LedgerChange, before: LedgerEntry | undefined): LedgerEntry['fields'] =>
  Object.fromEntries(
    pendingFields.map((field): readonly [FieldName, FieldState] => {
      const planned = entry.fields[field] ?? { feed: null, by: 'feed' };
      return [field, { ...(before?.fields[field] ?? { by: planned.by }), feed: planned.feed }];
    }),
  );

const NAMED_MAX = 5;

/** Reports the events that a person has excluded. */
export function leftOutProblem(actions: readonly EventAction[]): readonly Problem[] {
  const [first, ...others] = actions;
  if (first === undefined) return [];
  const names = listFirst(
    actions.map(({ title, slug }) => `"${title}" (${slug})`),
    NAMED_MAX,
  );
  if (others.length === 0)
    return [
      {
        code: 'left-out',
        where: { slug: first.slug },
        message: `"${first.title}" was left out, as it was decided: it is left alone until the feed changes there.`,
      },
    ];
  const message = `${actions.length} events were left out, as it was decided: ${names}. They are left alone until the feed changes there.`;
  return [{ code: 'left-out', where: {}, message }];
}
