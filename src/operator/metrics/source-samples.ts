import type { RunContext } from '../../run/state/context.ts';
import { loadFacts, type WatchedSource } from '../../run/watch/facts.ts';
import { sourceState, STATE_WORDS, type SourceFacts, type StateWord } from '../../run/watch/source-state.ts';
import type { Sample } from './exposition.ts';

/** With more sources than this, they have no values of their own unless the configuration asks for it. */
const OWN_MAX = 1_000;
/** With many sources, samples are computed at most this often. */
const MANY_MS = 60_000;

/** Returns the current samples about the sources. */
export function sourceSamples(
  { database, now }: Pick<RunContext, 'database' | 'now'>,
  watched: () => Promise<readonly WatchedSource[]>,
  isPerSource: () => boolean,
): () => Promise<readonly Sample[]> {
  let kept: { readonly at: number; readonly samples: readonly Sample[] } | undefined;
  return async () => {
    if (kept && now() - kept.at < MANY_MS) return kept.samples;
    const sources = await watched();
    const at = now();
    const facts = await loadFacts(database.query(), sources, at);
    const isMany = sources.length > OWN_MAX;
    const samples = samplesOf(facts, at, !isMany || isPerSource());
    kept = isMany ? { at, samples } : undefined;
    return samples;
  };
}

/** How many sources are in each state and, with `isPerSource`, the values of each. */
export function samplesOf(all: readonly SourceFacts[], now: number, isPerSource: boolean): readonly Sample[] {
  const words = all.map((facts) => sourceState(facts, now).word);
  const counts = STATE_WORDS.map((state): Sample => ({
    metric: 'calsyncd_sources',
    labels: { state },
    value: words.filter((word) => word === state).length,
  }));
  const own = isPerSource ? all.flatMap((facts, index) => samplesOfOne(facts, words[index])) : [];
  return [...counts, ...own];
}

function samplesOfOne(facts: SourceFacts, word: StateWord | undefined): readonly Sample[] {
  const labels = { source: facts.source };
  const at = (metric: Sample['metric'], ms: number | null): readonly Sample[] =>
    ms === null ? [] : [{ metric, labels, value: ms / 1000 }];
  return [
    ...STATE_WORDS.map((state): Sample => ({
      metric: 'calsyncd_source_state',
      labels: { ...labels, state },
      value: state === word ? 1 : 0,
    })),
    ...at('calsyncd_source_last_good_timestamp_seconds', facts.goodAt),
    ...at('calsyncd_source_last_change_timestamp_seconds', facts.changedAt),
    { metric: 'calsyncd_source_events', labels, value: facts.kept },
    { metric: 'calsyncd_source_conflicts', labels, value: facts.conflicts },
    { metric: 'calsyncd_source_failures', labels, value: facts.failures?.count ?? 0 },
  ];
}
