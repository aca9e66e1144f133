import { wallFromInstant } from '../../../src/time.ts';
import type { Store } from './store.ts';

/** What routes know about their site. */
export interface Site {
  store: Store;
  readonly now: () => number;
  readonly timezone: string;
  /** `https://site.example`, as in addresses. */
  readonly home: string;
  readonly root: string;
  readonly namespace: string;
  /** Before 6.17.2, an unknown event is a 400, and editors can read the trash. */
  readonly isOld: boolean;
  readonly perPageCap: number;
  readonly givesOwnSlugs: boolean;
  /** Addresses of pictures that can be fetched. */
  readonly images: Set<string>;
}

export const siteWall = (site: Site, instant: number): string => wallFromInstant(instant, site.timezone);

export const utcWall = (instant: number): string => wallFromInstant(instant, 'UTC');

/** The dates of a post as the site shows them. */
export const postDates = (
  site: Site,
  { date, modified }: { date: number | null; modified: number },
): Record<string, string> => ({
  date: siteWall(site, date ?? modified),
  date_utc: date === null ? '0000-00-00 00:00:00' : utcWall(date),
  modified: siteWall(site, modified),
  modified_utc: utcWall(modified),
});

export const globalId = (site: Site, id: number): { global_id: string; global_id_lineage: string[] } => {
  const own = `${new URL(site.home).hostname}?id=${id}`;
  return { global_id: own, global_id_lineage: [own] };
};
