import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { beginBackup, endBackup, noteBackup } from '../../../src/backup/records.ts';
import { keepMeasures } from '../../../src/operator/metrics/keep-measures.ts';
import { countRun } from '../../../src/operator/metrics/count-run.ts';
import { makeMetrics } from '../../../src/operator/metrics/make-metrics.ts';
import { watchedSources } from '../../../src/cli/terminal/watched-sources.ts';
import { METRICS } from '../../../src/operator/metrics/metric-table.ts';
import { noteWorkerAlive } from '../../../src/run/watch/beat.ts';
import { makeOwnQueue, type OwnQueue } from '../../../src/queue/own-queue.ts';
import { SYNC_QUEUE } from '../../../src/queue/jobs.ts';
import { body, feedServer, status, type FeedServer } from '../../support/feed-server.ts';
import { calendarText, feedEvents } from '../../support/feed-text.ts';
import { needsProgram, output } from '../../support/program.ts';
import { syncingApp, type OpenedApp, type SyncingApp } from '../../support/syncing-app.ts';

// What /metrics says about real runs on a real queue.

let syncing: SyncingApp;
let feeds: FeedServer;
let app: OpenedApp;
let queue: OwnQueue;

beforeEach(async () => {
  [syncing, feeds] = await Promise.all([syncingApp(), feedServer()]);
  app = await syncing.open(
    `fetch: { allow_addresses: [127.0.0.1/32] }\nsources:\n  town: { url: "${feeds.url}/town.ics" }\n  club: { url: "${feeds.url}/club.ics" }\n`,
  );
  queue = makeOwnQueue({ database: syncing.address }, () => ['site'], app.context.log);
});
afterEach(async () => {
  await queue.close();
  await Promise.all([syncing.close(), feeds.close()]);
});

/** A run that is counted as the daemon counts it, with its measurements stored. */
async function sync(source: string): Promise<void> {
  countRun(app.context.measures, await app.sync(source));
  await keepMeasures(app.context.database, app.context.measures, app.context.log)();
}

async function scrape(settings: { readonly perSource?: boolean } = {}): Promise<string> {
  const metrics = makeMetrics({
    context: app.context,
    watched: () => watchedSources(app.config),
    jobs: queue.jobs,
    settings: () => ({ token: undefined, ownHost: '', perSource: settings.perSource ?? false }),
    version: '1.2.3',
  });
  const answer = await metrics(new Request('http://127.0.0.1/metrics'), '127.0.0.1');
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return answer.text();
}

const WRITTEN = { file: '/mnt/town.tar.zst', bytes: 1, rows: 1 };

/** Records the end of a scheduled backup. */
const backedUp = async (problem: string | null): Promise<void> =>
  endBackup(app.context.database, await beginBackup(app.context.database.query(), undefined, 'here:1', Date.now()), {
    ...WRITTEN,
    problem,
  });

const valueOf = (text: string, series: string): number | undefined => {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
};

describe('/metrics', () => {
  test('has the results of runs, their requests to the site, and how long they took', async () => {
    feeds.on('/town.ics', body(calendarText(feedEvents(30))));
    feeds.on('/club.ics', status(503));
    await sync('town');
    await sync('town');
    await sync('club');
    const text = await scrape();
    expect(valueOf(text, 'calsyncd_runs_total{state="done"}')).toBe(1);
    expect(valueOf(text, 'calsyncd_runs_total{state="unchanged"}')).toBe(1);
    expect(valueOf(text, 'calsyncd_runs_total{state="failed"}')).toBe(1);
    expect(valueOf(text, 'calsyncd_event_changes_total{change="created"}')).toBe(30);
    expect(valueOf(text, 'calsyncd_site_writes_total')).toBeGreaterThanOrEqual(30);
    expect(valueOf(text, 'calsyncd_site_requests_total{site="site",status="200"}')).toBeGreaterThan(0);
    expect(valueOf(text, 'calsyncd_step_seconds_count{step="fetch"}')).toBe(3);
    expect(valueOf(text, 'calsyncd_step_seconds_count{step="plan"}')).toBe(3);
    expect(valueOf(text, 'calsyncd_step_seconds_count{step="read"}')).toBe(1);
    expect(valueOf(text, 'calsyncd_step_seconds_bucket{step="write",le="+Inf"}')).toBeGreaterThan(0);
    expect(valueOf(text, 'calsyncd_runs_open{state="held"}')).toBe(0);
    expect(valueOf(text, 'calsyncd_processes')).toBe(1);
    expect(valueOf(text, 'calsyncd_source_events{source="town"}')).toBe(30);
    expect(valueOf(text, 'calsyncd_source_failures{source="club"}')).toBe(1);
    expect(valueOf(text, 'calsyncd_source_state{source="club",state="failing"}')).toBe(1);
    expect(valueOf(text, 'calsyncd_source_state{source="club",state="well"}')).toBe(0);
    expect(valueOf(text, 'calsyncd_sources{state="failing"}')).toBe(1);
    expect(valueOf(text, 'calsyncd_source_last_good_timestamp_seconds{source="town"}')).toBeGreaterThan(1_700_000_000);
    expect(valueOf(text, 'calsyncd_source_last_good_timestamp_seconds{source="club"}')).toBeUndefined();
    expect(valueOf(text, `calsyncd_build_info{node="${process.version}",version="1.2.3"}`)).toBe(1);
  });

  test('has the time of the last good backup, and whether the last one failed', async () => {
    const [good, failing] = ['calsyncd_backup_last_good_timestamp_seconds', 'calsyncd_backup_failing'];
    expect(await scrape()).not.toMatch(/^calsyncd_backup/m);
    await backedUp(null);
    await noteBackup(app.context.database, 'root', Date.UTC(2027, 0, 1), WRITTEN);
    const text = await scrape();
    const scheduled = valueOf(text, `${good}{via="schedule"}`);
    expect(scheduled).toBeGreaterThan(1_700_000_000);
    expect(valueOf(text, `${good}{via="command"}`)).toBe(Date.UTC(2027, 0, 1) / 1000);
    expect(valueOf(text, failing)).toBe(0);
    await backedUp('no space');
    const after = await scrape();
    expect([valueOf(after, `${good}{via="schedule"}`), valueOf(after, failing)]).toEqual([scheduled, 1]);
  });

  test('has the number of waiting jobs', async () => {
    const sync = await (await queue.backend()).queue(SYNC_QUEUE);
    await sync.add('sync', { source: 'town', cause: 'schedule' });
    expect(valueOf(await scrape(), 'calsyncd_queue_jobs{queue="sync",state="waiting"}')).toBe(1);
    expect(valueOf(await scrape(), 'calsyncd_queue_jobs{queue="write-site",state="failed"}')).toBe(0);
  });

  test('passes the checks of Prometheus', async (context) => {
    needsProgram(context, 'promtool', ['--version'], 'apt-get download prometheus, dpkg-deb -x: usr/bin/promtool');
    feeds.on('/town.ics', body(calendarText(feedEvents(3))));
    await sync('town');
    // It prints complaints and fails.
    expect(output('promtool', ['check', 'metrics'], { input: await scrape({ perSource: true }) })).toBe('');
  });
});

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

