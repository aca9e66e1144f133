import { AppError } from '../../error.ts';
import { sql, type Queryable } from '../../db/database.ts';
import type { Problem } from '../../problem.ts';
import { wallFromInstant } from '../../time.ts';
import type { LedgerEntry, Outcome, Plan } from '../../sync/model/plan.ts';
import { movedRefs } from '../../sync/links/moved-refs.ts';
import { planUndo } from '../../sync/decisions/undo.ts';
import { loadBatches, type Item } from '../state/batches.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { loadLedger } from '../state/ledger.ts';
import { eventIn, loadEvents } from '../site/load-events.ts';
import { loadPlanned, loadRefs, type RunRecord } from '../state/records.ts';
import type { ActRequest } from '../watch/acts.ts';
import { setupOfFormer } from '../steps/setup-of-run.ts';
import { startPlanned } from '../steps/start-planned.ts';
import type { RunDecision, StartOutcome } from '../steps/keep-plan.ts';
import { loadUnanswered, withLostAnswers, type LostAnswers } from '../state/lost-answers.ts';
import { askAboutLostAnswers } from '../site/ask-about-lost-answers.ts';

type Query = Queryable;

/** Starts to undo a run, or what it did to one event (`slug`). Throws AppError if the run did nothing to that event. */
export async function startUndo(
  context: RunContext,
  setup: SourceSetup,
  run: string,
  slug: string | undefined,
  asked?: ActRequest,
): Promise<StartOutcome> {
  if (slug !== undefined) await assertIsAbout(context.database.query(), run, slug);
  return startPlanned(context, setup, { kind: 'undo', of: run }, () => planBack(context, setup, run, slug), asked);
}

/** What undoing a run, or what it did to one event, would do now. Stores and writes nothing. */
export async function previewUndo(context: RunContext, setup: SourceSetup, run: string, slug?: string): Promise<Plan> {
  if (slug !== undefined) await assertIsAbout(context.database.query(), run, slug);
  const { lostAnswers: _lostAnswers, ...plan } = await planBack(context, setup, run, slug);
  setup.takeTraffic();
  return plan;
}

/**
 * The source of a run to be undone, as configured on the site that the run wrote to. If it is no longer configured
 * there, only a run that moved its events to the trash can be undone.
 */
export async function setupToUndo(
  context: Pick<RunContext, 'database' | 'sources' | 'siteOf'>,
  { run, source, site }: Pick<RunRecord, 'run' | 'source' | 'site'>,
): Promise<SourceSetup | undefined> {
  const setup = context.sources.get(source);
  return setup?.site.key === site ? setup : setupOfFormer(context, { source, site, cause: { kind: 'undo', of: run } });
}

async function assertIsAbout(query: Query, run: string, slug: string): Promise<void> {
  const items = (await loadBatches(query, run)).flatMap((batch) => batch.items);
  const isWritten = items.some(({ action }) => action.resource === 'events' && action.slug === slug);
  const { adopted, released } = await ownedBy(query, run);
  if (!isWritten && ![...adopted, ...released].includes(slug))
    throw new AppError('event-unknown', didNothingTo(run, slug));
}

/** The events that a run adopted, or returned to their makers, including those that it did not write. */
async function ownedBy(query: Query, run: string): Promise<Required<Pick<Plan, 'adopted' | 'released'>>> {
  const { adopted = [], released = [] } = (await loadPlanned(query, run))?.plan ?? {};
  return { adopted, released };
}

const didNothingTo = (run: string, slug: string): string =>
  `The run ${run} did nothing to ${slug}. "npm run -s calsyncd -- show ${run}" lists what it did.`;

async function planBack(
  context: RunContext,
  setup: SourceSetup,
  run: string,
  slug: string | undefined,
): Promise<Plan & Pick<RunDecision, 'lostAnswers'>> {
  const query = context.database.query();
  const stored = await loadLedger(query, setup.site.key, setup.name);
  const unanswered = await loadUnanswered(query, setup);
  const lostAnswers =
    unanswered.length === 0 ? undefined : await askAboutLostAnswers(setup.site.client, unanswered, stored);
  const isMeant = (each: string): boolean => slug === undefined || each === slug;
  const done = (await doneBy(query, run, lostAnswers)).filter(({ action }) => isMeant(action.slug));
  const owned = await ownedBy(query, run);
  const [adopted, released] = [owned.adopted.filter(isMeant), owned.released.filter(isMeant)];
  if (done.length + adopted.length + released.length === 0)
    throw new AppError(
      'nothing-to-undo',
      slug === undefined ? `The run ${run} wrote no event: there is nothing to take back.` : didNothingTo(run, slug),
    );
  const ledger = withForgotten(lostAnswers ? withLostAnswers(stored, lostAnswers) : stored, done);
  const snapshot = await loadEvents(
    setup.site.client,
    ledger,
    done.map(({ action }) => action.slug),
  );
  const { venueCoordinates, timezone } = await setup.site.client.abilities();
  const policy = setup.policy(context.now(), venueCoordinates);
  const refs = await loadRefs(query, run);
  const plan = planUndo({
    run,
    done,
    adopted,
    released,
    refs,
    movedRefs: movedRefs(refs, snapshot),
    snapshot,
    onSite: eventIn(snapshot),
    ledger,
    policy,
  });
  const isNothing = plan.actions.length === 0 && plan.problems.length === 0 && plan.adopted === undefined;
  const problems = isNothing ? [await nothingLeft(query, setup, run, timezone)] : plan.problems;
  return { ...plan, problems, ...(lostAnswers ? { lostAnswers } : {}) };
}

