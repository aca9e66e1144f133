import type { Event } from '../contract/representation.ts';
import type { Problem } from '../problem.ts';
import type { FeedReading } from '../sync/draft.ts';
import { expressible } from '../sync/expressible.ts';
import { overwritten } from '../sync/overwritten.ts';
import { planChanges, slugsOf } from '../sync/plan-changes.ts';
import type { Plan } from '../sync/plan.ts';
import { withoutTwins } from '../sync/unanswered.ts';
import { contentHash } from './content-hash.ts';
import type { RunContext, SourceSetup } from './context.ts';
import { isPartial } from './complete-update.ts';
import { loadBody, loadFeedState, type FeedState } from './feed-state.ts';
import type { FetchResult, Validators } from './fetch-feed.ts';
import { freshFor } from './fetch-times.ts';
import { loadLedger } from './ledger.ts';
import { loadSnapshot } from './load-snapshot.ts';
import { withoutOwnEvents } from './own-events.ts';
import { planChanged } from './plan-changed.ts';
import { hear, loadUnanswered, withHeard, type Heard } from './unanswered.ts';
import { untold } from './untold.ts';

/** What a reading of a source comes to, before anything is stored or written. */
export type Decision =
  | { readonly kind: 'failed'; readonly problem: Problem; /** It is the feed that could not be had, not the site. */ readonly ofFeed?: true; readonly retryAfterMs?: number }
  | { readonly kind: 'unchanged'; readonly kept: number; readonly problems: readonly Problem[]; readonly validators: Validators; readonly notBefore: number }
  | { readonly kind: 'planned'; readonly plan: Plan; readonly feedState: FeedState; readonly body: Uint8Array; readonly contentType: string | null; /** What follows from the answers of earlier runs that were lost: the site was asked about all of them. */ readonly heard?: Heard; /** Events as the site showed them just now: they need not be read again before they are written. */ readonly seen?: ReadonlyMap<string, Event> };

/** A table's header stands within. */
const HEADER_BYTES = 16_384;

type Fetched = Exclude<FetchResult, { kind: 'failed' }>;
interface Body { readonly bytes: Uint8Array; readonly contentType: string | null; readonly finalUrl: string; readonly before?: Uint8Array; readonly changed: boolean; readonly state: Validators & Partial<FeedState>; readonly maxAgeMs: number | undefined; readonly moved: readonly Problem[] }

/**
 * Reads a source and plans what it asks of the site; writes nothing.
 * `full` plans also when the feed is unchanged.
 */
