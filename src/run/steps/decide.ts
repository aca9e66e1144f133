import type { Event } from '../../contract/representation.ts';
import type { Kysely } from '../../db/database.ts';
import type { Problem } from '../../problem.ts';
import type { FeedReading } from '../../sync/model/draft.ts';
import { expressible } from '../../sync/event/expressible.ts';
import { NO_EVENTS } from '../../sync/drafts/no-events.ts';
import { overwritten } from '../../sync/plan/notices.ts';
import { planChanges } from '../../sync/plan/plan-changes.ts';
import type { LedgerEntry, Plan } from '../../sync/model/plan.ts';
import { withoutTwins } from '../../sync/event/late-answers.ts';
import { isPartial } from '../../client/abilities.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import { loadBody, loadFeedState, type FeedState } from '../state/feed-state.ts';
import { contentHash } from '../fetch/content-hash.ts';
import type { FetchResult, Validators } from '../fetch/fetch-feed.ts';
import { freshFor } from '../state/fetch-times.ts';
import { isLedgerLost, loadLedger } from '../state/ledger.ts';
import { planChanged } from '../site/plan-changed.ts';
import { loadWhole, planningOf } from '../site/planning-of.ts';
import { noteSiteZone } from '../state/site-zones.ts';
import { loadUnanswered, withLostAnswers, type LostAnswers, type Question } from '../state/lost-answers.ts';
import { askAboutLostAnswers } from '../site/ask-about-lost-answers.ts';
import { lastTold, notYetReported } from '../state/not-yet-reported.ts';

/** Why nothing could be planned. */
interface FailedReading {
  readonly kind: 'failed';
  readonly problem: Problem;
  /** The feed is what failed, not the site. */
  readonly ofFeed?: true;
  readonly retryAfterMs?: number;
}

/** The result of reading a source, before anything is stored or written. */
export type Decision =
  | FailedReading
  | {
      readonly kind: 'unchanged';
      readonly kept: number;
      readonly problems: readonly Problem[];
      readonly validators: Validators;
      readonly notBefore: number;
    }
  | {
      readonly kind: 'planned';
      readonly plan: Plan;
      readonly feedState: FeedState;
      readonly body: Uint8Array;
      readonly contentType: string | null;
      /** What the site answered about writes of earlier runs whose answers were lost, all of them. */
      readonly lostAnswers?: LostAnswers;
      /** Events as the site showed them just now: they need not be read again before they are written. */
      readonly seen?: ReadonlyMap<string, Event>;
    };

/**
 * Reads a source and plans what has to change on the site; writes nothing. With `full` it plans even if the feed is
 * unchanged.
 */
export async function decide(context: RunContext, setup: SourceSetup, full: boolean): Promise<Decision> {
  const query = context.database.query<unknown>();
  const before = await loadFeedState(query, setup.site.key, setup.name);
  const body = await readBody(context, setup, before);
  if ('kind' in body) return body;
  const known = await loadKnown(query, setup);
  const isDueNow = full || known.isLost || known.unanswered.length > 0 || isDue(before, setup, context.now());
  if (!body.changed && !isDueNow) return unchanged(context, setup, body, before, known.stored);
  const read = await readFeed(context, setup, body, before);
  return 'kind' in read ? read : planFeed(context, setup, { ...read, ...known, body, before, full });
}

/** A table's header is always within these first bytes. */
const HEADER_BYTES = 16_384;

type Fetched = Exclude<FetchResult, { kind: 'failed' }>;
/** A feed's bytes, those that the last reading began with, and what the publisher said of them. */
interface Body {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  readonly finalUrl: string;
  readonly before?: Uint8Array;
  readonly changed: boolean;
  readonly state: Validators & Partial<FeedState>;
  readonly maxAgeMs: number | undefined;
  readonly moved: readonly Problem[];
}

