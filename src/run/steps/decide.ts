import type { Event } from '../../contract/representation.ts';
import { softwareOf } from '../parse/software.ts';
import { pause, withPauses } from '../../pauses.ts';
import type { Problem } from '../../problem.ts';
import type { SettledEvents } from '../../sync/formats/format.ts';
import { NO_REMAINDER, type CountedLinkedNames } from '../../sync/model/unread-remainder.ts';
import type { DraftSettings, FeedReading } from '../../sync/model/draft.ts';
import { expressible } from '../../sync/event/expressible.ts';
import { NO_EVENTS } from '../../sync/drafts/no-events.ts';
import { heldAsFirst } from '../../sync/plan/first-run.ts';
import { overwritten } from '../../sync/plan/notices.ts';
import { planInSteps, type PlanInputWithoutSite } from '../../sync/plan/plan-changes.ts';
import type { LedgerEntry, Plan, Policy } from '../../sync/model/plan.ts';
import { withoutTwins } from '../../sync/event/late-answers.ts';
import { isPartial } from '../../client/abilities.ts';
import type { RunContext, SourceSetup } from '../state/context.ts';
import type { FeedState, SourceRecord, StoredBody } from '../state/feed-state.ts';
import type { Validators } from '../fetch/fetch-feed.ts';
import { fetchBody, hasBody, readBody, type Body, type FailedReading, type FetchedBody } from './feed-body.ts';
import type { ReadingSteps } from '../state/progress.ts';
import { freshFor } from '../state/fetch-times.ts';
import { isLedgerLost, loadLedger } from '../state/ledger.ts';
import {
  partOfLedger,
  settledEventsOf,
  loadSettledSource,
  type PartOfLedger,
  type SettledSource,
} from '../site/part-of-source.ts';
import { planChanged } from '../site/plan-changed.ts';
import type { ReadAhead } from '../site/load-snapshot.ts';
import { loadWhole, planningOf, readAhead } from '../site/planning-of.ts';
import { loadNaming } from '../state/settled-events.ts';
import { noteSiteZone } from '../state/site-zones.ts';
import { loadUnanswered, withLostAnswers, type LostAnswers, type Question } from '../state/lost-answers.ts';
import { askAboutLostAnswers } from '../site/ask-about-lost-answers.ts';

/** The result of reading a source, before anything is stored or written. */
export type Decision =
  | FailedReading
  | {
      readonly kind: 'unchanged';
      readonly events: number;
      readonly problems: readonly Problem[];
      readonly validators: Validators;
      readonly notBefore: number;
      /** An earlier plan of the source is held. */
      readonly hasHeld: boolean;
      /** The fetched body, if it differs from the stored one. */
      readonly toStore?: StoredBody;
      readonly steps: ReadingSteps;
    }
  | {
      readonly kind: 'planned';
      readonly plan: Plan;
      readonly feedState: FeedState;
      readonly body: StoredBody;
      /** What the site answered about all writes of earlier runs whose answers were lost. */
      readonly lostAnswers?: LostAnswers;
      /** Events as the site showed them just now, which need not be read again before they are written. */
      readonly seen?: ReadonlyMap<string, Event>;
      readonly steps: ReadingSteps;
    };

/**
 * Reads a source and plans what has to change on the site; writes nothing. With `full` it plans even if the feed is
 * unchanged. What is unchanged is not loaded: neither the last body and the ledger of an unchanged feed, nor the
 * entries of settled events. `onFetched` is called before a fetched feed is read.
 */
