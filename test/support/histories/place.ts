import { createHash } from 'node:crypto';
import type { SiteClient } from '../../../src/client/site-client.ts';
import type { SourceConfig } from '../../../src/config/config.ts';
import { sql, type Database } from '../../../src/db/database.ts';
import { startUndo } from '../../../src/run/decisions/undo-run.ts';
import type { FetchResult } from '../../../src/run/fetch/fetch-result.ts';
import { explainEvent, type Explanation } from '../../../src/run/decisions/explain-event.ts';
import { dryRun } from '../../../src/run/steps/dry-run.ts';
import { loadLedger } from '../../../src/run/state/ledger.ts';
import type { RunContext, SourceSetup } from '../../../src/run/state/context.ts';
import { carryOn } from '../../../src/run/steps/carry-on.ts';
import type { StartOutcome } from '../../../src/run/steps/keep-plan.ts';
import type { LedgerEntry, Report } from '../../../src/sync/model/plan.ts';
import { BY_TESTER } from '../by-tester.ts';
import { builtinGrounds } from '../machine/builtin-grounds.ts';
import { configured } from '../machine/configured.ts';
import type { Grounds } from '../machine/grounds.ts';
import { startWorker, type Worker } from '../machine/worker.ts';
import { approve, unlessKilled, sync } from '../machine/world.ts';
import { START } from '../syncing-app.ts';
import { feedText, newSource, yamlOf, type Source } from './source.ts';
import type { History, Settings } from './history.ts';

/** An event as visitors and editors see it, with names instead of ids. */
export type Shown = Readonly<Record<string, unknown>> & {
  readonly id: number;
  readonly slug: string;
  readonly status: string;
};

/** A venue as it is stored. */
export interface Venue {
  readonly id: number;
  readonly title: string;
  readonly status: string;
}

/** A site with one source. */
export class Place {
  readonly database: Database;
  readonly grounds: Grounds;
  readonly client: SiteClient;
  readonly clock: { now: number };
  source: Source = newSource([]);
  settings: Settings = { missing: 'trash', authority: 'preserve' };
  /** A seed for the order of the feed's components; undefined keeps their own order. */
  order: number | undefined;
  #worker: Worker | undefined;
  #config: SourceConfig | undefined;
  readonly #configs = new Map<string, SourceConfig>();

  constructor(database: Database, grounds: Grounds, client: SiteClient, clock: { now: number }) {
    this.database = database;
    this.grounds = grounds;
    this.client = client;
    this.clock = clock;
  }

  get worker(): Worker {
    return this.#worker!;
  }

  set worker(worker: Worker) {
    this.#worker = worker;
  }

  /** Empties the site for the next history. */
  async begin({ settings, rules }: History): Promise<void> {
    this.clock.now = START;
    this.settings = settings;
    this.source = newSource(rules);
    this.order = undefined;
    this.worker.dieAfter(Number.POSITIVE_INFINITY);
    for (const table of ['leases', 'batches', 'runs', 'ledger', 'sources', 'unanswered'])
      await sql`delete from calsync.${sql.raw(table)}`.execute(this.database.query());
    await this.grounds.reset();
  }

  get config(): SourceConfig {
    return this.#config!;
  }

