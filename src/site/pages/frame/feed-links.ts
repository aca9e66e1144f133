import { safeElement } from '../../../html/link.ts';
import { html, type Html } from '../../../html/template.ts';
import type { Frame } from './layout.ts';

/** The formats of a feed that programs look for, with the extensions of its address. */
const FORMS = [
  ['text/calendar', 'ics'],
  ['application/rss+xml', 'rss'],
  ['application/atom+xml', 'atom'],
  ['application/feed+json', 'json'],
] as const;

/** Links for `<head>` to the same events as a calendar and as news. `feed` is the feed's path without extension. */
export const feedLinks = ({ base, settings }: Frame, feed: string, query = ''): Html =>
  html`${FORMS.map(
    ([type, ending]) =>
      html`${safeElement('link', { rel: 'alternate', type, title: settings.title, href: `${base}${feed}.${ending}${query === '' ? '' : `?${query}`}` })}\n`,
  )}`;
