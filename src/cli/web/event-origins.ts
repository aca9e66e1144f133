import type { Config } from '../../config/config.ts';
import type { Queryable } from '../../db/database.ts';
import { originOfEvent } from '../../run/watch/event-origin.ts';
import type { Beyond } from '../../site/pages/frame/beyond.ts';
import { keyOfSite } from '../terminal/site-key.ts';

/** Returns a function that finds the source of an event of the built-in site, with its current configuration. */
export function eventOrigins(db: Queryable, config: () => Pick<Config, 'sources'>): Beyond['originOf'] {
  const site = keyOfSite({ url: 'builtin', namespace: '' });
  return async (slug) => {
    const origin = await originOfEvent(db, site, slug);
    if (!origin) return undefined;
    const url = config().sources.find(({ name }) => name === origin.source)?.url;
    return {
      name: nameInWords(origin.source),
      host: url && publicHost(url),
      readAt: origin.readAt ?? undefined,
      usualStart: wallOf(origin.recurrenceId),
    };
  };
}

/** `city-library` → `city library` */
export const nameInWords = (name: string): string => name.replace(/[-_]+/g, ' ').trim();

/** `20270110T180000` → `2027-01-10 18:00:00`, `20270110` → `2027-01-10` */
function wallOf(recurrenceId: string | null): string | undefined {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z?)?$/.exec(recurrenceId ?? '') ?? [];
  if (year === undefined) return undefined;
  return hour === undefined ? `${year}-${month}-${day}` : `${year}-${month}-${day} ${hour}:${minute}:${second}`;
}

/** The host of a web address; undefined for files, numeric addresses, and names known only to the local network. */
export function publicHost(url: string): string | undefined {
  if (!/^(?:https?|webcals?):/i.test(url) || !URL.canParse(url)) return undefined;
  const { hostname } = new URL(url.replace(/^webcal/i, 'http'));
  const isPrivate =
    !/\.[a-z][a-z0-9-]*$/i.test(hostname) || /\.(?:local|localhost|lan|internal|home\.arpa)$/i.test(hostname);
  return isPrivate ? undefined : hostname.replace(/^www\./, '');
}
