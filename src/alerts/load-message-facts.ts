import { inQuotes } from '../look/words/in-quotes.ts';
import { sql, type Queryable } from '../db/database.ts';
import { loadLedger } from '../run/state/ledger.ts';
import { loadHeldPlan, loadReview } from '../run/state/held-plans.ts';
import { actInWords, listActs } from '../run/watch/acts.ts';
import { reviewOf, type Review } from '../sync/review/review.ts';
import { DAY_MS } from '../time.ts';
import type { DueMessage } from './decide/due-messages.ts';
import { sourceKeyOf, type EpisodeKind, type SourceWithState } from './model/episode.ts';
import type { AlertSettings } from './settings.ts';
import type { DayOfSource } from './words/digest-words.ts';
import { heldInWords, type HeldInWords } from './words/held-words.ts';
import { places } from './words/places.ts';
import type { MessageFacts } from './words/write-message.ts';

/** Loads everything that the due messages are written from. */
export async function loadMessageFacts(
  query: Queryable,
  { title, base, zoneOf }: Pick<AlertSettings, 'title' | 'base' | 'zoneOf'>,
  due: readonly DueMessage[],
  { watched, submissions, backup }: Pick<MessageFacts, 'watched' | 'submissions' | 'backup'>,
  now: number,
): Promise<MessageFacts> {
  const hasDigest = due.some(({ kind }) => kind === 'digest');
  const told = (kind: DueMessage['kind'], of: EpisodeKind): readonly SourceWithState[] => {
    const named = due.filter((each) => each.kind === kind).flatMap(({ episodes }) => episodes);
    const keys = new Set(named.filter((episode) => episode.kind === of).map(sourceKeyOf));
    return watched.filter(({ facts }) => keys.has(sourceKeyOf(facts)));
  };
  return {
    wording: {
      now,
      zoneOf,
      places: places(base),
      reviews: await loadReviews(query, told('held', 'held'), now, zoneOf),
      decisions: await loadDecisions(query, told('recovered', 'held'), due),
    },
    watched,
    submissions,
    backup,
    digest: { title, days: hasDigest ? await lastDay(query, now) : [] },
  };
}

/** The reviews of held plans in words, by run. */
async function loadReviews(
  query: Queryable,
  watched: readonly SourceWithState[],
  now: number,
  zoneOf: AlertSettings['zoneOf'],
): Promise<ReadonlyMap<string, HeldInWords>> {
  const reviews = new Map<string, HeldInWords>();
  for (const { facts } of watched) {
    const { held, site, source } = facts;
    const review = held && (await reviewOfRun(query, held.run, { site, source, now }));
    if (held && review)
      reviews.set(held.run, heldInWords(review, { source, now, zone: zoneOf(site), undoes: held.undoes }));
  }
  return reviews;
}

/** The review of a held run; undefined for a run of an earlier version, which has only a sentence. */
export async function reviewOfRun(
  query: Queryable,
  run: string,
  { site, source, now }: { readonly site: string; readonly source: string; readonly now: number },
): Promise<Review | undefined> {
  const stored = await loadReview(query, run);
  if (stored) return stored;
  const plan = await loadHeldPlan(query, run);
  if (plan?.reasons === undefined) return undefined;
  return reviewOf({ plan, ledger: await loadLedger(query, site, source), now });
}

/** Who has decided since the source was held, by source: "clerk rejected the plan: “one line cut”." */
async function loadDecisions(
  query: Queryable,
  watched: readonly SourceWithState[],
  due: readonly DueMessage[],
): Promise<ReadonlyMap<string, string>> {
  const heldSince = new Map(
    due
      .flatMap(({ episodes }) => episodes)
      .flatMap((each) => (each.kind === 'held' ? [[sourceKeyOf(each), each.since] as const] : [])),
  );
  const decisions = new Map<string, string>();
  for (const { facts } of watched) {
    const key = sourceKeyOf(facts);
    const acts = await listActs(query, { source: facts.source }, ACTS_LOOKED_AT);
    const act = acts.find(
      ({ kind, at }) => (kind === 'approve' || kind === 'reject') && at.getTime() >= (heldSince.get(key) ?? 0),
    );
    if (act) decisions.set(key, `${actInWords(act)}${act.reason === null ? '' : `: ${inQuotes(act.reason)}`}.`);
  }
  return decisions;
}

const ACTS_LOOKED_AT = 20;

/** What has happened in the last 24 hours, by source. */
async function lastDay(query: Queryable, now: number): Promise<readonly DayOfSource[]> {
  const { rows } = await sql<DayOfSource>`
    select site, source, coalesce(sum((report->>'created')::int), 0)::int as created, coalesce(sum((report->>'updated')::int), 0)::int as updated,
      coalesce(sum((report->>'removed')::int), 0)::int as removed, count(*) filter (where state = 'failed')::int as "failedRuns"
    from calsync.runs where finished_at > ${new Date(now - DAY_MS)} and finished_at <= ${new Date(now)} and state in ('done', 'failed')
    group by site, source order by source, site`.execute(query);
  return rows;
}
