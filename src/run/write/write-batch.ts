import type { GoOn, SiteClient } from '../../client/site-client.ts';
import type { Event } from '../../contract/representation.ts';
import { AppError } from '../../error.ts';
import { refsIn } from '../../sync/links/link.ts';
import type { Outcome, Refs, Stage } from '../../sync/model/plan.ts';
import { isOpen } from '../../sync/plan/report.ts';
import { differenceIn } from './as-sent.ts';
import { beginAttempt, type Batch, type BatchName, type Item } from '../state/batches.ts';
import type { RunContext, SiteSetup, SourceSetup } from '../state/context.ts';
import { findLinked, namesIn } from './find-linked.ts';
import { openRefs } from '../state/open-refs.ts';
import { outcomeOf, problemWith } from './outcome-of.ts';
import { resolveOpen, withoutTwin, type Resolving } from './resolve-open.ts';
import { storeOutcomes } from '../state/store-outcomes.ts';
import { writeKeepingEvents, type Answered } from './write-images.ts';
import { writesOf, type Completed } from './writes-of.ts';

/**
 * The state of a batch after an attempt: `open` items are worth another one, after `retryAfterMs` if the site says so;
 * `because` is the reason, in words.
 */
export interface BatchProgress {
  readonly open: number;
  readonly retryAfterMs: number | undefined;
  readonly because: string;
}

const ALL_DONE: BatchProgress = { open: 0, retryAfterMs: undefined, because: '' };

/**
 * Writes what is still open of one batch and stores the outcomes with their ledger entries. Safe to repeat at any
 * point: what an earlier attempt may have created is looked for before it is sent again.
 */
export async function writeBatch(
  context: RunContext,
  setup: SourceSetup,
  run: string,
  stage: Stage,
  number: number,
): Promise<BatchProgress> {
  // Jobs of a run that was taken over may still exist, so a lock keeps two from writing the same batch.
  return context.member.alone([[`${run}/${stage}/${number}`], placesAt(setup.site)], async () => {
    const progress = await attempt(context, setup, { run, stage, number });
    if (progress.open === 0) context.planned.forget(run, { stage, number });
    return progress;
  });
}

// BullMQ's own limit for all workers is not used: it counts the jobs of a killed process for half a minute.
const placesAt = ({ key, requestsInFlight }: SiteSetup): readonly string[] =>
  Array.from({ length: requestsInFlight }, (_, place) => `write to ${key}, ${place}`);

async function attempt(context: RunContext, setup: SourceSetup, name: BatchName): Promise<BatchProgress> {
  const { database, member, planned } = context;
  const query = database.query<unknown>();
  const begun = await beginAttempt(query, name, member.id(), planned.of(name));
  if (!begun) return ALL_DONE;
  const { batch, refs } = begun;
  const shown = (item: Item): Event | undefined => shownLately(item, batch, context.now());
  const missing = await openRefs(query, batch, refs);
  // A run's batches are written in parallel: if one gets an answer that ends the run, the others stop too. Our database
  // is asked while the site carries out the write.
  const goOn: GoOn = async (write, sent) => {
    const [told, answer] = await Promise.allSettled([context.isBrokenOff(name.run), sent]);
    if (told.status === 'rejected') throw told.reason;
    return !told.value && answer.status === 'fulfilled' && differenceIn(write, answer.value) === undefined;
  };
  const tryAll = (): Promise<Tried> => tryItems(setup.site.client, batch, { refs, missing, shown, goOn });
  // If two runs want the same venue, the second must see what the first has created.
  const { outcomes, sent, retryAfterMs } = await (name.stage === 'venues'
    ? member.alone(
        namesIn(batch).map((each) => [`venue ${each} of ${setup.site.key}`]),
        tryAll,
      )
    : tryAll());
  const isOver = await storeOutcomes(context, setup, batch, {
    number: begun.attempt,
    outcomes,
    refs,
    missing,
    requests: setup.takeRequests(),
    writes: sent,
  });
  const open = outcomes.filter(isOpen);
  if (open.length === 0 || isOver) return ALL_DONE;
  return {
    open: open.length,
    retryAfterMs,
    because: open.find((outcome) => outcome !== null)?.problem?.message ?? 'the site gave no answer',
  };
}

type Shown = (item: Item) => Event | undefined;
/** What the writes of a batch need apart from its items. */
interface Means {
  readonly refs: Refs;
  readonly missing: ReadonlySet<string>;
  readonly shown: Shown;
  readonly goOn: GoOn;
}
const SHOWN_MS_MAX = 5_000;

