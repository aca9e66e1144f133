import { setTimeout } from 'node:timers/promises';
import type { SiteClient } from '../../client/site-client.ts';
import { AppError } from '../../error.ts';
import { siteEventOf } from '../../sync/compare/site-values.ts';
import { livingEvents } from '../site/site-lists.ts';

/** A site to search. */
export interface AskedSite {
  readonly key: string;
  readonly name: string;
  readonly client: () => SiteClient;
}

/** An event whose title on the site contains a text, whatever its feed calls it. */
export interface FoundByTitle {
  readonly site: string;
  readonly id: number;
  readonly title: string;
}

/** The events found, and the names of sites that did not answer, or have more events than were looked at. */
export interface TitledOnSites {
  readonly events: readonly FoundByTitle[];
  readonly silent: readonly string[];
  readonly cut: readonly string[];
}

/** The most events per site that are looked at, of those with the words anywhere in their texts. */
export const SEARCHED_MAX = 200;
/** How long a search waits for a site. */
const PATIENCE_MS = 3_000;
/** Without a start date, lists leave out past events. */
const ALL_DAYS = { start_date: '1970-01-02 00:00:00' };

/** The events on sites whose visible titles contain a text. */
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
  readonly events: readonly Omit<FoundByTitle, 'site'>[];
  /** More events have the words in their texts. */
  readonly isCut: boolean;
}

/** Undefined if the site cannot be asked. */
async function titledOn(client: SiteClient, text: string): Promise<TitledOnSite | undefined> {
  const events: Omit<FoundByTitle, 'site'>[] = [];
  let looked = 0;
  try {
    for await (const event of client.list('events', { ...(await livingEvents(client)), ...ALL_DAYS, search: text })) {
      if (looked >= SEARCHED_MAX) return { events, isCut: true };
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