export async function decide(
  context: RunContext,
  setup: SourceSetup,
  record: SourceRecord,
  full: boolean,
  onFetched: (steps: ReadingSteps) => Promise<void> = async () => undefined,
): Promise<Decision> {
  const query = context.database.query();
  const before = record.feed;
  if (full || !hasBody(record)) {
    context.parser.prepare();
    // The site is asked about its abilities while the feed is being fetched; a failure is reported where they are
    // needed.
    void setup.site.client.abilities().catch(() => undefined);
  }
  const fetched = await fetchBody(context, setup, record);
  if (fetched.kind === 'failed') return fetched;
  const isLost = !record.hasLedger && (await isLedgerLost(query, setup.site.key, setup.name));
  const isDueNow = full || isLost || record.hasUnanswered || isDue(before, setup, context.now());
  if (fetched.state.bodyHash === before.bodyHash && !isDueNow) return unchanged(context, fetched, record);
  context.parser.prepare();
  await onFetched({ fetch: fetched.step });
  return context.pace.reading(async () => {
    const since = context.now();
    const body = await readBody(context, setup, fetched, before);
    const settings = await settingsNow(context, setup);
    const isFirst = record.isFirstHeld;
    return decideByReading({ context, setup, before, body, settings, full, isFirst, since }, record);
  });
}

/** Plans what has changed in a feed, reading only that part of it if this is enough. */
async function decideByReading(source: Source, record: SourceRecord): Promise<Decision> {
  const settled = await settledNow(source, record);
  if (!settled) return decideWhole(source);
  const [read, named] = await Promise.all([
    readFeed(source, settledEventsOf(settled.source, settled.frame)),
    loadNaming(source.context.database.query(), settled.source.events),
  ]);
  if ('kind' in read) return read;
  if (!read.unsettled) return decideWhole(source, read);
  const part = await planPart(source, read, { ...settled.source, unsettled: read.unsettled, named });
  return part.kind === 'notEnough' ? decideWhole({ ...source, full: part.full }) : part;
}

/**
 * Plans a feed as a whole. It is read in a thread of its own; meanwhile, this one queries our database and the site.
 */
async function decideWhole(source: Source, read?: ReadFeed): Promise<Decision> {
  const [reading, known] = await Promise.allSettled([read ?? readFeed(source), loadKnown(source)]);
  if (reading.status === 'rejected') throw reading.reason;
  if ('kind' in reading.value) return reading.value;
  source.body.loaded.release();
  if (known.status === 'rejected') throw known.reason;
  return planWhole(source, reading.value, known.value);
}

/** A source with a feed to read. */
interface Source {
  readonly context: RunContext;
  readonly setup: SourceSetup;
  readonly before: FeedState;
  readonly body: Body;
  readonly settings: DraftSettings;
  readonly full: boolean;
  /** The plan is to be held, whatever it contains. */
  readonly isFirst: boolean;
  /** When its reading began, in epoch milliseconds. */
  readonly since: number;
}

async function unchanged(
  { now }: RunContext,
  { loaded, state, maxAgeMs, moved, step }: FetchedBody,
  { feed, storedHash, kept, synced, hasHeld, told }: SourceRecord,
): Promise<Decision> {
  const { bodyHash: hash, contentType } = state;
  return {
    kind: 'unchanged',
    // Events on the site include those that the feed has dropped as past: they count only if nothing else is known.
    events: synced ?? kept,
    problems: [...moved, ...told],
    validators: state,
    notBefore: now() + freshFor(maxAgeMs, feed.refreshMs),
    hasHeld,
    steps: { fetch: step },
    ...(loaded && hash !== storedHash ? { toStore: { packed: await loaded.packed(), contentType, hash } } : {}),
  };
}

/** What is known about a source apart from its feed. */
interface KnownOfSource {
  readonly stored: ReadonlyMap<string, LedgerEntry>;
  readonly unanswered: readonly Question[];
  /** Whether the whole site is compared. */
  readonly isWhole: boolean;
  /** For a full comparison, unless lost answers have to be asked about first. */
  readonly ahead?: ReadAhead;
}

async function loadKnown({ context, setup, before, settings, full }: Source): Promise<KnownOfSource> {
  const query = context.database.query();
  const stored = await loadLedger(query, setup.site.key, setup.name);
  const unanswered = await loadUnanswered(query, setup);
  const isWhole = full || stored.size === 0 || isWholeDue(before, setup, context.now());
  const isAhead = isWhole && unanswered.length === 0;
  return {
    stored,
    unanswered,
    isWhole,
    ...(isAhead ? { ahead: await readAhead(context, setup, stored, settings.window.from) } : {}),
  };
}

