import { createHash } from 'node:crypto';
import { escapeHtml, textFromHtml } from '../../html.ts';
import type { SiteSettings } from '../context.ts';
import { STYLE } from './style.ts';
import { wordsIn, type Words } from './words.ts';

/** What all pages of a site have in common. */
export interface Frame {
  readonly settings: SiteSettings;
  /** The path before every address of the site: '' unless `publicUrl` has one. */
  readonly base: string;
  readonly apiRoot: string;
  readonly language: string;
  readonly words: Words;
}

export interface Page {
  readonly status?: number;
  /** HTML; '' on the first page, whose title is the site's. */
  readonly title: string;
  /** HTML that is safe already. */
  readonly main: string;
  readonly head?: string;
  readonly view?: 'list' | 'month';
  /** Lines of text, which get too long on a wide screen. */
  readonly isText?: boolean;
}

export function frameOf(settings: SiteSettings): Frame {
  const language = settings.languages[0] ?? 'en';
  return { settings, base: new URL(settings.publicUrl).pathname.replace(/\/$/, ''), apiRoot: `${settings.publicUrl}/api/`, language, words: wordsIn(language) };
}

/** `sha256-…`, as a content security policy names a text that may be used. */
export const sourceHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const STYLE_SOURCE = sourceHash(STYLE);

/** Nothing on a page may load or run that is not its own style, a picture or JSON-LD. Forms go to the site, and to `formsTo`. */
export const pagePolicy = (formsTo: readonly string[] = [], framedBy = "'self'"): string =>
  `default-src 'none'; style-src ${STYLE_SOURCE}; img-src http: https:; base-uri 'none'; form-action ${["'self'", ...formsTo].join(' ')}; frame-ancestors ${framedBy}`;

/** A whole document. */
export function documentOf({ settings, base, language, words }: Frame, { title, main, head = '', view, isText }: Page): string {
  const site = escapeHtml(settings.title);
  const tab = title === '' ? site : `${escapeHtml(textFromHtml(title))} – ${site}`;
  const link = (name: Page['view'], path: string, text: string): string => `<li><a href="${base}${path}"${view === name ? ' aria-current="page"' : ''}>${text}</a></li>`;
  return `<!doctype html>
<html lang="${escapeHtml(language.replace('_', '-'))}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${tab}</title>
<link rel="icon" href="${base}/assets/icon.svg" type="image/svg+xml">
${head}
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#main">${words.skip}</a>
<header><div class="bar"><a href="${base}/">${site}</a>
<nav aria-label="${words.views}"><ul>${link('list', '/', words.list)}${link('month', '/month/', words.month)}</ul></nav></div></header>
<main id="main"${isText ? ' class="narrow"' : ''}>
${main}
</main>
<footer><a href="${base}/feeds/">${words.subscribe}</a></footer>
</body>
</html>
`;
}
