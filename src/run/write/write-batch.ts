import type { GoOn, SiteClient } from '../../client/site-client.ts';
import type { Event } from '../../contract/representation.ts';
import { AppError } from '../../error.ts';
import { refsIn } from '../../sync/links/link.ts';
import type { Outcome, Refs, Stage } from '../../sync/model/plan.ts';
import { BATCH_MAX } from '../../sync/model/to-batches.ts';
import { isOpen } from '../../sync/plan/report.ts';
import { differenceIn } from './as-sent.ts';
import { beginAttempts, type Batch, type BatchNames, type Item, type AttemptedBatch } from '../state/batches.ts';
import { batchLine, logAndKeep, type BatchAttempt } from '../log/run-log.ts';
import type { RunContext, SiteSetup, SourceSetup } from '../state/context.ts';
import { findLinked, namesIn, type LinkedLookup } from './find-linked.ts';
import { openRefs } from './open-refs.ts';
import { outcomeOf, problemWith } from './outcome-of.ts';
import { resolveOpen, withoutStray, withoutTwin, type WriteTarget } from './resolve-open.ts';
import { storeOutcomes } from './store-outcomes.ts';
import { writeKeepingEvents, type ImageWriteAnswer } from './write-images.ts';
import { writesOf, type PreparedWrite } from './writes-of.ts';

/**
 * The state of a batch after an attempt: `open` items are worth another one, after `retryAfterMs` if the site says so;
 * `because` is the reason in words.
 */
export interface BatchProgress {
  readonly open: number;
  readonly retryAfterMs: number | undefined;
  readonly because: string;
}

const ALL_DONE: BatchProgress = { open: 0, retryAfterMs: undefined, because: '' };

/** The number of batches that a site takes in one go. */
export const batchesAtOnce = ({ client }: Pick<SiteSetup, 'client'>): number =>
  Math.max(1, Math.floor(client.writesMax / BATCH_MAX));

/** Groups batches into those that are written in one go. */
export const groupsAtOnce = (numbers: readonly number[], atOnce: number): readonly (readonly number[])[] =>
  Array.from({ length: Math.ceil(numbers.length / atOnce) }, (_, go) => numbers.slice(go * atOnce, (go + 1) * atOnce));

/**
 * Writes what is still open in batches, in one go, and stores the outcomes with their ledger entries; returns each
 * batch's progress, by number. Safe to repeat at any point, because what an earlier attempt may have created is looked
 * up before it is sent again.
 */
export async function writeBatches(
  context: RunContext,
  setup: SourceSetup,
  names: BatchNames,
): Promise<ReadonlyMap<number, BatchProgress>> {
  return context.member.alone(locksOf(setup, names), () => measured(context, setup, names));
}

/**
 * Does the same, unless so many others are writing to the site that these batches would have to wait; then returns
 * undefined.
 */
export async function writeBatchesIfFree(
  context: RunContext,
  setup: SourceSetup,
  names: BatchNames,
): Promise<ReadonlyMap<number, BatchProgress> | undefined> {
  return context.member.aloneIfFree(locksOf(setup, names), () => measured(context, setup, names));
}

// Jobs of a run that was taken over may still exist, so a lock keeps two of them from writing the same batch.
const locksOf = ({ site }: SourceSetup, { run, stage, numbers }: BatchNames): readonly (readonly string[])[] => [
  ...numbers.map((number) => [`${run}/${stage}/${number}`]),
  placesAt(site),
];

async function measured(
  context: RunContext,
  setup: SourceSetup,
  names: BatchNames,
): Promise<ReadonlyMap<number, BatchProgress>> {
  const { measures, planned } = context;
  const { run, stage } = names;
  const progress = await measures.within({ run, source: setup.name }, () =>
    measures.time('calsyncd_step_seconds', { step: 'write' }, () => attempt(context, setup, names)),
  );
  for (const [number, { open }] of progress) if (open === 0) planned.forget(run, { stage, number });
  return progress;
}

// BullMQ's own limit for all workers is not used, because it counts the jobs of a killed process for half a minute.
const placesAt = ({ key, requestsInFlight }: SiteSetup): readonly string[] =>
  Array.from({ length: requestsInFlight }, (_, place) => `write to ${key}, ${place}`);

