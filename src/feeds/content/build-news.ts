import type { Event } from '../../contract/representation.ts';
import type { Problem } from '../../problem.ts';
import { eventsOfFeed, feedTitle, wantedOf, type BuiltFeed } from './build-feed.ts';
import { addComing, type ComingEvent } from './coming-events.ts';
import { dayOf, FEED_WINDOW, pathOf, type FeedDefinition, type NewsForm } from '../definition/definition.ts';
import type { ExportedSite } from './exported-site.ts';
import { bodyWriter } from './feed-body.ts';
import { variedEvent } from './feed-variants.ts';
import { NEWS_FORMS } from './news-forms.ts';
import { newsItem, type NewsItem } from './news-item.ts';
import { publishedEvents, readableOf } from './published-events.ts';
import { pageWordsIn } from '../words/page-language.ts';

/** As many as feed readers show. The calendar has the rest, as the feed says. */
const ITEMS_MAX = 100;
const AT_ONCE = 50;

/**
 * The coming events of a feed as news: the next hundred, each with an id that never changes. Throws AppError like
 * `buildFeed`.
 */
export async function buildNews(
  site: ExportedSite,
  definition: FeedDefinition & { readonly form: NewsForm },
  now: number,
): Promise<BuiltFeed> {
  const client =
    definition.language === undefined ? site.client : (site.clientIn?.(definition.language) ?? site.client);
  const { title: siteTitle, timezone } = await client.abilities();
  const language = definition.language ?? site.language ?? 'en';
  const words = pageWordsIn(language);
  const voice = { language, locale: words.locale, timezone };
  const varied = variedEvent({ ...definition, cancelled: definition.cancelled === 'hide' ? 'hide' : 'keep' }, language);
  const [problems, items, uids] = [[] as Problem[], [] as NewsItem[], new Set<string>()];
  let coming: readonly ComingEvent[] = [];
  const wanted = await wantedOf(client, definition, site.client);
  const future = { ...wanted, definition: fromToday(wanted.definition) };
  const add = async (events: readonly Event[]): Promise<void> => {
    const readable = await readableOf(events, problems);
    const told = await publishedEvents(site, readable, uids, undefined);
    for (const [index, { event }] of readable.entries())
      items.push(
        ...told
          .slice(index, index + 1)
          .flatMap(varied)
          .map((one) => newsItem(event, one, voice)),
      );
    coming = addComing(coming, told, now, timezone);
  };
  const { events, hasMore } = await firstOf(eventsOfFeed(client, future, now, problems), ITEMS_MAX);
  for (let start = 0; start < events.length; start += AT_ONCE) await add(events.slice(start, start + AT_ONCE));
  const title = feedTitle(siteTitle, wanted, words);
  const about = definition.description ?? siteTitle;
  const news = {
    title,
    description: hasMore ? `${about} – ${words.nextOnly(ITEMS_MAX)}` : about,
    language,
    home: site.home,
    ...(!definition.access?.secret && { address: site.publicUrl + pathOf(definition) }),
    items,
    day: Date.parse(dayOf(now)),
  };
  const body = bodyWriter().end(NEWS_FORMS[definition.form](news), '');
  return { body, title, events: items.length, stillToCome: items.length, coming, problems, isComplete: true };
}

/** Past events are not news. */
const fromToday = (definition: FeedDefinition): FeedDefinition => ({
  ...definition,
  window: { ...(definition.window ?? FEED_WINDOW), past: 0 },
});

async function firstOf<T>(all: AsyncIterable<T>, most: number): Promise<{ events: readonly T[]; hasMore: boolean }> {
  const events: T[] = [];
  for await (const one of all) {
    if (events.length === most) return { events, hasMore: true };
    events.push(one);
  }
  return { events, hasMore: false };
}
