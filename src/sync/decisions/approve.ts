import type { Problem } from '../../problem.ts';
import { refsIn, siteForm } from '../links/link.ts';
import { withoutFields } from '../event/ledger-after.ts';
import type { FieldName } from '../model/fields.ts';
import type { EventAction, Json, LedgerEntry, Plan, Refs, SiteEvent } from '../model/plan.ts';
import { shownWhenPlanned } from '../model/values-before.ts';
import { sameJson } from '../model/json.ts';
import { leftOutEntries, leftOutProblem } from './left-out.ts';
import { subPlan } from './sub-plan.ts';

/** A held plan, and the site and ledger at the moment a person approves it. */
export interface Approval {
  readonly plan: Plan;
  /** The event that the site now shows for a slug of the plan, including trashed ones. */
  readonly onSite: (slug: string) => SiteEvent | undefined;
  /** Slugs whose ledger entries have changed since the plan was shown. */
  readonly moved: ReadonlySet<string>;
  /** Refs whose ids now belong to something else. */
  readonly movedRefs: ReadonlySet<string>;
  /** The current ledger. */
  readonly ledger: ReadonlyMap<string, LedgerEntry>;
  /** Slugs of events that the person excludes from the approval. */
  readonly except?: ReadonlySet<string>;
}

/**
 * Reduces a plan to the actions whose events and links are still as shown and that the person has not excluded; the
 * others become problems.
 */
export function approvedPlan({ plan, onSite, moved, movedRefs, ledger, except = new Set() }: Approval): Plan {
  const all = plan.actions.filter((action) => action.resource === 'events');
  const events = all.filter(({ slug }) => !except.has(slug));
  const excepted = all.filter(({ slug }) => except.has(slug));
  const kept = events.filter(
    (action) =>
      !moved.has(action.slug) &&
      !refsIn(action).some((ref) => movedRefs.has(ref)) &&
      isAsShown(action, onSite(action.slug), plan.refs),
  );
  const slugs = new Set([...kept.map(({ slug }) => slug), ...conflictsShown(plan, moved, onSite)]);
  const own = subPlan(plan, (slug) => slugs.has(slug));
  return {
    ...own,
    ledger: {
      ...foundEntries(plan, moved),
      ...ownAgainIn(plan, moved, ledger),
      ...leftOutEntries(plan, excepted, moved, ledger),
      ...own.ledger,
    },
    problems: [
      ...plan.problems,
      ...leftOutProblem(excepted),
      ...events.filter(({ slug }) => !slugs.has(slug)).map(changedSinceShown),
    ],
  };
}

/**
 * The entries of events found after the ledger was lost, except those that are removed or have changed since (`moved`).
 */
export function foundEntries({ ledger, actions }: Plan, moved: ReadonlySet<string>): Plan['ledger'] {
  const leaving = new Set(actions.flatMap((action) => (action.kind === 'remove' ? [action.slug] : [])));
  const found = Object.entries(ledger).filter(
    ([slug, { entry, isNew }]) => (isNew || entry.identity === null) && !leaving.has(slug) && !moved.has(slug),
  );
  return Object.fromEntries(
    found.map(([slug, { entry, pendingFields }]) => [
      slug,
      { entry: { ...entry, fields: withoutFields(entry.fields, pendingFields) }, pendingFields: [] },
    ]),
  );
}

/**
 * The entries of events that are detached or adopted again without a write, except those that have changed since
 * (`moved`).
 */
function ownAgainIn({ ledger, actions }: Plan, moved: ReadonlySet<string>, now: Approval['ledger']): Plan['ledger'] {
  const acted = new Set(actions.flatMap((action) => ('slug' in action ? [action.slug] : [])));
  const released = Object.entries(ledger).filter(
    ([slug, { entry }]) => OWNED.has(`${now.get(slug)?.state} ${entry.state}`) && !acted.has(slug) && !moved.has(slug),
  );
  return Object.fromEntries(released);
}

const OWNED: ReadonlySet<string> = new Set(['kept detached', 'detached kept']);

/** Slugs of events that a plan only lists as in conflict, if the site still shows them as it did then. */
function conflictsShown(
  { actions, conflicts }: Plan,
  moved: ReadonlySet<string>,
  onSite: Approval['onSite'],
): readonly string[] {
  const acted = new Set(actions.flatMap((action) => ('slug' in action ? [action.slug] : [])));
  const others = Map.groupBy(conflicts, ({ slug }) => slug);
  return [...others.keys()].filter(
    (slug) =>
      !acted.has(slug) &&
      !moved.has(slug) &&
      others.get(slug)?.every(({ field, site }) => sameJson(shownIn(onSite(slug), field), site)),
  );
}

const shownIn = (onSite: SiteEvent | undefined, field: string): Json => onSite?.values[field as FieldName] ?? null;

/** Whether an event still has the values that an action was shown with. */
function isAsShown(action: EventAction, onSite: SiteEvent | undefined, refs: Refs): boolean {
  if (action.kind === 'create') return onSite === undefined;
  if (onSite?.id !== action.id) return false;
  return Object.entries(shownWhenPlanned(action)).every(([field, value]) =>
    sameJson(siteForm(field, value, (ref) => refs[ref]) ?? null, shownIn(onSite, field)),
  );
}

const changedSinceShown = ({ kind, title, slug }: EventAction): Problem => ({
  code: 'changed-since-shown',
  where: { slug },
  message:
    kind === 'create'
      ? `"${title}" was not created: the site has it by now, or has lost what it points to. The next run checks it again.`
      : `"${title}" was left unchanged: it has changed since the plan was shown. The next run checks it again.`,
});