async function attempt(
  context: RunContext,
  setup: SourceSetup,
  names: BatchNames,
): Promise<ReadonlyMap<number, BatchProgress>> {
  const { database, member, planned } = context;
  const query = database.query();
  const { batches, refs } = await beginAttempts(query, names, member.id(), planned.of);
  const progress = new Map(names.numbers.map((number) => [number, ALL_DONE]));
  if (batches.length === 0) return progress;
  const shown = (item: Item, attempts: number): Event | undefined => shownLately(item, attempts, context.now());
  const items = batches.flatMap((batch) => batch.items);
  const missing = await openRefs(query, names.run, items, refs);
  // A run's batches are written in parallel; if one gets an answer that ends the run, the others stop, too. Our
  // database is queried while the site carries out the write.
  const goOn: GoOn = async (write, sent) => {
    const [told, answer] = await Promise.allSettled([context.isBrokenOff(names.run), sent]);
    if (told.status === 'rejected') throw told.reason;
    return !told.value && answer.status === 'fulfilled' && differenceIn(write, answer.value) === undefined;
  };
  const at = { client: setup.site.client, run: names.run, listed: context.listed };
  const tryAll = (): Promise<TriedAll> => tryItems(at, batches, { refs, missing, shown, goOn });
  // If two runs want the same venue, the second must see what the first has created.
  const { tries, sent, retryAfterMs } = await (names.stage === 'venues'
    ? member.alone(
        namesIn(items).map((each) => [`venue ${each} of ${setup.site.key}`]),
        tryAll,
      )
    : tryAll());
  const byBatch = Map.groupBy(tries, ({ batch }) => batch);
  const tried = batches.map((batch) => ({
    batch,
    attempt: batch.attempts + 1,
    outcomes: byBatch.get(batch)?.map(({ outcome }) => outcome) ?? [],
  }));
  const traffic = setup.takeTraffic();
  const said = tried.map((each) => batchLine(triedOf(names.stage, each)));
  const lines = logAndKeep(context, { run: names.run, source: setup.name }, said);
  const isOver = await storeOutcomes(context, setup, names, { tried, refs, missing, traffic, writes: sent, lines });
  for (const { batch, outcomes } of isOver ? [] : tried) progress.set(batch.number, progressOf(outcomes, retryAfterMs));
  return progress;
}

function triedOf(stage: Stage, { batch, attempt: number, outcomes }: AttemptedBatch): BatchAttempt {
  const count = (kind: Outcome['kind']): number => outcomes.filter((outcome) => outcome?.kind === kind).length;
  return {
    stage,
    batch: batch.number,
    attempt: number,
    done: count('done'),
    open: outcomes.filter(isOpen).length,
    refused: count('refused'),
    because: outcomes.find((outcome) => outcome?.problem)?.problem?.message,
  };
}

function progressOf(outcomes: readonly (Outcome | null)[], retryAfterMs: number | undefined): BatchProgress {
  const open = outcomes.filter(isOpen);
  if (open.length === 0) return ALL_DONE;
  return {
    open: open.length,
    retryAfterMs,
    because: open.find((outcome) => outcome !== null)?.problem?.message ?? 'the site gave no answer',
  };
}

type Shown = (item: Item, attempts: number) => Event | undefined;
/** What writing batches needs apart from their items. */
interface Means {
  readonly refs: Refs;
  readonly missing: ReadonlySet<string>;
  readonly shown: Shown;
  readonly goOn: GoOn;
}
const SHOWN_MS_MAX = 5_000;

// An event that was read a moment ago for the plan is not read again, unless the batch has waited or been tried before.
const shownLately = ({ shown }: Item, attempts: number, now: number): Event | undefined =>
  shown && attempts === 0 && Math.abs(now - shown.at) < SHOWN_MS_MAX ? shown.event : undefined;

/** An item of a batch, and its outcome so far. */
interface Try {
  readonly batch: Batch;
  readonly item: Item;
  readonly outcome: Outcome | null;
}

interface TriedAll {
  /** In the order of the batches and their items. */
  readonly tries: readonly Try[];
  readonly sent: number;
  readonly retryAfterMs: number | undefined;
}

/**
 * Sends what is open. If the site cannot be asked at all, that becomes the outcome, which the report shows if no later
 * attempt does better.
 */
