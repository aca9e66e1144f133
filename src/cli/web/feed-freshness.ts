import type { Freshness } from '../../feeds/pages/badge.ts';
import { loadFacts } from '../../run/watch/facts.ts';
import { isWorkerSilent, sourceState, type SourceFacts, type StateWord } from '../../run/watch/source-state.ts';
import type { App } from '../open/open-context.ts';
import { watchedSources } from '../terminal/watched-sources.ts';

/** How long an answer is cached, because anyone can ask. */
const KEPT_MS = 15_000;

/** The states in which the site shows what the feed has. */
const FRESH: readonly StateWord[] = ['well', 'stale'];

/** How up to date each site is, by its name. */
export function feedFreshness({ context, inForce }: App): (site: string) => Promise<Freshness> {
  const kept = new Map<string, { readonly at: number; readonly freshness: Promise<Freshness> }>();
  const load = async (site: string): Promise<Freshness> => {
    const config = inForce.config();
    const own = config.sources.filter((source) => source.site === site);
    const now = context.now();
    const watched = await watchedSources({ ...config, sources: own });
    return freshnessOf(await loadFacts(context.database.query(), watched, now), now);
  };
  return (site) => {
    const known = kept.get(site);
    if (known && context.now() - known.at < KEPT_MS) return known.freshness;
    const freshness = load(site);
    kept.set(site, { at: context.now(), freshness });
    freshness.catch(() => kept.delete(site));
    return freshness;
  };
}

/** How up to date a site is, given all its sources. */
export function freshnessOf(all: readonly SourceFacts[], now: number): Freshness {
  const [first] = all;
  if (!first) return { kind: 'none' };
  if (isWorkerSilent(first.workerAt, now)) return { kind: 'silent', since: first.workerAt };
  const watched = all
    .map((facts) => ({ facts, word: sourceState(facts, now).word }))
    .filter(({ word }) => word !== 'paused');
  if (watched.length === 0) return { kind: 'paused' };
  const times = watched.flatMap(({ facts, word }) => (FRESH.includes(word) ? [facts.goodAt ?? now] : []));
  return times.length === watched.length
    ? { kind: 'checked', at: Math.min(...times) }
    : { kind: 'some', fresh: times.length, all: watched.length };
}