/** The feed's bytes: newly fetched or, if the publisher says that nothing changed, those of the last good fetch. */
async function readBody(context: RunContext, setup: SourceSetup, before: FeedState): Promise<Body | FailedReading> {
  const stored = await loadBody(context.database.query(), setup.site.key, setup.name);
  // After a failed run the stored body is newer than the stored validators, so they must not be sent.
  const validators =
    stored && contentHash(stored) === before.bodyHash
      ? { etag: before.etag, lastModified: before.lastModified }
      : { etag: null, lastModified: null };
  const fetched = await setup.fetch(validators);
  if (fetched.kind === 'failed') return { ...fetched, ofFeed: true };
  const { maxAgeMs, finalUrl } = fetched;
  if (fetched.kind === 'notModified') {
    // No validators were sent, so no server may answer that.
    if (!stored) throw new TypeError('a feed was said to be unchanged of which nothing is stored');
    return {
      bytes: stored,
      contentType: before.contentType,
      finalUrl,
      changed: false,
      state: fetched.validators,
      maxAgeMs,
      moved: movedProblems(fetched),
    };
  }
  const { etag, lastModified } = fetched.validators;
  const bodyHash = contentHash(fetched.bytes);
  const state = { etag, lastModified, bodyHash, contentType: fetched.contentType };
  return {
    bytes: fetched.bytes,
    contentType: fetched.contentType,
    finalUrl,
    ...(stored ? { before: stored.slice(0, HEADER_BYTES) } : {}),
    changed: bodyHash !== before.bodyHash,
    state,
    maxAgeMs,
    moved: movedProblems(fetched),
  };
}

const movedProblems = ({ permanentRedirect }: Fetched): readonly Problem[] =>
  permanentRedirect === undefined
    ? []
    : [
        {
          code: 'feed-moved',
          where: { field: 'url' },
          message: `The feed has moved for good to ${permanentRedirect}: put the new address into the configuration.`,
        },
      ];

/** What our own database knows of a source. */
interface KnownOfSource {
  readonly stored: ReadonlyMap<string, LedgerEntry>;
  readonly unanswered: readonly Question[];
  /** The ledger is empty, although the last good run had events to keep. */
  readonly isLost: boolean;
}

async function loadKnown(query: Kysely<unknown>, setup: SourceSetup): Promise<KnownOfSource> {
  const stored = await loadLedger(query, setup.site.key, setup.name);
  return {
    stored,
    unanswered: await loadUnanswered(query, setup),
    isLost: stored.size === 0 && (await isLedgerLost(query, setup.site.key, setup.name)),
  };
}

async function unchanged(
  context: RunContext,
  setup: SourceSetup,
  body: Body,
  before: FeedState,
  stored: KnownOfSource['stored'],
): Promise<Decision> {
  const kept = [...stored.values()].filter(({ state }) => state === 'kept').length;
  // Nothing was read, so the reason why there are no events is still the one last reported.
  const none = kept > 0 ? [] : await lastTold(context.database.query(), setup, NO_EVENTS);
  return {
    kind: 'unchanged',
    kept,
    problems: [...body.moved, ...none],
    validators: body.state,
    notBefore: context.now() + freshFor(body.maxAgeMs, before.refreshMs),
  };
}

interface ReadFeed {
  readonly reading: FeedReading;
  readonly refreshMs: number | null;
  /** Where the source's window begins; epoch milliseconds. */
  readonly from: number;
}

async function readFeed(
  context: RunContext,
  setup: SourceSetup,
  body: Body,
  before: FeedState,
): Promise<ReadFeed | FailedReading> {
  const { timezone } = await setup.site.client.abilities();
  await noteSiteZone(context.database.query(), setup.site.key, timezone);
  const settings = setup.draftSettings(context.now(), timezone);
  const parsed = await context.parser.parse({
    bytes: body.bytes,
    contentType: body.contentType,
    addresses: [setup.address ?? body.finalUrl, body.finalUrl],
    format: setup.format,
    settings,
    ...(body.before && before.settingsHash === setup.settingsHash ? { before: body.before } : {}),
  });
  if (parsed.kind === 'notAFeed') return { kind: 'failed', problem: parsed.problem, ofFeed: true };
  const { reading, refreshMs } = parsed;
  return {
    reading: { ...reading, problems: [...body.moved, ...reading.problems] },
    refreshMs,
    from: settings.window.from,
  };
}

