import { AppError } from '../error.ts';
import type { LedgerEntry, Plan } from '../sync/plan.ts';
import { movedRefs } from '../sync/moved-refs.ts';
import { planUndo } from '../sync/plan-undo.ts';
import { loadBatches } from './batches.ts';
import { undoCause } from './causes.ts';
import type { RunContext, SourceSetup } from './context.ts';
import { loadLedger } from './ledger.ts';
import { eventIn, loadEvents } from './load-events.ts';
import { loadRefs, type Item } from './records.ts';
import { startPlanned } from './start-planned.ts';
import type { Started } from './keep-plan.ts';

/** Begins the way back from a run, or from what it did to one event (`slug`). */
export const startUndo = (context: RunContext, setup: SourceSetup, run: string, slug: string | undefined): Promise<Started> =>
  startPlanned(context, setup, undoCause(run), () => planBack(context, setup, run, slug));

async function planBack(context: RunContext, setup: SourceSetup, run: string, slug: string | undefined): Promise<Plan> {
  const query = context.database.query<unknown>();
  const done = (await loadBatches(query, run)).flatMap(({ items, outcomes }) => items.map(({ action, change }, index) => ({ action, change, outcome: outcomes[index] ?? null })))
    .filter(({ action, outcome }) => action.resource === 'events' && outcome?.kind === 'done' && (slug === undefined || action.slug === slug));
  if (done.length === 0) throw new AppError('nothing-to-undo', slug === undefined ? `The run ${run} wrote no event: there is nothing to take back.` : `The run ${run} did nothing to ${slug}. "show ${run}" lists what it did.`);
  const ledger = withForgotten(await loadLedger(query, setup.site.key, setup.name), done);
  const snapshot = await loadEvents(setup.site.client, ledger, done.flatMap(({ action }) => ('slug' in action ? [action.slug] : [])));
  const { venueCoordinates } = await setup.site.client.abilities();
  const policy = setup.policy(context.now(), venueCoordinates);
  const refs = await loadRefs(query, run);
  return planUndo({ run, done, refs, movedRefs: movedRefs(refs, snapshot), snapshot, onSite: eventIn(snapshot), ledger, policy });
}

/** What a source that is no more has left in the trash is forgotten with it; the run that put it there still knows. */
function withForgotten(ledger: ReadonlyMap<string, LedgerEntry>, done: readonly Pick<Item, 'action' | 'change'>[]): ReadonlyMap<string, LedgerEntry> {
  const trashed = done.flatMap(({ action, change }) => (action.kind === 'remove' && action.how === 'trash' && change && !ledger.has(action.slug) ? [change.entry] : []));
  return new Map([...ledger, ...trashed.map((entry) => [entry.slug, entry] as const)]);
}
