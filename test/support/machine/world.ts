import { createHash } from 'node:crypto';
import type { SourceConfig } from '../../../src/config/config.ts';
import { sql, type Database, type Queryable } from '../../../src/db/database.ts';
import { findUnattended } from '../../../src/queue/unattended.ts';
import { approveRun, rejectRun } from '../../../src/run/decisions/approve-run.ts';
import type { RunContext } from '../../../src/run/state/context.ts';
import type { FetchResult } from '../../../src/run/fetch/fetch-result.ts';
import type { Lease } from '../../../src/run/state/lease.ts';
import { loadLedger } from '../../../src/run/state/ledger.ts';
import { loadBatches, type Batch } from '../../../src/run/state/batches.ts';
import { startUndo } from '../../../src/run/decisions/undo-run.ts';
import { startSettle } from '../../../src/run/decisions/settle-event.ts';
import { resumeRun } from '../../../src/run/steps/resume-run.ts';
import { startRun } from '../../../src/run/steps/start-run.ts';
import { carryOn } from '../../../src/run/steps/carry-on.ts';
import { takeOverRuns, takeUpRuns } from '../../../src/run/steps/take-over.ts';
import type { FieldName } from '../../../src/sync/model/fields.ts';
import type { Action, LedgerEntry, Report } from '../../../src/sync/model/plan.ts';
import { START } from '../syncing-app.ts';
import { until } from '../until.ts';
import type { Life } from './command.ts';
import { feedText, type Item } from './feed.ts';
import type { Grounds } from './grounds.ts';
import { Killed, startWorker, type Worker } from './worker.ts';
import { BY_TESTER } from '../by-tester.ts';

/** A source as its publisher keeps it, and the operator's rule for it. */
export interface Publisher {
  readonly name: string;
  items: Item[];
  gone: Item[];
  how: 'whole' | 'unreachable' | 'a page' | 'cut' | 'empty';
  skips: string | null;
}

/** The whole world of a life: feeds, a site, a database, processes. */
export interface World {
  readonly clock: { now: number };
  readonly grounds: Grounds;
  readonly settings: Life['settings'];
  readonly publishers: readonly [Publisher, Publisher];
  readonly worker: (number: 0 | 1) => Worker;
  /** Replaces a killed process, or restarts a running one. */
  readonly bury: (number: 0 | 1) => Promise<void>;
  readonly ledger: (source: string) => Promise<ReadonlyMap<string, LedgerEntry>>;
  readonly loseLedger: (source: string) => Promise<void>;
  /** Slugs of events that planned writes may still change: those of killed processes and those of held runs. */
  readonly pending: () => Promise<ReadonlySet<string>>;
  /** Slugs of events that a killed run was about to remove, or removed without getting an answer. */
  readonly leaving: () => Promise<ReadonlySet<string>>;
  /** The newest run of a source that wrote to the site. */
  readonly lastWritten: (source: string) => Promise<string | undefined>;
  readonly batches: (run: string) => Promise<readonly Batch[]>;
  readonly held: () => Promise<{ readonly run: string; readonly source: string; readonly why: string } | undefined>;
}

const ignore = (): void => undefined;
const noPause = async (): Promise<void> => undefined;

/** What outlives a single life: the database and two processes. */
export interface Stage {
  readonly begin: (life: Life) => Promise<World>;
  readonly close: () => Promise<void>;
}

export async function openStage(
  database: Database,
  makeGrounds: (now: () => number) => Grounds | Promise<Grounds>,
  configured: readonly SourceConfig[],
): Promise<Stage> {
  const clock = { now: START };
  const grounds = await makeGrounds(() => clock.now);
  let publishers: [Publisher, Publisher] = [publisher('town'), publisher('club')];
  let settings: Life['settings'] | undefined;
  const surroundings = {
    database,
    grounds,
    now: () => clock.now,
    sources: () => configured.map((source, index) => withSettings(source, settings!, publishers[index]!)),
    fetch: async (
      name: string,
      _address: unknown,
      validators: { readonly etag: string | null },
    ): Promise<FetchResult> =>
      fetched(
        publishers.find((each) => each.name === name)!,
        validators.etag,
      ),
  };
  const workers = [await startWorker(surroundings), await startWorker(surroundings)];
  const query = database.query();
  const world = (): World => ({
    clock,
    grounds,
    settings: settings!,
    publishers,
    worker: (number) => workers[number]!,
    bury: async (number) => {
      const { context, end } = workers[number]!;
      const id = context.member.id();
      await end();
      await until(
        'a dead process to lose its locks',
        async () =>
          (
            await sql<{
              count: number;
            }>`select count(*) as count from pg_locks where locktype = 'advisory' and objid = ${id} and objsubid = 2
              and database = (select oid from pg_database where datname = current_database())`.execute(query)
          ).rows[0]!.count === 0,
      );
      workers[number] = await startWorker(surroundings);
    },
    ledger: (source) => loadLedger(query, grounds.key, source),
    loseLedger: async (source) => {
      await sql`delete from calsync.ledger where source = ${source}`.execute(query);
      await sql`delete from calsync.sources where source = ${source}`.execute(query);
      // A lost database has lost its runs as well.
      for (const table of ['leases', 'runs', 'unanswered'])
        await sql`delete from calsync.${sql.raw(table)} where source = ${source}`.execute(query);
    },
    pending: async () => {
      const { rows } = await sql<{
        slug: string;
      }>`select slug from calsync.runs, jsonb_object_keys(doing) as slug where state = 'held'`.execute(query);
      return new Set([...rows.map(({ slug }) => slug), ...slugsOf(await beingWritten(query))]);
    },
    leaving: async () => {
      const { rows } = await sql<{
        slug: string;
      }>`select slug from calsync.unanswered where action->>'kind' = 'remove'`.execute(query);
      const removals = (await beingWritten(query)).filter(({ kind }) => kind === 'remove');
      return new Set([...rows.map(({ slug }) => slug), ...slugsOf(removals)]);
    },
    lastWritten: async (source) =>
      (
        await sql<{
          run: string;
        }>`select run from calsync.runs where source = ${source} and state in ('done', 'failed')
          and exists (select 1 from calsync.batches where batches.run = runs.run and stage in ('events', 'removals'))
          order by started_at desc limit 1`.execute(query)
      ).rows[0]?.run,
    batches: (run) => loadBatches(query, run),
    held: async () =>
      (
        await sql<{
          run: string;
          source: string;
          why: string;
        }>`select run, source, plan->>'held' as why from calsync.runs where state = 'held' order by started_at limit 1`.execute(
          query,
        )
      ).rows[0],
  });
  return {
    begin: async (life) => {
      clock.now = START;
      settings = life.settings;
      publishers = [publisher('town'), publisher('club')];
      for (const worker of workers) worker.dieAfter(Number.POSITIVE_INFINITY);
      for (const table of ['leases', 'batches', 'runs', 'ledger', 'sources', 'unanswered'])
        await sql`delete from calsync.${sql.raw(table)}`.execute(query);
      await grounds.reset();
      return world();
    },
    close: async () => {
      for (const worker of workers) await worker.end();
      await grounds.close();
    },
  };
}

