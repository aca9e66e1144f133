import { safeElement } from '../../../html/link.ts';
import { html, type Html } from '../../../html/template.ts';
import type { Frame } from './layout.ts';

/** The forms of a feed that programs look for, by the endings of its address. */
const FORMS = [
  ['text/calendar', 'ics'],
  ['application/rss+xml', 'rss'],
  ['application/atom+xml', 'atom'],
  ['application/feed+json', 'json'],
] as const;

/**
 * For `<head>`: the same events as a calendar and as news. `feed` is the path of their feed, without an ending.
 */
export const feedLinks = ({ base, settings }: Frame, feed: string, query = ''): Html =>
  html`${FORMS.map(
    ([type, ending]) =>
      html`${safeElement('link', { rel: 'alternate', type, title: settings.title, href: `${base}${feed}.${ending}${query === '' ? '' : `?${query}`}` })}\n`,
  )}`;