  /** Applies the current rules to the configuration. */
  async #configure(): Promise<RunContext> {
    const yaml = yamlOf(this.source.rules, this.settings);
    let config = this.#configs.get(yaml);
    if (!config) {
      config = (await configured(yaml)).sources[0]!;
      this.#configs.set(yaml, config);
    }
    this.#config = config;
    return this.worker.context;
  }

  /** What the feed's server answers to a client that has the body with the hash `known`. */
  fetched(known: string | null): FetchResult {
    const finalUrl = 'https://town.example/feed.ics';
    const text = feedText(this.source.items, this.order);
    const bodyHash = createHash('sha256').update(text).digest('hex');
    const validators = { etag: bodyHash, lastModified: null };
    return known === bodyHash
      ? { kind: 'notModified', validators, finalUrl }
      : { kind: 'fetched', bytes: Buffer.from(text), contentType: 'text/calendar', validators, finalUrl };
  }

  /** Runs the source; a held run is approved by the operator. */
  async sync(full: boolean): Promise<Report> {
    this.clock.now += 60_000;
    await this.#configure();
    const report = await sync(this.worker, 'town', full);
    if (!report) throw new Error('busy');
    return report.state === 'held' ? this.approved(report) : report;
  }

  /** How many events a run would create, update and remove. */
  async dry(full: boolean): Promise<readonly number[]> {
    const context = await this.#configure();
    const { plan } = await dryRun(context, context.sources.get('town')!, full);
    const count = (kind: string): number =>
      plan?.actions.filter((action) => action.resource === 'events' && action.kind === kind).length ?? 0;
    return [count('create'), count('update'), count('remove')];
  }

  /** Explains why an event is as it is. */
  async explained(entry: LedgerEntry): Promise<Explanation> {
    const context = await this.#configure();
    return explainEvent(context, context.sources.get('town')!, entry);
  }

  async approved({ run }: Report): Promise<Report> {
    const report = await approve(this.worker, { run, source: 'town' });
    if (!report) throw new Error('busy');
    return report;
  }

  /** A run that is killed after so many effects. */
  async die(effects: number, full: boolean): Promise<void> {
    this.clock.now += 60_000;
    await this.#configure();
    this.worker.dieAfter(effects);
    await unlessKilled(sync(this.worker, 'town', full));
    this.worker.dieAfter(Number.POSITIVE_INFINITY);
  }

  /** The ledger of the source, by slug. */
  async ledger(): Promise<ReadonlyMap<string, LedgerEntry>> {
    return loadLedger(this.database.query(), this.grounds.key, 'town');
  }

  /** Makes a run that a person asks for; undefined if the program refuses with an explanation. */
  async decide(begin: (context: RunContext, setup: SourceSetup) => Promise<StartOutcome>): Promise<Report | undefined> {
    this.clock.now += 60_000;
    const context = await this.#configure();
    const setup = context.sources.get('town')!;
    try {
      const report = await carryOn(
        context,
        setup,
        await begin(context, setup),
        () => undefined,
        async () => undefined,
      );
      return report?.state === 'held' ? await this.approved(report) : report;
    } catch (error) {
      if (error instanceof Error && error.name === 'AppError') return undefined;
      throw error;
    }
  }

  /** Undoes a run, or what it did to one event. */
  undo(run: string, slug?: string): Promise<Report | undefined> {
    return this.decide((context, setup) => startUndo(context, setup, run, slug, BY_TESTER));
  }

  /** The newest run that wrote events. */
  async lastWritten(): Promise<string | undefined> {
    return (
      await sql<{ run: string }>`select run from calsync.runs where source = 'town' and state in ('done', 'failed')
        and exists (select 1 from calsync.batches where batches.run = runs.run and stage in ('events', 'removals'))
        order by started_at desc limit 1`.execute(this.database.query())
    ).rows[0]?.run;
  }

  /** A request by a person: writes the body or, without one, deletes. Returns the id. */
  async write(path: string, body?: Readonly<Record<string, unknown>>): Promise<number> {
    const [answer] = await this.client.write([body ? { method: 'POST', path, body } : { method: 'DELETE', path }]);
    if (answer?.kind !== 'answered' || answer.status >= 300) throw new Error(`by hand: ${JSON.stringify(answer)}`);
    return (answer.body as { id: number }).id;
  }

  /** All events of the site, including the trash. */
  async shown(): Promise<readonly Shown[]> {
    const { rows } =
      await sql<Shown>`select id, slug, status, title, description, excerpt, cost_values, cost_symbol, coalesce(website, '') as website,
      featured, sticky, hide_from_listings, start_wall::text, end_wall::text, start_at, end_at, timezone, all_day,
      array(select concat_ws('|', v.title, v.address, v.zip, v.city, v.country, v.status)
        from unnest(venue_ids) with ordinality as t(i, n)
          join site.venues v on v.id = t.i order by n) as venues,
      array(select o.title from unnest(organizer_ids) with ordinality as t(i, n)
          join site.organizers o on o.id = t.i order by n) as organizers,
      array(select name from site.terms where terms.id = any (category_ids) order by name collate "C") as categories,
      array(select name from site.terms where terms.id = any (tag_ids) order by name collate "C") as tags,
      venue_ids
      from site.events order by id`.execute(this.database.query());
    return rows;
  }

  /** All venues of the site, including the trash. */
  async venues(): Promise<readonly Venue[]> {
    return (
      await sql<Venue>`select id, slug, title, status, address, zip, city, country, website, phone, description
        from site.venues order by id`.execute(this.database.query())
    ).rows;
  }
}

/** Opens a place on a test's database. */
export async function openPlace(database: Database): Promise<Place> {
  const clock = { now: START };
  const config = await configured(
    'builtin: { timezone: Europe/Warsaw }\nsources: { town: { url: "https://town.example/feed.ics" } }\n',
  );
  const grounds = await builtinGrounds(config, database, () => clock.now);
  const client = await grounds.client((transport) => transport, database);
  const place = new Place(database, grounds, client, clock);
  place.worker = await startWorker({
    database,
    grounds,
    now: () => clock.now,
    fetch: async (_name, _address, validators) => place.fetched(validators.etag),
    sources: () => [place.config],
  });
  return place;
}

export async function closePlace({ worker, grounds }: Place): Promise<void> {
  await worker.end();
  await grounds.close();
}
