import { setTimeout } from 'node:timers/promises';
import type { SiteClient } from '../../client/site-client.ts';
import { AppError } from '../../error.ts';
import { siteEventOf } from '../../sync/compare/site-values.ts';
import { livingEvents } from '../site/site-lists.ts';

/** A site that can be asked. */
export interface AskedSite {
  readonly key: string;
  readonly name: string;
  readonly client: () => SiteClient;
}

/** An event whose title on its site has a text, whatever its feed calls it. */
export interface Titled {
  readonly site: string;
  readonly id: number;
  readonly title: string;
}

/** What the sites have answered, and the names of those that did not, or have more than was looked at. */
export interface TitledOnSites {
  readonly events: readonly Titled[];
  readonly silent: readonly string[];
  readonly cut: readonly string[];
}

/** So many events with the words anywhere in their texts are looked at on each site. */
export const LOOKED_MAX = 200;
/** A search does not wait longer for a site. */
const PATIENCE_MS = 3_000;
/** A list without days has no events that are over. */
const ALL_DAYS = { start_date: '1970-01-02 00:00:00' };

/** The events of sites whose titles, as visitors see them, have a text. */
export async function titledOnSites(sites: readonly AskedSite[], text: string): Promise<TitledOnSites> {
  const asked = await Promise.all(
    sites.map(async ({ key, name, client }) => {
      const found = await Promise.race([titledOn(client(), text), setTimeout(PATIENCE_MS, undefined, { ref: false })]);
      return { key, name, found };
    }),
  );
  return {
    events: asked.flatMap(({ key, found }) => found?.events.map((event) => ({ ...event, site: key })) ?? []),
    silent: asked.filter(({ found }) => found === undefined).map(({ name }) => name),
    cut: asked.filter(({ found }) => found?.isCut).map(({ name }) => name),
  };
}

interface TitledOnSite {
  readonly events: readonly Omit<Titled, 'site'>[];
  /** There are more with the words in their texts. */
  readonly isCut: boolean;
}

/** Undefined if the site cannot be asked. */
async function titledOn(client: SiteClient, text: string): Promise<TitledOnSite | undefined> {
  const events: Omit<Titled, 'site'>[] = [];
  let looked = 0;
  try {
    for await (const event of client.list('events', { ...(await livingEvents(client)), ...ALL_DAYS, search: text })) {
      if (looked >= LOOKED_MAX) return { events, isCut: true };
      const title = String(siteEventOf(event).values.title ?? '');
      if (title.toLowerCase().includes(text.toLowerCase())) events.push({ id: event.id, title });
      looked += 1;
    }
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
  return { events, isCut: false };
}
