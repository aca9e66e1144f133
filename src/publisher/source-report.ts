import type { ProblemCode } from '../codes.ts';
import { sql } from '../db/database.ts';
import { isForPublisher } from '../feed-codes.ts';
import { NO_VALIDATORS } from '../run/fetch/fetch-feed.ts';
import { publicAddress } from '../run/fetch/public-address.ts';
import { previewFeed, type FeedPreview } from '../run/parse/preview-feed.ts';
import type { RunContext, SourceSetup } from '../run/state/context.ts';
import { loadBody, loadFeedState } from '../run/state/feed-state.ts';
import type { SourceFacts } from '../run/watch/source-state.ts';
import type { FeedReport } from '../sync/formats/publisher-report.ts';
import { wallFromInstant } from '../time.ts';
import { reportOn } from './report-on.ts';

/** Makes the report for a source's publisher about the feed as it was last read. */
export type SourceReport = (setup: SourceSetup, facts: SourceFacts, zone: string) => Promise<FeedReport | undefined>;

const KEPT_MAX = 20;
const KEPT_MS = 600_000;

interface Kept {
  readonly key: string;
  readonly at: number;
  readonly report: Promise<FeedReport | undefined>;
}

/**
 * Reports on feeds as they were last read. Reading one again takes as long as a sync, so each report is cached for a
 * while, and concurrent requests share it.
 */
export function sourceReports(context: RunContext): SourceReport {
  const kept = new Map<string, Kept>();
  return async (setup, facts, zone) => {
    const now = context.now();
    const name = `${setup.site.key} ${setup.name}`;
    const key = [facts.lastRun?.run, facts.failures?.run, setup.settingsHash].join(' ');
    const known = kept.get(name);
    if (known?.key === key && now - known.at < KEPT_MS) return known.report;
    const report = makeReport(context, setup, facts, zone);
    kept.delete(name);
    kept.set(name, { key, at: now, report });
    for (const oldest of [...kept.keys()].slice(0, -KEPT_MAX)) kept.delete(oldest);
    // A failed report is tried again.
    report.catch(() => kept.delete(name));
    return report;
  };
}

/** The failures of a source that its publisher can fix. */
export function theirFailures({
  failures,
}: SourceFacts): (NonNullable<SourceFacts['failures']> & { readonly code: ProblemCode }) | undefined {
  const code = failures?.code ?? null;
  return failures && code !== null && isForPublisher(code) ? { ...failures, code } : undefined;
}

async function makeReport(
  context: RunContext,
  setup: SourceSetup,
  facts: SourceFacts,
  zone: string,
): Promise<FeedReport | undefined> {
  const failures = theirFailures(facts);
  const problems = failures
    ? [{ code: failures.code, message: failures.message ?? 'It cannot be read.', where: {} }]
    : [];
  const read = await readLast(context, setup, zone);
  const about = { feed: shownName(setup), window: windowOf(setup, context.now(), zone) };
  if (read) return reportOn({ ...about, now: read.at, found: read.found, since: problems });
  const [problem] = problems;
  return problem && reportOn({ ...about, now: failures?.since ?? 0, found: { kind: 'failed', problem } });
}

const shownName = ({ address, name }: SourceSetup): string => (address === undefined ? name : publicAddress(address));

/** The first and the last day of the source's window. */
function windowOf(setup: SourceSetup, now: number, zone: string): FeedReport['window'] {
  const { window, timezone } = setup.draftSettings(now, zone);
  const day = (at: number): string => wallFromInstant(at, timezone ?? zone).slice(0, 10);
  return { from: day(window.from), to: day(window.to - 1) };
}

/** The content of the feed as it was last read; undefined if it never was. */
async function readLast(
  context: RunContext,
  setup: SourceSetup,
  zone: string,
): Promise<{ readonly found: FeedPreview; readonly at: number } | undefined> {
  const query = context.database.query();
  const [site, source] = [setup.site.key, setup.name];
  const bytes = await loadBody(query, site, source);
  if (bytes === undefined) return undefined;
  const { contentType } = await loadFeedState(query, site, source);
  const address = setup.address ?? setup.name;
  const fetched = {
    kind: 'fetched',
    bytes,
    contentType,
    validators: NO_VALIDATORS,
    finalUrl: address,
    notBefore: 0,
  } as const;
  const settings = setup.draftSettings(context.now(), zone);
  const found = await previewFeed(address, fetched, context.parser, setup.format, settings);
  const { rows } = await sql<{ at: Date }>`
    select coalesce(fetched_at, good_at, now()) as at from calsync.sources where site = ${site} and source = ${source}`.execute(
    query,
  );
  return { found, at: rows[0]?.at.getTime() ?? context.now() };
}