interface ReadFeed {
  readonly ms: number;
  /** The compressed feed. */
  readonly packed: Uint8Array;
  /** The program that made it. */
  readonly software: string | null;
  readonly reading: FeedReading;
  readonly refreshMs: number | null;
  readonly frame: string | null;
}

/** The settled events of a source, if they may be left unread. */
async function settledNow(
  { context, setup, before, settings, full }: Source,
  { hasUnanswered }: SourceRecord,
): Promise<{ readonly source: SettledSource; readonly frame: string } | undefined> {
  const { frame, rung } = before;
  if (full || hasUnanswered || rung !== 'uid' || frame === null || isWholeDue(before, setup, context.now()))
    return undefined;
  const source = await loadSettledSource(context.database.query(), setup, settings);
  return source && { source, frame };
}

async function settingsNow(context: RunContext, setup: SourceSetup): Promise<DraftSettings> {
  const { timezone } = await setup.site.client.abilities();
  await noteSiteZone(context.database.query(), setup.site.key, timezone);
  return setup.draftSettings(context.now(), timezone);
}

/** If the result has `unsettled`, only a part was read; these are the settled events that it contains nevertheless. */
async function readFeed(
  { context, setup, body, settings }: Source,
  settled?: SettledEvents,
): Promise<(ReadFeed & { readonly unsettled?: readonly string[] | undefined }) | FailedReading> {
  const begun = context.now();
  const bytes = body.loaded.bytes();
  const parsing = context.parser.parse({
    bytes,
    contentType: body.state.contentType,
    addresses: [setup.address ?? body.finalUrl, body.finalUrl],
    format: setup.format,
    settings,
    ...(body.before ? { before: body.before } : {}),
    ...(settled ? { settled } : {}),
  });
  const [parsed, packed] = await Promise.all([parsing, body.loaded.packed()]);
  const ms = context.now() - begun;
  if (parsed.kind === 'notAFeed')
    return { kind: 'failed', problem: parsed.problem, ofFeed: true, steps: { fetch: body.step } };
  const { refreshMs, frame = null, unsettled } = parsed;
  const reading = { ...parsed.reading, problems: [...body.moved, ...parsed.reading.problems] };
  return { ms, packed, software: softwareOf(bytes), reading, refreshMs, frame, unsettled };
}

/** The whole feed has to be read; if `full`, the whole site has to be compared, too. */
interface NotEnough {
  readonly kind: 'notEnough';
  readonly full: boolean;
}

/** Plans a feed that was read in part. */
async function planPart(
  source: Source,
  read: ReadFeed,
  settled: SettledSource & { readonly unsettled: readonly string[]; readonly named: readonly CountedLinkedNames[] },
): Promise<Decision | NotEnough> {
  const { context, setup, before, settings } = source;
  const part = await partOfLedger(context.database.query(), settled, settled.unsettled, settled.named, context.now());
  if (!part) return { kind: 'notEnough', full: false };
  const planning = await planningNow(source, { ...read, ...part }, part.stored);
  const changed = await planChanged(setup.site.client, planning, settings.window.from);
  return changed?.plan.rung === before.rung
    ? planned(source, read, planning, changed)
    : { kind: 'notEnough', full: changed === null };
}

async function planWhole(
  source: Source,
  read: ReadFeed,
  { stored, unanswered, isWhole, ahead }: KnownOfSource,
): Promise<Decision> {
  const { client } = source.setup.site;
  const lostAnswers = unanswered.length === 0 ? undefined : await askAboutLostAnswers(client, unanswered, stored);
  const ledger = lostAnswers ? withLostAnswers(stored, lostAnswers) : stored;
  const planning = { ...(await planningNow(source, read, ledger)), wasEmpty: stored.size === 0 };
  const changed = isWhole ? null : await planChanged(client, planning, source.settings.window.from);
  const plan = changed?.plan ?? (await planCompared(source, planning, ahead));
  return planned(source, read, planning, { plan, seen: changed?.seen }, lostAnswers);
}

