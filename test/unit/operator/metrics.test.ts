import { hostname } from 'node:os';
import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createLogger } from '../../../src/log.ts';
import { LIMITS_S, makeMeasures } from '../../../src/measures.ts';
import { exposition, type Sample } from '../../../src/operator/metrics/exposition.ts';
import { handleMetrics } from '../../../src/operator/metrics/handle-metrics.ts';
import type { SourceFacts } from '../../../src/run/watch/source-state.ts';
import { exportTraces } from '../../../src/operator/traces/export-traces.ts';
import { samplesOf } from '../../../src/operator/metrics/source-samples.ts';
import { METRICS } from '../../../src/operator/metrics/metric-table.ts';

describe('counters and timers', () => {
  test('add up until they are taken, and again if they are put back', () => {
    const measures = makeMeasures();
    measures.count('calsyncd_runs_total', { state: 'done' });
    measures.count('calsyncd_runs_total', { state: 'done' }, 2);
    measures.count('calsyncd_runs_total', { state: 'held' });
    const added = measures.take();
    expect(added).toEqual([
      { metric: 'calsyncd_runs_total', labels: { state: 'done' }, value: 3 },
      { metric: 'calsyncd_runs_total', labels: { state: 'held' }, value: 1 },
    ]);
    expect(measures.take()).toEqual([]);
    measures.count('calsyncd_runs_total', { state: 'held' });
    measures.putBack(added);
    expect(measures.take().map(({ value }) => value)).toEqual([2, 3]);
  });

  test('count a duration for each limit that it keeps, also if the work fails', async () => {
    let now = 0;
    const measures = makeMeasures(() => now);
    const work = async (): Promise<never> => {
      now += 300;
      throw new Error('refused');
    };
    await expect(measures.time('calsyncd_step_seconds', { step: 'write' }, work)).rejects.toThrow('refused');
    const added = measures.take();
    const limits = added.flatMap(({ metric, labels }) => (metric.endsWith('_bucket') ? [labels['le']] : []));
    expect(limits).toEqual([...LIMITS_S.filter((limit) => limit >= 0.3).map(String), '+Inf']);
    expect(added.find(({ metric }) => metric.endsWith('_sum'))?.value).toBeCloseTo(0.3);
  });
});

const bucket = (le: string, value: number, step = 'write'): Sample => ({
  metric: 'calsyncd_step_seconds',
  part: 'bucket',
  labels: { step, le },
  value,
});

describe('the text format', () => {
  test('escapes what a label cannot hold, and keeps a histogram in order', () => {
    const samples: readonly Sample[] = [
      { metric: 'calsyncd_source_events', labels: { source: 'a "b"\\c\nd' }, value: 3 },
      bucket('+Inf', 4),
      { metric: 'calsyncd_step_seconds', part: 'count', labels: { step: 'write' }, value: 4 },
      bucket('10', 4),
      bucket('0.5', 1),
      { metric: 'calsyncd_step_seconds', part: 'sum', labels: { step: 'write' }, value: 2.5 },
      bucket('0.5', 9, 'fetch'),
    ];
    expect(
      exposition(samples)
        .split('\n')
        .filter((line) => !line.startsWith('# HELP')),
    ).toEqual([
      '# TYPE calsyncd_source_events gauge',
      String.raw`calsyncd_source_events{source="a \"b\"\\c\nd"} 3`,
      '# TYPE calsyncd_step_seconds histogram',
      'calsyncd_step_seconds_bucket{step="fetch",le="0.5"} 9',
      'calsyncd_step_seconds_bucket{step="write",le="0.5"} 1',
      'calsyncd_step_seconds_bucket{step="write",le="10"} 4',
      'calsyncd_step_seconds_bucket{step="write",le="+Inf"} 4',
      'calsyncd_step_seconds_sum{step="write"} 2.5',
      'calsyncd_step_seconds_count{step="write"} 4',
      '',
    ]);
  });

  test('only the names of counters end in _total', () => {
    expect(
      Object.entries(METRICS).filter(([name, { type }]) => name.endsWith('_total') !== (type === 'counter')),
    ).toEqual([]);
  });
});

const ask = async (
  peer: string,
  token: string | undefined,
  authorization?: string,
  host = 'localhost:8080',
): Promise<Response> => {
  const handle = handleMetrics({
    access: () => ({ token, ownHost: 'calendar.example.org' }),
    process: () => [{ metric: 'process_resident_memory_bytes', value: 1 }],
    stored: [],
    log: createLogger('silent'),
  });
  const headers = authorization === undefined ? {} : { authorization };
  return handle(new Request(`http://${host}/metrics`, { headers }), peer);
};

