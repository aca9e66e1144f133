import type { EventDraft, FeedReading } from '../../src/sync/draft.ts';
import { planChanges } from '../../src/sync/plan-changes.ts';
import type { LedgerEntry, Plan, Policy } from '../../src/sync/plan.ts';
import { draftOf, policyOf, readingOf } from './drafts.ts';
import { applyPlan, SiteModel } from './site-model.ts';

type Sync = (drafts: readonly EventDraft[], policy?: Partial<Policy>, reading?: Partial<FeedReading>) => Plan;

/** A site, a ledger, and runs between them: `plan` only plans, `run` also writes unless the plan is held. */
export function syncing(): { readonly site: SiteModel; readonly ledger: Map<string, LedgerEntry>; readonly plan: Sync; readonly run: Sync } {
  const site = new SiteModel();
  const ledger = new Map<string, LedgerEntry>();
  const plan: Sync = (drafts, policy = {}, reading = {}) => planChanges({ reading: readingOf(drafts, reading), snapshot: site.snapshot(), ledger, policy: policyOf(policy) });
  const run: Sync = (drafts, policy, reading) => {
    const decided = plan(drafts, policy, reading);
    if (decided.held === null) applyPlan(site, decided, ledger);
    return decided;
  };
  return { site, ledger, plan, run };
}

/** Each action in two words. */
export const words = ({ actions }: Plan): readonly string[] => actions.map((action) => `${action.kind} ${'ref' in action ? action.ref : action.title}`);

/** That many different drafts. */
export const many = (count: number): EventDraft[] => Array.from({ length: count }, (_, index) => draftOf(`u${index}`, { title: `Event ${index}` }));
