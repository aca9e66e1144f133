import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { workProgressInWords, durationInWords, type WorkProgress } from '../../../src/cli/progress/pace.ts';
import { progressInWords, tellProgress } from '../../../src/cli/progress/runs.ts';
import type { Progress } from '../../../src/run/state/progress.ts';

const written = (done: number, of: number, stage: 'venues' | 'events' = 'events'): Progress => ({
  kind: 'writing',
  stage,
  events: { done, of },
  others: { done: stage === 'events' ? 87 : 25, of: 87 },
});

describe('a line of progress', () => {
  const writing = (source: string, done: number, of: number) => ({
    source,
    writing: written(done, of) as Extract<Progress, { kind: 'writing' }>,
  });
  test.each([
    [[{ source: 'town' }], undefined, '  town: reading the feed and the site'],
    [
      [{ source: 'town', writing: written(0, 2_000, 'venues') as Extract<Progress, { kind: 'writing' }> }],
      undefined,
      '  town: 25 of 87 categories, tags, venues and organizers, 0 of 2,000 events',
    ],
    [[writing('town', 325, 2_000)], 11.7, '  town: 325 of 2,000 events, 12 a second, 2 min 23 s left'],
    [[writing('town', 325, 2_000)], 4.61, '  town: 325 of 2,000 events, 4.6 a second, 6 min 3 s left'],
    [[writing('town', 2_000, 2_000)], 4.61, '  town: 2,000 of 2,000 events'],
    [
      [{ ...writing('town', 325, 2_000), waitsUntil: 572_000 }],
      undefined,
      '  town: 325 of 2,000 events, waiting for another 9 min 32 s',
    ],
    [
      [writing('town', 10, 20), writing('club', 5, 80), { source: 'school' }],
      1,
      '  town and club: 15 of 100 events, 1.0 a second, 1 min 25 s left; school: reading the feed and the site',
    ],
  ])('%j at %j a second: %s', (runs, perSecond, line) => expect(progressInWords(runs, 0, { perSecond })).toBe(line));

  test('one source shows how much of it is read; several show how many are done', () => {
    const read = '300 of 900 events of the site, 100 a second, 6 s left';
    expect(progressInWords([{ source: 'town' }], 0, { read })).toBe(`  town: reading the feed and the site, ${read}`);
    expect(progressInWords([{ source: 'town' }, { source: 'club' }], 0, { read, sources: '3 of 12 sources' })).toBe(
      '  3 of 12 sources; town and club: reading the feed and the site',
    );
  });

  test.each<[WorkProgress, number | undefined, string]>([
    [{ done: 30, of: 120 }, 1.5, '30 of 120, 1.5 a second, 1 min left'],
    [{ done: 0, of: 1_200 }, undefined, '0 of 1,200'],
    [{ done: 120, of: 120 }, 3, '120 of 120'],
    [{ done: 400, unit: 'rows' }, 50, '400 rows, 50 a second'],
    [{ done: 4_500_000, of: 9e6, unit: 'bytes' }, 1.5e6, '4.5 MB of 9.0 MB, 1.5 MB a second, 3 s left'],
    [{ doing: 'what refers to what' }, undefined, 'what refers to what'],
    [{ done: 2, of: 9, unit: 'tests', doing: 'queue' }, 1, '2 of 9 tests, 1.0 a second, 7 s left: queue'],
  ])('%j at %j a second: %s', (come, perSecond, words) => expect(workProgressInWords(come, perSecond)).toBe(words));

  test.each([
    [400, '1 s'],
    [45_000, '45 s'],
    [600_000, '10 min'],
    [150_400, '2 min 30 s'],
    [3_900_000, '1 h 5 min'],
    [7_200_000, '2 h'],
  ])('%i ms are %s', (ms, words) => expect(durationInWords(ms)).toBe(words));
});

describe('while runs go on', () => {
  let said: string[] = [];
  const io = (isTerminal: boolean) => ({
    out: () => undefined,
    err: (text: string) => {
      said.push(text);
    },
    isTerminal,
    columns: () => 60,
    now: () => 0,
    stopped: new Promise<void>(() => undefined),
  });
  beforeEach(() => {
    said = [];
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('without a terminal, a line comes every 30 seconds, with rate and time left', () => {
    const progress = tellProgress(io(false));
    const tell = progress.begin('town');
    tell(written(0, 1_000));
    for (let second = 1; second <= 75; second += 1) {
      vi.advanceTimersByTime(1_000);
      tell(written(second * 5, 1_000));
    }
    progress.close();
    vi.advanceTimersByTime(60_000);
    expect(said).toEqual([
      '  town: 145 of 1,000 events, 4.8 a second, 2 min 57 s left\n',
      '  town: 295 of 1,000 events, 4.9 a second, 2 min 23 s left\n',
    ]);
  });

  test('with many sources, the line says how many are done, how fast, and how long the others will take', () => {
    const progress = tellProgress(io(false), 12);
    for (const source of ['a', 'b', 'c', 'd']) {
      progress.begin(source);
      if (source === 'd') break;
      vi.advanceTimersByTime(9_000);
      progress.end(source);
    }
    vi.advanceTimersByTime(3_000);
    progress.close();
    expect(said).toEqual(['  3 of 12 sources, 0.1 a second, 1 min 30 s left; d: reading the feed and the site\n']);
  });

  test('the same wait of several batches is reported once, a short one not at all', () => {
    const progress = tellProgress(io(false));
    const tell = progress.begin('town');
    for (const ms of [600_000, 600_000, 599_990, 400]) tell({ kind: 'waiting', ms, because: 'The site is busy.' });
    progress.close();
    expect(said).toEqual(['  town: waiting 10 min: The site is busy.\n']);
  });

  test('on a terminal, one line is overwritten, and never wraps', () => {
    const progress = tellProgress(io(true));
    const tell = progress.begin('town');
    tell(written(5, 1_000));
    vi.advanceTimersByTime(2_000);
    tell(written(50, 1_000));
    vi.advanceTimersByTime(500);
    progress.close();
    const lines = said.join('').split('\r\u001b[K');
    expect(lines).toContain('  town: 50 of 1,000 events, 18 a second, 53 s left');
    expect(lines.filter((line) => line.length >= 60 || line.includes('\n'))).toEqual([]);
    expect(lines.at(-1)).toBe('');
  });
});
