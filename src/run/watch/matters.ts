import { CONFLICT_SINCE, SHOWN_TITLE } from '../state/ledger.ts';
import { createHash } from 'node:crypto';
import type { ProblemCode } from '../../codes.ts';
import { sql, type Queryable } from '../../db/database.ts';
import type { Review } from '../../sync/review/review.ts';
import { DAY_MS } from '../../time.ts';
import type { SourceName } from './pauses.ts';
import { sourceState, type SourceFacts, type SourceState } from './source-state.ts';
import type { MustAct } from './who-acts.ts';

type Query = Queryable;

/**
 * The kinds of matters that wait for a person; those that visitors would notice come before those that only operators
 * would.
 */
const MATTER_KINDS = [
  'held',
  'failing',
  'conflicts',
  'late',
  'dropped',
  'moved',
  'empty',
  'near-match',
  'stale',
] as const;
export type MatterKind = (typeof MATTER_KINDS)[number];

/** Something that waits for a person. */
export interface Matter extends SourceName {
  readonly kind: MatterKind;
  /** Stays the same as long as it is the same matter. */
  readonly key: string;
  /** Changes with what the matter looks like; a matter that was put off until it changes then comes back. */
  readonly look: string;
  readonly facts: SourceFacts;
  readonly state: SourceState;
  readonly mustAct: MustAct;
  /** In epoch milliseconds. */
  readonly since: number | null;
  /** The number of events concerned; within a kind, larger matters come first. */
  readonly events: number;
  /** What is gone from the feed of a held plan, and what it has in common. */
  readonly gone?: GoneEvents;
  /** The first titles of events, and the number of events with other titles. */
  readonly titles?: readonly string[];
  readonly more?: number;
  /** What a run has said about it. */
  readonly message?: string;
}

export type GoneEvents = Pick<Review['gone'], 'count' | 'pattern'>;

/** Failures that somebody else has to fix are not shown before this time. */
const OTHERS_AFTER_MS = DAY_MS;
const TITLES_MAX = 3;

interface Conflicts extends SourceName {
  readonly events: number;
  readonly since: number;
  readonly titles: readonly string[];
  /** The number of events with other titles than these. */
  readonly more: number;
}
interface Said extends SourceName {
  readonly run: string;
  readonly code: ProblemCode;
  readonly message: string;
  readonly at: number;
}
/** Details that are not among the facts about sources. */
interface Details {
  /** By run. */
  readonly gone: ReadonlyMap<string, GoneEvents>;
  readonly conflicts: ReadonlyMap<string, Conflicts>;
  readonly said: ReadonlyMap<string, readonly Said[]>;
}

/**
 * What waits for a person, the most consequential first. `facts` are those of all sources; `now` is in epoch
 * milliseconds.
 */
export async function loadMatters(
  query: Query,
  facts: readonly SourceFacts[],
  now: number,
): Promise<readonly Matter[]> {
  const details = await loadDetails(query, facts, now);
  return mattersOf(facts, details, now);
}

const nameOf = ({ site, source }: SourceName): string => JSON.stringify([site, source]);

async function loadDetails(query: Query, facts: readonly SourceFacts[], now: number): Promise<Details> {
  const [gone, conflicts, said] = await Promise.all([
    sql<{ run: string; gone: GoneEvents }>`select run, review->'gone' as gone from calsync.runs
      where run = any(${facts.flatMap(({ held }) => held?.run ?? [])}::text[]) and review ? 'gone'`.execute(query),
    sql<Conflicts>`
      select site, source, sum(count)::int as events, min(since) as since,
        (array_agg(title order by first))[1:${sql.lit(TITLES_MAX)}] as titles,
        coalesce(sum(count) filter (where place > ${sql.lit(TITLES_MAX)}), 0)::int as more
      from (
        select site, source, ${SHOWN_TITLE} as title, count(*) as count, min(${CONFLICT_SINCE}) as since, min(starts_at) as first,
          row_number() over (partition by site, source order by min(starts_at)) as place
        from calsync.ledger where in_conflict and state = 'kept' and ends_at > ${now} group by site, source, ${SHOWN_TITLE}
      ) as titles group by site, source`.execute(query),
    loadSaid(query, facts),
  ]);
  return {
    gone: new Map(gone.rows.map((row) => [row.run, row.gone])),
    conflicts: new Map(conflicts.rows.map((row) => [nameOf(row), row])),
    said: Map.groupBy(said, nameOf),
  };
}

/** The problems of runs that become matters. */
const SAID_CODES = {
  dropped: ['beyond-coverage', 'part-unread'],
  moved: ['feed-moved'],
  'near-match': ['venue-near-match', 'organizer-near-match'],
} as const satisfies Partial<Record<MatterKind, readonly ProblemCode[]>>;

