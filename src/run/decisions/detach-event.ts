import { AppError } from '../../error.ts';
import { decidedBecause } from '../../sync/decisions/decided-because.ts';
import { attachedEntry, planDetach, planFor } from '../../sync/decisions/detach.ts';
import { howRemoved } from '../../sync/event/life.ts';
import { FIELD_NAMES } from '../../sync/model/fields.ts';
import type { LedgerEntry, Plan } from '../../sync/model/plan.ts';
import { eventIn, loadEvents } from '../site/load-events.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { loadEntries } from '../state/ledger.ts';
import type { StartOutcome } from '../steps/keep-plan.ts';
import { startPlanned } from '../steps/start-planned.ts';
import type { ActRequest } from '../watch/acts.ts';
import { planFromFeed } from './plan-from-feed.ts';

/** Starts to detach an event: it stays on the site, and its feed neither changes nor removes it any more. */
export const startDetach = (
  context: RunContext,
  setup: SourceSetup,
  slug: string,
  asked?: ActRequest,
): Promise<StartOutcome> =>
  startPlanned(
    context,
    setup,
    { kind: 'detach', of: slug },
    async () => {
      const entry = await entryOf(context, setup, slug);
      if (entry.state === 'detached')
        throw new AppError(
          'not-kept',
          `${slug} is detached already: "npm run -s calsyncd -- detach ${slug} --off" gives it back.`,
        );
      assertOnSite(entry, 'detach');
      return planDetach(entry);
    },
    asked,
  );

/**
 * Starts to give a detached event back to its source, which writes what its feed says. Edits made in the meantime are
 * overwritten; undoing this run restores them. An event that the feed no longer has counts as gone from now on.
 */
export const startAttach = (
  context: RunContext,
  setup: SourceSetup,
  slug: string,
  asked?: ActRequest,
): Promise<StartOutcome> =>
  startPlanned(
    context,
    setup,
    { kind: 'attach', of: slug },
    async () => {
      const entry = await entryOf(context, setup, slug);
      if (entry.state !== 'detached') throw new AppError('not-detached', `${slug} belongs to its source already.`);
      return attachedPlan(context, setup, attachedEntry(entry));
    },
    asked,
  );

async function attachedPlan(context: RunContext, setup: SourceSetup, entry: LedgerEntry): Promise<Plan> {
  const { slug } = entry;
  const own = new Map([[slug, entry]]);
  const onSite = eventIn(await loadEvents(setup.site.client, own, [slug]))(slug);
  // A person has removed the event since, and that decision is respected.
  if (!onSite || onSite.status === 'trash') return planFor({ ...entry, state: 'ignored' });
  const said = await planFromFeed(context, setup, own, [{ slug, fields: FIELD_NAMES }]);
  const plan = decidedBecause(said, 'given back to its source by a person');
  // The problems concern fields to settle, not this decision.
  return { ...(plan.ledger[slug] ? plan : planFor(entry)), problems: [] };
}

const REMOVED = {
  trash: 'was taken off by its source',
  draft: 'was made a draft by its source',
  cancel: 'was marked as cancelled by its source',
} as const;

/** Why people cannot decide about an event that we have removed, and what to do first. */
export const removedBySource = (entry: LedgerEntry): string =>
  `${entry.slug} ${REMOVED[howRemoved(entry) ?? 'trash']}, not by a person: taking back the run that did so brings it ` +
  `back. "npm run -s calsyncd -- explain ${entry.slug}" names that run.`;

/** Throws AppError unless an event is kept on its site; otherwise there is nothing to detach or lock. */
export function assertOnSite(entry: LedgerEntry, asked: 'detach' | 'lock'): void {
  if (entry.state === 'removed') throw new AppError('not-kept', removedBySource(entry));
  if (entry.state !== 'kept')
    throw new AppError('not-kept', `${entry.slug} is not on the site: there is nothing to ${asked}.`);
}

/** Reads an entry again that was found a moment ago. Throws AppError if it has gone since. */
export const entryOf = async (context: RunContext, setup: SourceSetup, slug: string): Promise<LedgerEntry> =>
  entryIn(await loadEntries(context.database.query(), setup.site.key, setup.name, [slug]), slug);

/** Does the same for several slugs, and keeps their order. */
export async function entriesOf(
  context: RunContext,
  setup: SourceSetup,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, LedgerEntry>> {
  const entries = await loadEntries(context.database.query(), setup.site.key, setup.name, slugs);
  return new Map(slugs.map((slug) => [slug, entryIn(entries, slug)]));
}

function entryIn(entries: ReadonlyMap<string, LedgerEntry>, slug: string): LedgerEntry {
  const entry = entries.get(slug);
  if (!entry) throw new AppError('event-unknown', `${slug} is not known any more: its source has just been forgotten.`);
  return entry;
}
