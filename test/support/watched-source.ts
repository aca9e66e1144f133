import type { SourceWithState } from '../../src/alerts/model/episode.ts';
import { sourceState, type SourceFacts } from '../../src/run/watch/source-state.ts';

const HOUR_MS = 3_600_000;

/** The facts about a source at `now`: healthy and read ten minutes ago, except for the given `facts`. */
export function watchedSource(
  source: string,
  now: number,
  facts: Partial<SourceFacts> = {},
  conflicts: SourceWithState['conflicts'] = [],
): SourceWithState {
  const whole: SourceFacts = {
    site: 'builtin',
    source,
    lastRun: { run: `${source}-1`, state: 'done', startedAt: now - HOUR_MS / 6, finishedAt: now - HOUR_MS / 6 },
    isRunning: false,
    goodAt: now - HOUR_MS / 6,
    tookMs: 1000,
    failures: null,
    held: null,
    conflicts: conflicts.length,
    kept: 40,
    coming: 38,
    missing: 0,
    changedAt: now - 24 * HOUR_MS,
    usualGapMs: 24 * HOUR_MS,
    dueAt: null,
    nextAt: now + HOUR_MS,
    pause: null,
    workerAt: now,
    ...facts,
  };
  return { facts: whole, state: sourceState(whole, now), conflicts, note: null };
}

/** Failures as the program records them. The message contains the feed's address, which must not leak. */
export const failuresSince = (since: number, count = 2): SourceFacts['failures'] => ({
  count,
  since,
  run: 'run-of-failure',
  code: 'feed-forbidden',
  message: 'https://kino.example/export.ics may not be read (403).',
});