const publisher = (name: string): Publisher => ({ name, items: [], gone: [], how: 'whole', skips: null });

const withSettings = (
  source: SourceConfig,
  { missing, after, authority, of }: Life['settings'],
  { skips }: Publisher,
): SourceConfig => ({
  ...source,
  missing: { action: missing, after },
  authority: { default: authority, fields: of === '' ? {} : Object.fromEntries([of.split(' ')]) },
  drafts: {
    ...source.drafts,
    skip: skips === null ? [] : [{ field: 'title', matches: `^${skips.replaceAll('.', '\\.')} ` }],
  },
});

function fetched({ items, how }: Publisher, known: string | null): FetchResult {
  const finalUrl = 'https://feed.example/feed.ics';
  if (how === 'unreachable')
    return { kind: 'failed', problem: { code: 'feed-unreachable', message: 'It does not answer.', where: {} } };
  const whole = feedText(items);
  const text =
    how === 'a page'
      ? '<!DOCTYPE html><html><body>Log in</body></html>'
      : how === 'cut'
        ? whole.slice(0, whole.length - 20)
        : how === 'empty'
          ? feedText([])
          : whole;
  const bodyHash = createHash('sha256').update(text).digest('hex');
  const validators = { etag: bodyHash, lastModified: null };
  return known === bodyHash
    ? { kind: 'notModified', validators, finalUrl }
    : { kind: 'fetched', bytes: Buffer.from(text), contentType: 'text/calendar', validators, finalUrl };
}

/**
 * A run as a process makes it: first it resumes what killed processes and lost queue jobs left behind, then it makes
 * its own. Undefined if another process is working on the source.
 */
export async function sync({ context }: Worker, source: string, full: boolean): Promise<Report | undefined> {
  await takeOver({ context });
  const setup = context.sources.get(source)!;
  return carryOn(context, setup, await startRun(context, setup, 'command', full), ignore, noPause);
}

export async function takeOver({ context }: Pick<Worker, 'context'>): Promise<void> {
  for (const abandoned of [
    ...(await takeOverRuns(context)),
    ...(await takeUpRuns(context, await unattendedOf(context))),
  ]) {
    await carryOn(context, abandoned.setup, await resumeRun(context, abandoned, false), ignore, noPause);
  }
}

/** A process looks for unattended runs when it has none of its own under way, so its queue is empty. */
async function unattendedOf(context: RunContext): Promise<readonly Lease[]> {
  const unattended = findUnattended(context, { getRanges: async () => [] }, () => false);
  await unattended();
  return unattended();
}

export async function approve(
  { context }: Worker,
  { run, source }: { readonly run: string; readonly source: string },
): Promise<Report | undefined> {
  const setup = context.sources.get(source)!;
  return carryOn(context, setup, await approveRun(context, setup, run, BY_TESTER), ignore, noPause);
}

export async function settleFor(
  { context }: Worker,
  source: string,
  slug: string,
  field: FieldName,
  winner: 'feed' | 'site',
): Promise<Report | undefined> {
  const setup = context.sources.get(source)!;
  return carryOn(context, setup, await startSettle(context, setup, slug, field, winner), ignore, noPause);
}

export async function undoFor({ context }: Worker, source: string, run: string): Promise<Report | undefined> {
  const setup = context.sources.get(source)!;
  return carryOn(context, setup, await startUndo(context, setup, run, undefined, BY_TESTER), ignore, noPause);
}

export const reject = ({ context }: Worker, run: string): Promise<void> => rejectRun(context, run, BY_TESTER);

/** Waits for work that may be cut off by a kill; undefined in that case. */
export const unlessKilled = async <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (isKilled(error)) return undefined;
    throw error;
  });

const isKilled = (error: unknown): boolean =>
  error instanceof Killed || (error instanceof Error && error.cause !== undefined && isKilled(error.cause));

async function beingWritten(query: Queryable): Promise<readonly Action[]> {
  const { rows } = await sql<{ run: string }>`select run from calsync.runs where state = 'writing'`.execute(query);
  const batches = await Promise.all(rows.map(({ run }) => loadBatches(query, run)));
  return batches.flat().flatMap(({ items }) => items.map(({ action }) => action));
}

const slugsOf = (actions: readonly Action[]): readonly string[] =>
  actions.flatMap((action) => ('slug' in action ? [action.slug] : []));
