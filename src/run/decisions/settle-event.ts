import { AppError } from '../../error.ts';
import type { FieldName } from '../../sync/model/fields.ts';
import type { LedgerEntry, Plan } from '../../sync/model/plan.ts';
import {
  asUnhandled,
  planRestore,
  conflictsIn,
  feedDecides,
  siteDecides,
  unitOf,
} from '../../sync/decisions/settle.ts';
import { planChanges } from '../../sync/plan/plan-changes.ts';
import { subPlan } from '../../sync/decisions/sub-plan.ts';
import { EVENT_REMOVED } from '../write/writes-of.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import type { Started } from '../steps/keep-plan.ts';
import { loadLedger } from '../state/ledger.ts';
import { eventIn, loadEvents } from '../site/load-events.ts';
import { planningOf } from '../site/planning-of.ts';
import { readAgain } from './read-again.ts';
import type { Asked } from '../watch/acts.ts';
import { startPlanned } from '../steps/start-planned.ts';

/**
 * Settles an event's conflicts, or a single field in any state: for the feed (its value is written) or for the site
 * (its value is kept as a person's edit).
 */
export const startSettle = (
  context: RunContext,
  setup: SourceSetup,
  slug: string,
  field: FieldName | undefined,
  winner: 'feed' | 'site',
  asked?: Asked,
): Promise<Started> =>
  startPlanned(
    context,
    setup,
    { kind: 'settle', of: slug, winner },
    async () => {
      const ledger = await loadLedger(context.database.query(), setup.site.key, setup.name);
      const entry = entryIn(ledger, slug);
      const fields = unitOf(field, conflictsIn(entry));
      if (fields.length === 0)
        throw new AppError(
          'nothing-to-settle',
          `${slug} is in no conflict. With --field one of its fields is settled all the same.`,
        );
      return winner === 'site' ? siteDecides(entry, fields) : feedValues(context, setup, ledger, entry, fields);
    },
    asked,
  );

async function feedValues(
  context: RunContext,
  setup: SourceSetup,
  ledger: ReadonlyMap<string, LedgerEntry>,
  entry: LedgerEntry,
  fields: readonly FieldName[],
): Promise<Plan> {
  const { slug } = entry;
  const again = await readAgain(context, setup);
  const snapshot = await loadEvents(setup.site.client, ledger, [slug]);
  const found = eventIn(snapshot)(slug);
  if (!found || found.status === 'trash')
    throw new AppError(EVENT_REMOVED, `${slug} is not on the site any more: "restore ${slug}" brings it back.`);
  const plan = planChanges({
    ...(await planningOf(context, setup, again, ledger)),
    policy: feedDecides(again.policy, fields),
    ledger: new Map(ledger).set(slug, asUnhandled(entry, fields)),
    snapshot,
  });
  const change = plan.ledger[slug];
  if (fields.every((field) => change?.entry.fields[field]?.by !== 'feed'))
    throw new AppError(
      'feed-silent',
      `The feed says nothing about ${fields.join(', ')} of ${slug} any more: only "settle ${slug} site" is left.`,
    );
  return { ...subPlan(plan, (each) => each === slug), problems: [] };
}

/** Restores an event that a person removed from the site: as the feed has it, else from the trash as it was. */
export const startRestore = (context: RunContext, setup: SourceSetup, slug: string, asked?: Asked): Promise<Started> =>
  startPlanned(
    context,
    setup,
    { kind: 'restore', of: slug },
    async () => {
      const ledger = await loadLedger(context.database.query(), setup.site.key, setup.name);
      const entry = entryIn(ledger, slug);
      if (entry.state !== 'ignored')
        throw new AppError(
          'not-ignored',
          entry.state === 'kept'
            ? `${slug} is on the site: there is nothing to restore.`
            : `${slug} was removed because the feed lost it: "undo" of that run brings it back.`,
        );
      const again = await readAgain(context, setup);
      const snapshot = await loadEvents(setup.site.client, ledger, [slug]);
      const asRemoved = new Map(ledger).set(slug, { ...entry, state: 'removed' });
      const plan = planChanges({ ...(await planningOf(context, setup, again, asRemoved)), snapshot });
      const own = subPlan(plan, (each) => each === slug);
      if (Object.keys(own.ledger).length > 0) return { ...own, problems: [] };
      const onSite = eventIn(snapshot)(slug);
      if (!onSite)
        throw new AppError(
          'event-lost',
          `${slug} is neither in the feed nor in the site's trash: nothing is left to restore it from.`,
        );
      return planRestore(entry, onSite);
    },
    asked,
  );

/** The entry of a slug that was found a moment ago. Throws AppError if it has since gone. */
function entryIn(ledger: ReadonlyMap<string, LedgerEntry>, slug: string): LedgerEntry {
  const entry = ledger.get(slug);
  if (!entry) throw new AppError('event-unknown', `${slug} is not known any more: its source has just been forgotten.`);
  return entry;
}