describe('who may read the metrics', () => {
  test.each<readonly [peer: string, token: string | undefined, authorization: string | undefined, status: number]>([
    ['127.0.0.1', undefined, undefined, 200],
    ['::1', undefined, undefined, 200],
    ['::ffff:127.0.0.1', undefined, undefined, 200],
    ['10.0.0.7', undefined, undefined, 403],
    ['10.0.0.7', undefined, 'Bearer anything', 403],
    ['10.0.0.7', 'right', 'Bearer right', 200],
    ['10.0.0.7', 'right', 'bearer right', 200],
    ['10.0.0.7', 'right', 'Bearer wrong', 401],
    ['10.0.0.7', 'right', 'Basic right', 401],
    // A proxy on this machine may be asking for somebody else.
    ['127.0.0.1', 'right', undefined, 401],
  ])('%s, with the token %s, sends %s: %i', async (peer, token, authorization, status) => {
    const answer = await ask(peer, token, authorization);
    expect(answer.status).toBe(status);
    expect((await answer.text()).includes('process_resident_memory_bytes 1')).toBe(status === 200);
  });
});

test.each([
  ['localhost:8080', 200],
  ['calsyncd.localhost', 200],
  ['127.0.0.1:8080', 200],
  ['[::1]:8080', 200],
  ['calsyncd:8080', 200],
  [hostname(), 200],
  ['calendar.example.org', 200],
  ['rebound.evil.example:8080', 403],
  ['127.0.0.1.evil.example', 403],
])('a page that gives this machine a name of its own reads no metrics: %s, %i', async (host, status) => {
  expect((await ask('127.0.0.1', undefined, undefined, host)).status).toBe(status);
  expect((await ask('127.0.0.1', 'right', 'Bearer right', host)).status).toBe(200);
});

test('without the database, the metrics of the process and the queue remain', async () => {
  const handle = handleMetrics({
    access: () => ({ token: undefined, ownHost: 'calendar.example.org' }),
    process: () => [{ metric: 'process_resident_memory_bytes', value: 7 }],
    stored: [
      () => Promise.reject(new Error('connection refused')),
      async () => [{ metric: 'calsyncd_queue_jobs', labels: { queue: 'sync', state: 'waiting' }, value: 2 }],
    ],
    log: createLogger('silent'),
  });
  const text = await (await handle(new Request('http://x/metrics'), '127.0.0.1')).text();
  expect(text).toContain('\ncalsyncd_database_up 0\n');
  expect(text).toContain('\nprocess_resident_memory_bytes 7\n');
  expect(text).toContain('\ncalsyncd_queue_jobs{queue="sync",state="waiting"} 2\n');
});

const wellOf = (source: string): SourceFacts => ({
  site: 'builtin',
  source,
  lastRun: null,
  isRunning: false,
  goodAt: 1_000,
  tookMs: 0,
  failures: null,
  held: null,
  conflicts: 0,
  kept: 5,
  coming: 2,
  missing: 0,
  changedAt: null,
  usualGapMs: null,
  dueAt: null,
  nextAt: null,
  pause: null,
  workerAt: 1_000,
});

test('sources are counted by state, and listed one by one on request', () => {
  const facts = [
    wellOf('a'),
    wellOf('b'),
    { ...wellOf('c'), held: { run: 'c-1', since: 1, why: 'much', reasons: [] } },
  ];
  const counts = samplesOf(facts, 2_000, false);
  expect(Object.fromEntries(counts.map(({ labels, value }) => [labels?.['state'], value]))).toEqual({
    held: 1,
    failing: 0,
    late: 0,
    stale: 0,
    new: 0,
    paused: 0,
    well: 2,
  });
  const each = samplesOf(facts, 2_000, true).slice(counts.length);
  expect(new Set(each.map(({ labels }) => labels?.['source']))).toEqual(new Set(['a', 'b', 'c']));
  const states = each.filter(({ metric }) => metric === 'calsyncd_source_state');
  expect(states.filter(({ value }) => value === 1).map(({ labels }) => labels)).toEqual([
    { source: 'a', state: 'well' },
    { source: 'b', state: 'well' },
    { source: 'c', state: 'held' },
  ]);
});

describe('traces', () => {
  test('that nobody takes are dropped, and the log says so', async () => {
    const lines: string[] = [];
    const to = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        lines.push(chunk.toString());
        done();
      },
    });
    const nobody = { endpoint: 'http://127.0.0.1:1/', headers: {}, service: 's', version: '1' };
    const traces = exportTraces(nobody, createLogger('warn', to));
    traces.run({ run: 'town-20270115T120000-0a1b2c', source: 'town', endedAt: Date.UTC(2027, 0, 15, 12), facts: {} });
    await traces.close();
    expect(lines.join('')).toContain('"dropped":1');
  });
});
