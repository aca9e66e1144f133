import { expect, test } from 'vitest';
import { timelineList, timelineOf, type TimelineItem } from '../../../src/operator/sources/timeline.ts';
import type { Happening, RunInHistory } from '../../../src/run/watch/history.ts';
import type { Act } from '../../../src/run/watch/acts.ts';
import type { Asked } from '../../../src/operator/frame/operator.ts';

let at = 1_000;
const runOf = (run: string, state: RunInHistory['state'], more: Partial<RunInHistory> = {}): Happening => {
  at -= 1;
  const made: RunInHistory = {
    site: 'builtin',
    source: 'cinema',
    run,
    state,
    at,
    since: null,
    times: 1,
    created: 0,
    updated: 0,
    removed: 0,
    cause: 'schedule',
    why: null,
    moved: null,
    ...more,
  };
  return { kind: 'run', at, run: made };
};
const actOf = (kind: Act['kind'], run: string | null): Happening => {
  at -= 1;
  return { kind: 'act', at, act: { kind, run } as Act };
};
const forbidden = { code: 'feed-forbidden', message: 'no' } as const;
const busy = { code: 'feed-busy', message: 'no' } as const;

const told = (items: readonly TimelineItem[]): readonly string[] =>
  items.map((item) => {
    if (item.kind === 'act') return `${item.act.kind} ${item.run?.run ?? '-'}`;
    return item.kind === 'runs' ? item.runs.map(({ run }) => run).join('+') : item.kind;
  });

test('equal runs in a row become one, and a run is shown with the request for it', () => {
  const items = timelineOf([
    runOf('9', 'failed', { why: forbidden }),
    runOf('8', 'failed', { why: forbidden }),
    actOf('pause', null),
    runOf('7', 'failed', { why: forbidden }),
    runOf('6', 'failed', { why: busy }),
    actOf('sync', '5'),
    runOf('5', 'unchanged'),
    runOf('4', 'done', { created: 3 }),
    runOf('3', 'done', { created: 3 }),
    runOf('2', 'unchanged', { times: 20 }),
    runOf('1', 'unchanged'),
  ]);
  expect(told(items)).toEqual(['9+8', 'pause -', '7', '6', 'sync 5', '4', '3', '2+1']);
});

test('a request that names no run is shown with the run that a worker began then', () => {
  const items = timelineOf([
    runOf('9', 'unchanged', { cause: 'command' }),
    runOf('8', 'unchanged'),
    runOf('7', 'unchanged', { cause: 'command' }),
    { kind: 'software', at: 5, software: { at: 5, from: 'A', to: 'B' } },
    actOf('sync', null),
    runOf('6', 'done', { cause: 'command', created: 1 }),
    actOf('sync', '6'),
    actOf('note', null),
    runOf('5', 'done', { cause: 'command', created: 1 }),
    actOf('sync', null),
    actOf('sync', null),
  ]);
  expect(told(items)).toEqual(['9+8', 'software', 'sync 7', 'sync 6', 'note -', 'sync 5', 'sync -']);
});

test.each([
  ['a'.repeat(120), `“${'a'.repeat(120)}”`],
  ['a'.repeat(121), `“${'a'.repeat(119)}…”`],
])('a note that is cut ends in an ellipsis: %s', (text, shown) => {
  const by = { name: 'clerk', from: 'console', address: null };
  const note = { kind: 'note', run: null, at: new Date(1_000), by, reason: null, event: null, details: { text } };
  const { markup } = timelineList(
    [{ kind: 'act', act: note as unknown as Act }],
    { base: '', now: 2_000 } as Asked,
    'UTC',
  );
  expect(markup).toContain(shown);
});

test.each([
  ['unlock', 'unchanged', {}, 'Nothing had to be written.'],
  ['sync', 'unchanged', {}, 'Read: nothing new.'],
  [
    'restore',
    'failed',
    {
      why: {
        code: 'not-kept',
        message: 'The feed has not been read yet: "npm run -s calsyncd -- sync cinema" does that.',
      },
    },
    '<a href="/operator/sources/cinema/">“Check now”</a>',
  ],
] as const)('a request is shown with its outcome: %s, %s', (kind, state, more, said) => {
  const by = { name: 'clerk', from: 'console', address: null };
  const act = { kind, run: '1', at: new Date(1_000), by, reason: null, event: null, details: {} } as unknown as Act;
  const items = timelineOf([{ kind: 'act', at: 1_000, act }, runOf('1', state, more)]);
  expect(timelineList(items, { base: '', now: 2_000, params: {} } as Asked, 'UTC').markup).toContain(said);
});

test.each([
  ['approve', 'A plan waited for a decision.'],
  ['stop', ''],
] as const)('the result of a run stands with the last act about it: %s', (kind, waited) => {
  const by = { name: 'clerk', from: 'console', address: null };
  const act = (each: Act['kind']): Happening => ({
    kind: 'act',
    at: 1_000,
    act: { kind: each, run: '1', at: new Date(1_000), by, reason: null, event: null, details: {} } as unknown as Act,
  });
  const items = timelineOf([act(kind), act('sync'), runOf('1', 'done', { removed: 8 })]);
  const { markup } = timelineList(items, { base: '', now: 2_000, params: {} } as Asked, 'UTC');
  expect(markup.match(/removed/g)).toHaveLength(1);
  expect(markup.indexOf('removed')).toBeLessThan(markup.indexOf('asked for a run'));
  expect(markup).toContain(`asked for a run. ${waited}`.trim());
  expect(markup.includes('A plan waited')).toBe(waited !== '');
});

test.each(['held', 'rejected', 'superseded'] as const)(
  'a plan that is %s does not show its changes as made',
  (state) => {
    const items = timelineOf([runOf('1', state, { removed: 3 })]);
    expect(timelineList(items, { base: '', now: 2_000, params: {} } as Asked, 'UTC').markup).not.toContain('removed');
  },
);

test('a day is the heading of only the first of its rows', () => {
  const DAY_MS = 86_400_000;
  const by = { name: 'clerk', from: 'console', address: null };
  const at = (day: number, minute: number): Date => new Date(day * DAY_MS + minute * 60_000);
  const acts = [at(3, 9), at(3, 8), at(2, 7), at(2, 6)].map((time) => ({
    kind: 'act' as const,
    act: { kind: 'pause', run: null, at: time, by, reason: null, event: null, details: {} } as unknown as Act,
  }));
  const { markup } = timelineList(acts, { base: '', now: 3 * DAY_MS + 3_600_000 } as Asked, 'UTC');
  expect(markup.match(/<li>|<h3>[^<]*/g)).toEqual(['<li>', '<h3>today', '<li>', '<li>', '<h3>yesterday', '<li>']);
});
