import type { Config, SourceConfig } from '../../config/config.ts';
import { everyTimes } from '../../queue/schedulers.ts';
import type { WatchedSource } from '../../run/watch/facts.ts';
import { keyOfSite } from './site-key.ts';
import { noSource } from './source-named.ts';

type CronTimes = typeof import('../../queue/cron-times.ts').cronTimes;

/** The configured sources with their schedules: the named ones, or all. Throws WrongUse with the known names. */
export async function watchedSources(
  { sources, sites }: Pick<Config, 'sources' | 'sites'>,
  names: readonly string[] = [],
): Promise<readonly WatchedSource[]> {
  const known = new Set(sources.map(({ name }) => name));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) throw noSource(unknown, [...known]);
  const wanted = names.length === 0 ? sources : sources.filter(({ name }) => names.includes(name));
  // The queue's library takes a while to load, and only cron schedules need it.
  const hasCron = wanted.some(({ schedule }) => 'cron' in schedule);
  const cronTimes = hasCron ? (await import('../../queue/cron-times.ts')).cronTimes : undefined;
  return wanted.map((source) => ({
    site: siteOf(sites, source),
    source: source.name,
    timesAfter: timesOf(source, cronTimes),
    isPausedByFile: source.paused,
  }));
}

function siteOf(sites: Config['sites'], { name, site }: SourceConfig): string {
  const config = sites[site];
  if (!config) throw new TypeError(`the source ${name} names the site ${site}, which is not configured`);
  return keyOfSite(config);
}

function timesOf({ name, schedule }: SourceConfig, cronTimes: CronTimes | undefined): WatchedSource['timesAfter'] {
  if ('everyMs' in schedule) return (after, count) => everyTimes(name, schedule.everyMs, after, count);
  return (after, count) => cronTimes?.(schedule.cron, schedule.timezone, after, count) ?? [];
}
