import { approvedPlan } from '../../src/sync/decisions/approve.ts';
import type { EventDraft, FeedReading } from '../../src/sync/model/draft.ts';
import { finder } from '../../src/sync/identity/find-on-site.ts';
import { planChanges } from '../../src/sync/plan/plan-changes.ts';
import type { LedgerEntry, Plan, Policy } from '../../src/sync/model/plan.ts';
import { planUndo, type UndoInput } from '../../src/sync/decisions/undo.ts';
import { keyOfSlug } from '../../src/sync/model/slug.ts';
import { draftOf, policyOf, readingOf } from './drafts.ts';
import { applyPlan, SiteModel } from './site-model.ts';

type Sync = (drafts: readonly EventDraft[], policy?: Partial<Policy>, reading?: Partial<FeedReading>) => Plan;

interface Syncing {
  readonly site: SiteModel;
  readonly ledger: Map<string, LedgerEntry>;
  readonly plan: Sync;
  readonly run: Sync;
  readonly approve: (plan: Plan, except?: readonly string[]) => Plan;
}

/**
 * A site, a ledger and the sync between them: `plan` only plans, `run` also writes unless the plan is held, `approve`
 * carries out a held plan except for some events (by slug) and returns what it has carried out.
 */
export function syncing(): Syncing {
  const site = new SiteModel();
  const ledger = new Map<string, LedgerEntry>();
  const plan: Sync = (drafts, policy = {}, reading = {}) =>
    planChanges({ reading: readingOf(drafts, reading), snapshot: site.snapshot(), ledger, policy: policyOf(policy) });
  const run: Sync = (drafts, policy, reading) => {
    const decided = plan(drafts, policy, reading);
    if (decided.held === null) applyPlan(site, decided, ledger);
    return decided;
  };
  const approve = (held: Plan, except: readonly string[] = []): Plan => {
    const onSite = finder(site.snapshot());
    const find = (slug: string) => onSite({ slug, key: keyOfSlug(slug) ?? slug });
    const approved = approvedPlan({
      plan: held,
      onSite: find,
      moved: new Set(),
      movedRefs: new Set(),
      ledger,
      except: new Set(except),
    });
    applyPlan(site, approved, ledger);
    return approved;
  };
  return { site, ledger, plan, run, approve };
}

/** Plans the undo of what a run has done; its venues and organizers are still its own. */
export const undoOf = (
  { site, ledger }: Pick<Syncing, 'site' | 'ledger'>,
  { refs }: Pick<Plan, 'refs'>,
  done: UndoInput['done'],
): Plan =>
  planUndo({
    run: 'town-1',
    done,
    refs,
    movedRefs: new Set(),
    snapshot: site.snapshot(),
    onSite: (slug) => site.snapshot().events.get(slug),
    ledger,
    policy: policyOf(),
  });

/** Each action in a few words. */
export const actionsInWords = ({ actions }: Plan): readonly string[] =>
  actions.map((action) => `${action.kind} ${'ref' in action ? action.ref : action.title}`);

/** A number of different drafts. */
export const manyDrafts = (count: number): EventDraft[] =>
  Array.from({ length: count }, (_, index) => draftOf(`u${index}`, { title: `Event ${index}` }));