async function tryItems(at: LinkedLookup, batches: readonly Batch[], means: Means): Promise<TriedAll> {
  const { client } = at;
  let sent = 0;
  const resolving: WriteTarget & LinkedLookup = {
    ...at,
    onWrite: () => {
      sent += 1;
    },
  };
  let tries = batches.flatMap(triesOf);
  try {
    tries = (await resolved(resolving, tries)).map((each) => heldBack(each, means));
    // Items that could not be resolved are not sent either, because they may already exist.
    const open = tries.filter(({ outcome }) => outcome === null);
    const answers = await send(client, open, means);
    sent += answers.filter((answer) => answer && !answer.isUnsent).length;
    const answerOf = new Map(open.map((each, index) => [each, answers[index]]));
    const answered: Try[] = [];
    for (const each of tries)
      answered.push({ ...each, outcome: await afterAnswer(resolving, each, answerOf.get(each)) });
    return { tries: answered, sent, retryAfterMs: longestWait(answers) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, cause } = error;
    const failed = tries.map((each): Try => {
      const problem = problemWith(each.item.action, code, message);
      return isOpen(each.outcome) ? { ...each, outcome: { kind: 'failed', problem } } : each;
    });
    return { tries: failed, sent, retryAfterMs: (cause as { retryAfterMs?: number } | undefined)?.retryAfterMs };
  }
}

const triesOf = (batch: Batch): readonly Try[] =>
  batch.items.map((item, index) => ({ batch, item, outcome: batch.outcomes[index] ?? null }));

/** Looks up what already exists, so that it is not created again; items whose outcome is still null have to be sent. */
async function resolved(resolving: WriteTarget & LinkedLookup, tries: readonly Try[]): Promise<readonly Try[]> {
  if (tries[0]?.batch.stage === 'venues') return findLinked(resolving, tries);
  const all: Try[] = [];
  for (const each of tries)
    all.push(
      each.batch.attempts > 0 && isOpen(each.outcome)
        ? { ...each, outcome: await resolveOpen(resolving, each.item.action) }
        : each,
    );
  return all;
}

/** Without its tag, a removal would stay half done for ever, so it waits for the next run. */
function heldBack(each: Try, { missing }: Means): Try {
  const { action } = each.item;
  const isHeld = each.outcome === null && action.kind === 'remove' && refsIn(action).some((ref) => missing.has(ref));
  return isHeld ? { ...each, outcome: outcomeOf(action, NOT_SENT) } : each;
}

const NOT_SENT: ImageWriteAnswer = {
  kind: 'lost',
  message: 'not sent, because its tag could not be made',
  isUnsent: true,
};

// On a repeated write, fields that already show what is sent may come from an earlier attempt, so they count as ours.
function asOurs(tried: ImageWriteAnswer | undefined): ImageWriteAnswer | undefined {
  if (!tried) return undefined;
  const { already: _already, ...answer } = tried;
  return answer;
}

async function afterAnswer(
  resolving: WriteTarget,
  { batch: { attempts }, item: { action, change }, outcome: before }: Try,
  answer: ImageWriteAnswer | undefined,
): Promise<Outcome | null> {
  const own = attempts === 0 ? answer : asOurs(answer);
  if (!own) return before;
  const outcome = outcomeOf(action, own, change?.entry.fields.image?.by);
  if (outcome.kind !== 'done' || action.kind !== 'create' || action.resource !== 'events') return outcome;
  return outcome.differs ? withoutStray(resolving, action, outcome) : withoutTwin(resolving, action, outcome);
}

async function send(
  client: SiteClient,
  open: readonly Try[],
  { refs, shown, goOn }: Means,
): Promise<readonly (ImageWriteAnswer | undefined)[]> {
  const completes = await writesOf(
    client,
    open.map(({ batch, item }) => ({ action: item.action, shown: shown(item, batch.attempts) })),
    refs,
  );
  const answers = await writeKeepingEvents(
    client,
    completes.flatMap((each) => ('write' in each ? [each] : [])),
    goOn,
  );
  let next = 0;
  return completes.map((each) => ('write' in each ? answered(each, answers[next++]) : each.answer));
}

function answered(
  { write, already }: Extract<PreparedWrite, { readonly write: unknown }>,
  answer: ImageWriteAnswer | undefined,
): ImageWriteAnswer | undefined {
  const differs = answer && differenceIn(write, answer);
  return answer && { ...answer, ...(already?.length ? { already } : {}), ...(differs ? { differs } : {}) };
}

function longestWait(answers: readonly (ImageWriteAnswer | undefined)[]): number | undefined {
  const waits = answers.flatMap((answer) =>
    answer?.kind === 'lost' && answer.retryAfterMs !== undefined ? [answer.retryAfterMs] : [],
  );
  return waits.length === 0 ? undefined : Math.max(...waits);
}