/** Plans against the whole site, pausing for other work, as 100,000 events take seconds. */
async function planCompared(
  { context, setup, settings }: Source,
  planning: PlanInputWithoutSite,
  ahead?: ReadAhead,
): Promise<Plan> {
  await pause();
  const snapshot = await loadWhole(context, setup, planning, settings.window.from, ahead);
  await pause();
  const plan = await withPauses(planInSteps({ ...planning, snapshot }));
  await pause();
  return plan;
}

/** The input of planning, apart from what is on the site. */
async function planningNow(
  { context, setup, before, body }: Source,
  { reading, remainder }: Pick<ReadFeed, 'reading'> & Partial<PartOfLedger>,
  ledger: ReadonlyMap<string, LedgerEntry>,
): Promise<PlanInputWithoutSite> {
  const { venueCoordinates } = await setup.site.client.abilities();
  const policy = { ...setup.policy(context.now(), venueCoordinates), ...newSettings(setup, before, body) };
  return planningOf(
    context,
    setup,
    { reading, policy, rung: before.rung, ...(remainder ? { remainder } : {}) },
    ledger,
  );
}

/** Whether the settings of a source have changed since it was last read, and whether its feed has, too. */
function newSettings({ settingsHash }: SourceSetup, before: FeedState, { state }: Body): Pick<Policy, 'newSettings'> {
  if (before.settingsHash === null || before.settingsHash === settingsHash) return {};
  return { newSettings: state.bodyHash === before.bodyHash ? 'alone' : 'withFeed' };
}

/** A plan in the form that is stored and reported. Without `seen`, the whole site was compared. */
async function planned(
  { context, setup, before, body, isFirst, since }: Source,
  { ms, packed, software, refreshMs, frame }: ReadFeed,
  { reading, remainder }: Pick<PlanInputWithoutSite, 'reading' | 'remainder'>,
  { plan: bare, seen }: { readonly plan: Plan; readonly seen?: ReadonlyMap<string, Event> | undefined },
  lostAnswers?: LostAnswers,
): Promise<Decision> {
  const clean = lostAnswers ? withoutTwins(bare, [...lostAnswers.twins.values()]) : bare;
  // A held plan already says what the feed has lost.
  const problems = clean.held === null ? clean.problems : clean.problems.filter(({ code }) => code !== NO_EVENTS);
  const told = {
    ...clean,
    problems: [...problems, ...overwritten(clean)],
  };
  const whole = isPartial(await setup.site.client.abilities()) ? told : expressible(told);
  const plan = isFirst ? heldAsFirst(whole) : whole;
  const feedState: FeedState = {
    ...before,
    ...body.state,
    rung: plan.rung ?? before.rung,
    settingsHash: setup.settingsHash,
    frame,
    fullAt: seen ? before.fullAt : context.now(),
    due: isPending(plan),
    refreshMs,
    notBefore: context.now() + freshFor(body.maxAgeMs, refreshMs),
  };
  return {
    kind: 'planned',
    plan,
    feedState,
    steps: stepsOf({ body, ms, since, now: context.now(), software }, reading, remainder),
    body: { packed, contentType: body.state.contentType, hash: body.state.bodyHash },
    ...(lostAnswers ? { lostAnswers } : {}),
    ...(seen ? { seen } : {}),
  };
}

interface Went {
  readonly body: Body;
  /** How long the reading itself took, in milliseconds. */
  readonly ms: number;
  readonly since: number;
  readonly now: number;
  readonly software: string | null;
}

/** The steps of a reading that led to a plan. */
function stepsOf(
  { body, ms, since, now, software }: Went,
  { drafts, problems }: FeedReading,
  remainder: PlanInputWithoutSite['remainder'] = NO_REMAINDER,
): ReadingSteps {
  const coming = drafts.filter(({ endsAt }) => endsAt > now).length + remainder.upcoming;
  return {
    fetch: body.step,
    read: {
      ms,
      events: drafts.length + remainder.count,
      coming,
      problems: problems.length,
      software,
    },
    compare: { ms: Math.max(0, now - since - ms) },
  };
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

/** Absences that are still being counted make the next run due. */
const isPending = (plan: Plan): boolean =>
  Object.values(plan.ledger).some(({ entry }) => entry.state === 'kept' && entry.missing > 0);