/** What the sources' last runs reported that a person should look at. */
async function loadSaid(query: Query, facts: readonly SourceFacts[]): Promise<readonly Said[]> {
  const { rows } = await sql<Said>`
    select site, source, run, problem->>'code' as code, problem->>'message' as message,
      (extract(epoch from coalesce(since, started_at)) * 1000)::bigint as at
    from calsync.runs, jsonb_array_elements(report->'problems') as problem
    where run = any(${facts.flatMap(({ lastRun }) => lastRun?.run ?? [])}::text[])
      and report->'problems' is not null and problem->>'code' = any(${Object.values(SAID_CODES).flat()}::text[])`.execute(
    query,
  );
  return rows;
}

/** Derives the matters from what was loaded. */
function mattersOf(facts: readonly SourceFacts[], details: Details, now: number): readonly Matter[] {
  const all = facts.flatMap((each) => {
    const state = sourceState(each, now);
    return MATTERS.flatMap((make) => make(each, state, details, now) ?? []);
  });
  return all.toSorted(
    (one, other) =>
      MATTER_KINDS.indexOf(one.kind) - MATTER_KINDS.indexOf(other.kind) ||
      other.events - one.events ||
      (one.since ?? now) - (other.since ?? now),
  );
}

type Make = (facts: SourceFacts, state: SourceState, details: Details, now: number) => Matter | undefined;

function matterOf(
  kind: MatterKind,
  facts: SourceFacts,
  state: SourceState,
  look: string,
  more: Partial<Matter> = {},
): Matter {
  const { site, source } = facts;
  return {
    kind,
    site,
    source,
    key: `${kind} ${site} ${source}`,
    look: createHash('sha256').update(look).digest('base64url').slice(0, 16),
    facts,
    state,
    mustAct: 'you',
    since: state.since,
    events: 0,
    ...more,
  };
}

/** A paused source is left alone, except for what waits for a person anyway. */
const isAwake = ({ word }: SourceState): boolean => word !== 'paused';

const MATTERS: readonly Make[] = [
  (facts, state, { gone }) => {
    const { held } = facts;
    if (!held) return undefined;
    const own = gone.get(held.run);
    return matterOf('held', facts, state, held.run, {
      since: held.since,
      events: held.reasons?.[0]?.count ?? 0,
      ...(own ? { gone: own } : {}),
    });
  },
  (facts, state, _, now) => {
    const { failures } = facts;
    if (!failures || state.word !== 'failing' || state.mustAct === 'nobody') return undefined;
    if (state.mustAct !== 'you' && now - failures.since < OTHERS_AFTER_MS) return undefined;
    return matterOf('failing', facts, state, `${failures.code} ${failures.since}`, {
      mustAct: state.mustAct,
      events: facts.coming,
    });
  },
  (facts, state, { conflicts }) => {
    const own = conflicts.get(nameOf(facts));
    return (
      own &&
      matterOf('conflicts', facts, state, `${own.events} ${own.titles.join(' ')}`, {
        events: own.events,
        since: own.since,
        titles: own.titles,
        more: own.more,
      })
    );
  },
  (facts, state) =>
    state.word === 'late' ? matterOf('late', facts, state, String(facts.dueAt), { mustAct: 'developer' }) : undefined,
  // Visitors see these events even while their source is paused.
  (facts, state, { said }) => saidMatter('dropped', facts, state, said),
  (facts, state, { said }) => (isAwake(state) ? saidMatter('moved', facts, state, said) : undefined),
  (facts, state) =>
    isAwake(state) && facts.goodAt !== null && facts.kept === 0 && !facts.held && !facts.failures
      ? matterOf('empty', facts, state, 'empty', { since: facts.goodAt })
      : undefined,
  (facts, state, { said }) => (isAwake(state) ? saidMatter('near-match', facts, state, said) : undefined),
  (facts, state) =>
    state.word === 'stale' && facts.kept > 0
      ? matterOf('stale', facts, state, String(facts.changedAt), { events: facts.coming })
      : undefined,
];

function saidMatter(
  kind: keyof typeof SAID_CODES,
  facts: SourceFacts,
  state: SourceState,
  said: Details['said'],
): Matter | undefined {
  const codes: readonly ProblemCode[] = SAID_CODES[kind];
  const own = (said.get(nameOf(facts)) ?? []).filter(({ code }) => codes.includes(code));
  const [first] = own;
  if (!first) return undefined;
  return matterOf(kind, facts, state, own.map(({ message }) => message).join(' '), {
    since: first.at,
    events: own.length,
    message: first.message,
  });
}