const dashboard = JSON.parse(readFileSync('config/grafana-dashboard.json', 'utf8')) as Dashboard;
const rules = readFileSync('config/prometheus-rules.yaml', 'utf8');
/** Grafana replaces $__rate_interval with a duration. */
const queries = [
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '5m'))),
  ...[...rules.matchAll(/expr: (.*)$/gm)].map(([, expr]) => expr!),
];
const METRIC = /\b(?:calsyncd|process|nodejs)_\w+/g;
/** Labels that Prometheus adds. */
const ADDED_LABELS = ['instance', 'job'];

describe('the dashboard and alert rules that come with the program', () => {
  test('use only existing metrics and labels, and every metric', async () => {
    feeds.on('/town.ics', body(calendarText(feedEvents(30))));
    feeds.on('/club.ics', status(503));
    await sync('town');
    await sync('club');
    await noteWorkerAlive(app.context.database.query());
    await backedUp('no space');
    await noteBackup(app.context.database, 'root', syncing.clock.now, WRITTEN);
    const text = await scrape();
    const labelsOf = (metric: string): readonly string[] | undefined => {
      const lines = text.split('\n').filter((line) => line.startsWith(`${metric} `) || line.startsWith(`${metric}{`));
      if (lines.length === 0) return undefined;
      return [...new Set(lines.flatMap((line) => [...line.matchAll(/(\w+)="/g)].map(([, name]) => name!)))];
    };
    const wrong = queries.flatMap((query) => {
      const metrics = query.match(METRIC) ?? [];
      const known = [...ADDED_LABELS, ...metrics.flatMap((metric) => labelsOf(metric) ?? [])];
      const named = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names]) => names!.split(', '));
      const chosen = [...query.matchAll(/[{,]\s*(\w+)\s*(?:=|!=|=~|!~)"/g)].map(([, name]) => name!);
      return [
        ...(metrics.length === 0 ? [`${query}: no metric`] : []),
        ...metrics.filter((metric) => labelsOf(metric) === undefined).map((metric) => `${query}: no ${metric}`),
        ...[...named, ...chosen].filter((name) => !known.includes(name)).map((name) => `${query}: no label ${name}`),
      ];
    });
    expect(wrong).toEqual([]);
    expect(queries.length).toBeGreaterThan(25);
    // Every metric is shown somewhere.
    const shown = new Set(queries.flatMap((query) => query.match(METRIC) ?? []));
    expect(
      Object.keys(METRICS).filter(
        (name) => ![...shown].some((metric) => metric === name || metric.startsWith(`${name}_`)),
      ),
    ).toEqual([]);
  });

  test('are valid for Prometheus', async (context) => {
    needsProgram(context, 'promtool', ['--version'], 'apt-get download prometheus, dpkg-deb -x: usr/bin/promtool');
    const recorded = queries.map((expr, index) => `  - record: query:${index}\n    expr: ${JSON.stringify(expr)}`);
    const file = path.join(syncing.directory, 'queries.yaml');
    await writeFile(file, `groups:\n- name: queries\n  rules:\n${recorded.join('\n')}\n`);
    for (const each of [file, 'config/prometheus-rules.yaml'])
      expect(output('promtool', ['check', 'rules', each])).toContain('SUCCESS');
  });
});