// An event that was read a moment ago for the plan is not read again, unless the batch has waited or been tried before.
const shownLately = ({ shown }: Item, { attempts }: Batch, now: number): Event | undefined =>
  shown && attempts === 0 && Math.abs(now - shown.at) < SHOWN_MS_MAX ? shown.event : undefined;

interface Tried {
  readonly outcomes: readonly (Outcome | null)[];
  readonly sent: number;
  readonly retryAfterMs: number | undefined;
}

/** An item, and what is known of it so far. */
interface Try {
  readonly item: Item;
  readonly outcome: Outcome | null;
}

/**
 * Sends what is open. If the site cannot be asked at all, that becomes the outcome, and the report shows it if no later
 * attempt does better.
 */
async function tryItems(client: SiteClient, batch: Batch, means: Means): Promise<Tried> {
  let sent = 0;
  const resolving: Resolving = {
    client,
    onWrite: () => {
      sent += 1;
    },
  };
  let tries = triesOf(batch);
  try {
    tries = await resolved(resolving, batch);
    // Items that could not be resolved are not sent either: they may already exist.
    const open = tries.filter(({ outcome }) => outcome === null);
    const answers = await send(
      client,
      open.map(({ item }) => item),
      means,
    );
    sent += answers.filter((answer) => answer !== undefined).length;
    const answerOf = new Map(open.map((each, index) => [each, answers[index]]));
    const outcomes: (Outcome | null)[] = [];
    for (const each of tries) outcomes.push(await afterAnswer(resolving, each, answerOf.get(each), batch));
    return { outcomes, sent, retryAfterMs: longestWait(answers) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, cause } = error;
    const outcomes = tries.map(({ item: { action }, outcome }): Outcome | null =>
      isOpen(outcome) ? { kind: 'failed', problem: problemWith(action, code, message) } : outcome,
    );
    return { outcomes, sent, retryAfterMs: (cause as { retryAfterMs?: number } | undefined)?.retryAfterMs };
  }
}

const triesOf = ({ items, outcomes }: Pick<Batch, 'items' | 'outcomes'>): readonly Try[] =>
  items.map((item, index) => ({ item, outcome: outcomes[index] ?? null }));

/**
 * Looks for what already exists, so that it is not created again; items whose outcome is still null have to be sent.
 */
async function resolved(resolving: Resolving, batch: Batch): Promise<readonly Try[]> {
  if (batch.stage === 'venues') return triesOf(await findLinked(resolving.client, batch));
  const tries: Try[] = [];
  for (const each of triesOf(batch))
    tries.push(
      batch.attempts > 0 && isOpen(each.outcome)
        ? { ...each, outcome: await resolveOpen(resolving, each.item.action) }
        : each,
    );
  return tries;
}

// On a repeated write, fields that already show what is sent may come from an earlier attempt, so they count as ours.
function asOurs(tried: Answered | undefined): Answered | undefined {
  if (!tried) return undefined;
  const { already: _already, ...answer } = tried;
  return answer;
}

async function afterAnswer(
  resolving: Resolving,
  { item: { action, change }, outcome: before }: Try,
  answer: Answered | undefined,
  { attempts }: Batch,
): Promise<Outcome | null> {
  const own = attempts === 0 ? answer : asOurs(answer);
  if (!own) return before;
  const outcome = outcomeOf(action, own, change?.entry.fields.image?.by);
  return outcome.kind === 'done' && action.kind === 'create' && action.resource === 'events'
    ? withoutTwin(resolving, action, outcome)
    : outcome;
}

async function send(
  client: SiteClient,
  items: readonly Item[],
  { refs, missing, shown, goOn }: Means,
): Promise<readonly (Answered | undefined)[]> {
  // Without its tag, a removal would stay half done for ever: it waits for the next run.
  if (items.some(({ action }) => action.kind === 'remove' && refsIn(action).some((ref) => missing.has(ref))))
    return items.map(() => ({ kind: 'lost', message: 'not sent, because its tag could not be made' }));
  const completes = await writesOf(
    client,
    items.map((item) => ({ action: item.action, shown: shown(item) })),
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
  { write, already }: Extract<Completed, { readonly write: unknown }>,
  answer: Answered | undefined,
): Answered | undefined {
  const differs = answer && differenceIn(write, answer);
  return answer && { ...answer, ...(already?.length ? { already } : {}), ...(differs ? { differs } : {}) };
}

function longestWait(answers: readonly (Answered | undefined)[]): number | undefined {
  const waits = answers.flatMap((answer) =>
    answer?.kind === 'lost' && answer.retryAfterMs !== undefined ? [answer.retryAfterMs] : [],
  );
  return waits.length === 0 ? undefined : Math.max(...waits);
}