interface PlanningFeed extends KnownOfSource, ReadFeed {
  readonly body: Body;
  readonly before: FeedState;
  readonly full: boolean;
}

async function planFeed(context: RunContext, setup: SourceSetup, feed: PlanningFeed): Promise<Decision> {
  const { stored, unanswered, body, before, refreshMs, full } = feed;
  const lostAnswers =
    unanswered.length === 0 ? undefined : await askAboutLostAnswers(setup.site.client, unanswered, stored);
  const isWhole = full || stored.size === 0 || isWholeDue(before, setup, context.now());
  const { plan, seen } = await planReading(context, setup, feed, lostAnswers, isWhole);
  const feedState: FeedState = {
    ...before,
    ...body.state,
    rung: plan.rung ?? before.rung,
    settingsHash: setup.settingsHash,
    fullAt: seen ? before.fullAt : context.now(),
    due: isPending(plan),
    refreshMs,
    notBefore: context.now() + freshFor(body.maxAgeMs, refreshMs),
  };
  return {
    kind: 'planned',
    plan,
    feedState,
    body: body.bytes,
    contentType: body.contentType,
    ...(lostAnswers ? { lostAnswers } : {}),
    ...(seen ? { seen } : {}),
  };
}

/** Plans what a reading asks of the site. Without `seen` in the result, the whole site was compared. */
async function planReading(
  context: RunContext,
  setup: SourceSetup,
  { reading, stored, before, from }: PlanningFeed,
  lostAnswers: LostAnswers | undefined,
  isWhole: boolean,
): Promise<{ readonly plan: Plan; readonly seen?: ReadonlyMap<string, Event> }> {
  const { client } = setup.site;
  const abilities = await client.abilities();
  const policy = setup.policy(context.now(), abilities.venueCoordinates);
  const ledger = lostAnswers ? withLostAnswers(stored, lostAnswers) : stored;
  const planning = {
    ...(await planningOf(context, setup, { reading, policy, rung: before.rung }, ledger)),
    wasEmpty: stored.size === 0,
  };
  const changed = isWhole ? null : await planChanged(client, planning, from);
  const planned =
    changed?.plan ?? planChanges({ ...planning, snapshot: await loadWhole(context, setup, planning, from) });
  const clean = lostAnswers ? withoutTwins(planned, [...lostAnswers.twins.values()]) : planned;
  // A held plan already says what the feed has lost.
  const problems = clean.held === null ? clean.problems : clean.problems.filter(({ code }) => code !== NO_EVENTS);
  const told = {
    ...clean,
    problems: [...(await notYetReported(context.database.query(), setup, problems)), ...overwritten(clean)],
  };
  return { plan: isPartial(abilities) ? told : expressible(told), ...(changed ? { seen: changed.seen } : {}) };
}

/** Whether a run is due although the feed is unchanged. */
function isDue(state: FeedState, setup: SourceSetup, now: number): boolean {
  return state.due || isWholeDue(state, setup, now);
}

/**
 * Whether the whole site has to be compared: it is time, the mapping has changed, or a person's decision has changed
 * the ledger.
 */
const isWholeDue = ({ settingsHash, fullAt }: FeedState, setup: SourceSetup, now: number): boolean =>
  settingsHash !== setup.settingsHash || fullAt === null || now - fullAt >= setup.site.fullEveryMs;

/** Missing events that are still being counted make the next run due. */
const isPending = (plan: Plan): boolean =>
  Object.values(plan.ledger).some(({ entry }) => entry.state === 'kept' && entry.missing > 0);