/** A run that has undone another one, or part of it. */
export interface TakenBack {
  readonly undo: string;
  readonly at: Date;
  /** Who asked for it; null if unknown. */
  readonly by: string | null;
  /** The number of events that it wrote. */
  readonly events: number;
}

/** The runs of a source that undid a run or part of it, latest first. */
export async function takenBackIn(
  query: Query,
  { run, site, source }: { readonly run: string; readonly site: string; readonly source: string },
): Promise<readonly TakenBack[]> {
  const { rows } = await sql<TakenBack>`
    select runs.run as undo, runs.finished_at as at, acts.name as by,
      (report->>'created')::int + (report->>'updated')::int + (report->>'removed')::int as events
    from calsync.runs left join calsync.acts on acts.run = runs.run and acts.kind = 'undo'
    where runs.site = ${site} and runs.source = ${source} and runs.state = 'done'
      and runs.cause @> jsonb_build_object('kind', 'undo', 'of', ${run}::text)
    order by runs.finished_at desc`.execute(query);
  return rows;
}

/** The events for which a run was undone, unless that undo was itself undone. */
export async function eventsTakenBack(
  query: Query,
  run: Parameters<typeof takenBackIn>[1],
): Promise<ReadonlySet<string>> {
  const all = new Set<string>();
  for (const { undo } of await takenBackIn(query, run)) {
    const brought = await eventsTakenBack(query, { ...run, run: undo });
    for (const { action } of await doneBy(query, undo, undefined)) if (!brought.has(action.slug)) all.add(action.slug);
  }
  return all;
}

/** Why nothing is left to undo: when a run was undone, by whom, and by which run. */
async function nothingLeft(query: Query, { site, name }: SourceSetup, run: string, timezone: string): Promise<Problem> {
  const [before] = await takenBackIn(query, { run, site: site.key, source: name });
  const message = before
    ? `The run ${run} was taken back already: ${before.by === null ? '' : `by ${before.by}, `}` +
      `${wallFromInstant(before.at.getTime(), timezone).slice(0, 16)} ${timezone}, in the run ${before.undo}.`
    : `The site shows nothing of the run ${run} any more: there is nothing to take back.`;
  return { code: 'nothing-to-undo', message, where: {} };
}

type EventItem = Item & { readonly action: Extract<Item['action'], { resource: 'events' }>; readonly outcome: Outcome };

/** What a run did to events, in order, including writes whose lost answers have been resolved since. */
async function doneBy(query: Query, run: string, lostAnswers: LostAnswers | undefined): Promise<readonly EventItem[]> {
  const late = new Map(
    lostAnswers?.done.flatMap(({ asked, entry, outcome }) =>
      asked.run === run ? [[entry.slug, outcome] as const] : [],
    ),
  );
  return (await loadBatches(query, run)).flatMap(({ items, outcomes }) =>
    items.flatMap(({ action, change }, index): EventItem[] => {
      const outcome = late.get(change?.entry.slug ?? '') ?? outcomes[index];
      return action.resource === 'events' && outcome?.kind === 'done' && !outcome.takenBack
        ? [{ action, change, outcome }]
        : [];
    }),
  );
}

/**
 * Adds entries for a forgotten source, which has no ledger any more: those of trashed events come from the run that
 * trashed them.
 */
function withForgotten(
  ledger: ReadonlyMap<string, LedgerEntry>,
  done: readonly Pick<Item, 'action' | 'change'>[],
): ReadonlyMap<string, LedgerEntry> {
  const trashed = done.flatMap(({ action, change }) =>
    action.kind === 'remove' && action.how === 'trash' && change && !ledger.has(action.slug) ? [change.entry] : [],
  );
  return new Map([...ledger, ...trashed.map((entry) => [entry.slug, entry] as const)]);
}
