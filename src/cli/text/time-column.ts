import type { ZoneOfSite } from '../../run/state/site-zones.ts';
import { wallFromInstant } from '../../time.ts';
import { timeIn } from '../../time-in-words.ts';
import type { Line, Screen } from './table.ts';

/** A table column with times. */
export interface TimeColumn {
  readonly heading: string;
  readonly cell: (site: string, time: Date) => string;
}

/**
 * Times in the zones of their sites. On a terminal, the heading names the zone if all have the same; otherwise each
 * time does.
 */
export function timeColumn(
  heading: string,
  sites: readonly string[],
  zoneOf: ZoneOfSite,
  { columns }: Pick<Screen, 'columns'>,
): TimeColumn {
  const [zone = 'UTC', ...others] = new Set(sites.map(zoneOf));
  if (columns === undefined || others.length > 0) return { heading, cell: (site, time) => timeIn(zoneOf(site))(time) };
  return { heading: `${heading} (${zone})`, cell: (_site, time) => wallFromInstant(time.getTime(), zone).slice(0, 16) };
}

/** The last line of output with times in sentences: the zone that applies, or that of each site. */
export function zonesNote(sites: readonly string[], zoneOf: ZoneOfSite): Line {
  const [zone = 'UTC', ...others] = new Set(sites.map(zoneOf));
  const text =
    others.length === 0
      ? `Times are in ${zone}.`
      : `Times are those of each site: ${[...new Set(sites)].map((site) => `${site} ${zoneOf(site)}`).join(', ')}.`;
  return { text, style: 'dim' };
}
