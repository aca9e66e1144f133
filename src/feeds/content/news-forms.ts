import { html, joinHtml, type Html } from '../../html/template.ts';
import { xmlElement } from '../../html/xml.ts';
import { isoFromInstant } from '../../time.ts';
import type { NewsForm } from '../definition/definition.ts';
import type { NewsItem } from './news-item.ts';

/** The coming events of a feed, for feed readers and other programs. */
export interface News {
  readonly title: string;
  readonly description: string;
  readonly language: string;
  /** The calendar's page for people. */
  readonly home: string;
  /** The address it is fetched from; left out if that is secret. */
  readonly address?: string;
  readonly items: readonly NewsItem[];
  /**
   * The day on which it was made (epoch milliseconds), which replaces the time of the last change while it is empty.
   */
  readonly day: number;
}

/** Writers of news: RSS 2.0, Atom (RFC 4287) and JSON Feed 1.1. */
export const NEWS_FORMS: Readonly<Record<NewsForm, (news: News) => string>> = { rss, atom, json };

const HEAD = html`<?xml version="1.0" encoding="UTF-8"?>
`;
/** Times and places of events, for programs that know them (RSS 1.0, module Event). */
const EVENT_MODULE = 'http://purl.org/rss/1.0/modules/event/';
const PROGRAM = 'calsyncd';

function rss({ title, description, language, home, address, items }: News): string {
  const self =
    address !== undefined && xmlElement('atom:link', { href: address, rel: 'self', type: 'application/rss+xml' });
  const channel = [
    xmlElement('title', {}, title),
    xmlElement('link', {}, home),
    xmlElement('description', {}, description),
    xmlElement('language', {}, language.replace('_', '-').toLowerCase()),
    xmlElement('generator', {}, PROGRAM),
    self,
    ...items.map(rssItem),
  ];
  const spaces = { version: '2.0', 'xmlns:atom': 'http://www.w3.org/2005/Atom', 'xmlns:ev': EVENT_MODULE };
  const media = { 'xmlns:media': 'http://search.yahoo.com/mrss/' };
  return document(xmlElement('rss', { ...spaces, ...media }, xmlElement('channel', {}, '\n', lines(channel))));
}

const rssItem = ({ id, url, title, content, categories, image, published, ...times }: NewsItem): Html =>
  xmlElement(
    'item',
    {},
    lines([
      xmlElement('title', {}, title),
      url !== undefined && xmlElement('link', {}, url),
      xmlElement('guid', { isPermaLink: 'false' }, id),
      xmlElement('pubDate', {}, new Date(published).toUTCString()),
      ...categories.map((category) => xmlElement('category', {}, category)),
      image && xmlElement('media:content', { url: image.url, medium: 'image', type: image.mediaType }),
      ...eventModule(times),
      xmlElement('description', {}, content),
    ]),
  );

const eventModule = ({
  starts,
  ends,
  place,
}: Pick<NewsItem, 'starts' | 'ends' | 'place'>): readonly (Html | false)[] => [
  xmlElement('ev:startdate', {}, starts),
  ends !== undefined && xmlElement('ev:enddate', {}, ends),
  place !== undefined && xmlElement('ev:location', {}, place),
];

function atom({ title, description, language, home, address, items, day }: News): string {
  const attributes = {
    xmlns: 'http://www.w3.org/2005/Atom',
    'xmlns:ev': EVENT_MODULE,
    'xml:lang': language.replace('_', '-'),
    'xml:base': home,
  };
  const feed = [
    xmlElement('title', {}, title),
    xmlElement('subtitle', {}, description),
    // The id of a feed must not change when it moves; a feed with a secret address uses the calendar's.
    xmlElement('id', {}, address ?? home),
    xmlElement('updated', {}, isoFromInstant(Math.max(0, ...items.map(({ updated }) => updated)) || day)),
    xmlElement('author', {}, xmlElement('name', {}, title)),
    xmlElement('link', { rel: 'alternate', type: 'text/html', href: home }),
    address !== undefined && xmlElement('link', { rel: 'self', type: 'application/atom+xml', href: address }),
    xmlElement('generator', {}, PROGRAM),
    ...items.map(atomEntry),
  ];
  return document(xmlElement('feed', attributes, '\n', lines(feed)));
}

const atomEntry = ({
  id,
  url,
  website,
  title,
  content,
  categories,
  image,
  published,
  updated,
  ...times
}: NewsItem): Html =>
  xmlElement(
    'entry',
    {},
    lines([
      xmlElement('title', {}, title),
      xmlElement('id', {}, id),
      xmlElement('published', {}, isoFromInstant(published)),
      xmlElement('updated', {}, isoFromInstant(updated)),
      url !== undefined && xmlElement('link', { rel: 'alternate', type: 'text/html', href: url }),
      website !== undefined && xmlElement('link', { rel: 'related', href: website }),
      image && xmlElement('link', { rel: 'enclosure', href: image.url, type: image.mediaType }),
      ...categories.map((category) => xmlElement('category', { term: category })),
      ...eventModule(times),
      xmlElement('content', { type: 'html' }, content),
    ]),
  );

const document = (root: Html): string =>
  html`${HEAD}${root}
`.markup;

const lines = (parts: readonly (Html | false | undefined)[]): Html => html`${joinHtml(parts, '\n')}
`;

function json({ title, description, language, home, address, items }: News): string {
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    description,
    language: language.replace('_', '-'),
    home_page_url: home,
    ...(address !== undefined && { feed_url: address }),
    items: items.map(jsonItem),
  };
  return `${JSON.stringify(feed, null, 1)}\n`;
}

/** `_event` is our own extension; JSON Feed allows names that begin with an underscore. */
const jsonItem = ({ id, url, website, title, content, categories, image, published, updated, ...event }: NewsItem) => ({
  id,
  ...(url !== undefined && { url }),
  ...(website !== undefined && { external_url: website }),
  title,
  content_html: content,
  ...(image && { image: image.url }),
  date_published: isoFromInstant(published),
  date_modified: isoFromInstant(updated),
  tags: categories,
  _event: event,
});