export async function decide(context: RunContext, setup: SourceSetup, full: boolean): Promise<Decision> {
  const query = context.database.query<unknown>();
  const before = await loadFeedState(query, setup.site.key, setup.name);
  const body = await readBody(context, setup, before);
  if ('kind' in body) return body;
  const stored = await loadLedger(query, setup.site.key, setup.name);
  const unanswered = await loadUnanswered(query, setup);
  if (!body.changed && !full && unanswered.length === 0 && !isDue(before, setup, context.now())) {
    return { kind: 'unchanged', kept: [...stored.values()].filter(({ state }) => state === 'kept').length, problems: body.moved, validators: body.state, notBefore: context.now() + freshFor(body.maxAgeMs, before.refreshMs) };
  }
  const abilities = await setup.site.client.abilities();
  const { timezone, venueCoordinates } = abilities;
  const settings = setup.draftSettings(context.now(), timezone);
  const parsed = await context.parser.parse({ bytes: body.bytes, contentType: body.contentType, addresses: [setup.address ?? body.finalUrl, body.finalUrl], format: setup.format, settings, ...(body.before && before.settingsHash === setup.settingsHash ? { before: body.before } : {}) });
  if (parsed.kind === 'notAFeed') return { kind: 'failed', problem: parsed.problem, ofFeed: true };
  const policy = setup.policy(context.now(), venueCoordinates);
  const foreign = await withoutOwnEvents(context, setup, parsed.reading);
  const heard = unanswered.length === 0 ? undefined : await hear(setup.site.client, unanswered, stored);
  const ledger = heard ? withHeard(stored, heard) : stored;
  const reading: FeedReading = { ...foreign, problems: [...body.moved, ...foreign.problems] };
  const planning = { reading, ledger, policy, rung: before.rung };
  const isWhole = full || isWholeDue(before, setup, context.now());
  const changed = isWhole ? null : await planChanged(setup.site.client, planning, settings.window.from);
  const planned = changed?.plan ?? planChanges({ ...planning, snapshot: await loadSnapshot(setup.site.client, ledger, settings.window.from, slugsOf(reading, ledger, policy, before.rung), setup.name) });
  const clean = heard ? withoutTwins(planned, [...heard.twins.values()]) : planned;
  const told = { ...clean, problems: [...await untold(query, setup, clean.problems), ...overwritten(clean, ledger)] };
  const plan = isPartial(abilities) ? told : expressible(told);
  const feedState: FeedState = { ...before, ...body.state, rung: plan.rung ?? before.rung, settingsHash: setup.settingsHash, fullAt: changed ? before.fullAt : context.now(), due: isPending(plan), refreshMs: parsed.refreshMs, notBefore: context.now() + freshFor(body.maxAgeMs, parsed.refreshMs) };
  return { kind: 'planned', plan, feedState, body: body.bytes, contentType: body.contentType, ...(heard ? { heard } : {}), ...(changed ? { seen: changed.seen } : {}) };
}

/** The feed's bytes, fetched or (where the publisher says that nothing changed) those of the last good fetch. */
async function readBody(context: RunContext, setup: SourceSetup, before: FeedState): Promise<Body | Extract<Decision, { kind: 'failed' }>> {
  const stored = await loadBody(context.database.query(), setup.site.key, setup.name);
  // The body of a run that failed is stored without its validators: those of the last good run stand for another one.
  const validators = stored && contentHash(stored) === before.bodyHash ? { etag: before.etag, lastModified: before.lastModified } : { etag: null, lastModified: null };
  const fetched = await setup.fetch(validators);
  if (fetched.kind === 'failed') return { ...fetched, ofFeed: true };
  const { maxAgeMs, finalUrl } = fetched;
  if (fetched.kind === 'notModified') return { bytes: stored!, contentType: before.contentType, finalUrl, changed: false, state: fetched.validators, maxAgeMs, moved: movedProblems(fetched) };
  const { etag, lastModified } = fetched.validators;
  const bodyHash = contentHash(fetched.bytes);
  const state = { etag, lastModified, bodyHash, contentType: fetched.contentType };
  return { bytes: fetched.bytes, contentType: fetched.contentType, finalUrl, ...(stored ? { before: stored.slice(0, HEADER_BYTES) } : {}), changed: bodyHash !== before.bodyHash, state, maxAgeMs, moved: movedProblems(fetched) };
}

const movedProblems = ({ permanentRedirect }: Fetched): readonly Problem[] => permanentRedirect === undefined ? [] : [{
  code: 'feed-moved', where: { field: 'url' },
  message: `The feed has moved for good to ${permanentRedirect}: put the new address into the configuration.`,
}];

/** Whether a run is due although the feed is unchanged. */
function isDue(state: FeedState, setup: SourceSetup, now: number): boolean {
  return state.due || isWholeDue(state, setup, now);
}

/** Whether the whole of the site is to be compared: it is time, the mapping has changed, or a person's word has changed what we know. */
const isWholeDue = ({ settingsHash, fullAt }: FeedState, setup: SourceSetup, now: number): boolean =>
  settingsHash !== setup.settingsHash || fullAt === null || now - fullAt >= setup.site.fullEveryMs;

/** Events that are missing from the feed and counted make the next run due. */
const isPending = (plan: Plan): boolean => Object.values(plan.ledger).some(({ entry }) => entry.state === 'kept' && entry.missing > 0);

