import { createHash } from 'node:crypto';
import { safeElement } from '../../../html/link.ts';
import { assumeSafeHtml, html, type Html } from '../../../html/template.ts';
import type { SiteSettings } from '../../context.ts';
import { categoryMarks, type Mark } from './category-mark.ts';
import { STYLE } from './style.ts';
import { wordsIn } from '../words/words-in.ts';
import type { Words } from '../words/words.ts';

/** What all pages of a site have in common. */
export interface Frame {
  readonly settings: SiteSettings;
  /** The path before every address of the site: '' unless `publicUrl` has one. */
  readonly base: string;
  readonly apiRoot: string;
  readonly language: string;
  readonly words: Words;
  /** How the categories of the site are told apart. */
  readonly mark: Mark;
}

export interface Page {
  readonly status?: number;
  /** Plain text; '' on the first page, whose title is the site's. */
  readonly title: string;
  readonly main: Html;
  readonly head?: Html | undefined;
  /**
   * What a public page shows, as a path below the calendar's namespace (`events/12`); '' for all of it. Pages without
   * one are not found by programs.
   */
  readonly api?: string;
  readonly view?: 'list' | 'month';
  /** Lines of text, which get too long on a wide screen. */
  readonly isText?: boolean;
}

export function frameOf(settings: SiteSettings): Frame {
  const language = settings.languages[0] ?? 'en';
  return {
    settings,
    base: new URL(settings.publicUrl).pathname.replace(/\/$/, ''),
    apiRoot: `${settings.publicUrl}/api/`,
    language,
    words: wordsIn(language),
    mark: categoryMarks([]),
  };
}

/** `sha256-…`, as a content security policy names a text that may be used. */
export const sourceHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const STYLE_SOURCE = sourceHash(STYLE);

/**
 * Nothing on a page may load or run that is not its own style, a picture or JSON-LD. Forms go to the site, and to
 * `formsTo`.
 */
export const pagePolicy = (formsTo: readonly string[] = [], framedBy = "'self'"): string =>
  `default-src 'none'; style-src ${STYLE_SOURCE}; img-src http: https:; base-uri 'none'; form-action ${["'self'", ...formsTo].join(' ')}; frame-ancestors ${framedBy}`;

/** Where the interface has what a page shows. */
export const apiAddress = ({ apiRoot, settings }: Frame, api: string): string =>
  `${apiRoot}${settings.namespace}/${api}`;

/** By these, clients of real sites find the interface from a page; headers say the same. */
const discovery = (frame: Frame, api: string): Html => html`<link rel="https://api.w.org/" href="${frame.apiRoot}">
<meta name="tec-api-version" content="v1"><meta name="tec-api-origin" content="${frame.settings.publicUrl}">
${safeElement('link', { rel: 'alternate', type: 'application/json', href: apiAddress(frame, api) })}
`;

const STYLE_TEXT = assumeSafeHtml(STYLE);

/** A whole document, as it is sent. */
export function htmlDocument(frame: Frame, { title, main, head, api, view, isText }: Page): string {
  const { settings, base, language, words } = frame;
  const link = (name: Page['view'], path: string, text: string): Html =>
    html`<li><a href="${base}${path}"${view === name && html` aria-current="page"`}>${text}</a></li>`;
  return html`<!doctype html>
<html lang="${language.replace('_', '-')}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title !== '' && `${title} – `}${settings.title}</title>
<link rel="icon" href="${base}/assets/icon.svg" type="image/svg+xml">
${api !== undefined && discovery(frame, api)}${head}
<style>${STYLE_TEXT}</style>
</head>
<body>
<a class="skip" href="#main">${words.skip}</a>
<header><div class="bar"><a href="${base}/">${settings.title}</a>
<nav aria-label="${words.views}"><ul>${link('list', '/', words.list)}${link('month', '/month/', words.month)}</ul></nav></div></header>
<main id="main"${isText && html` class="narrow"`}>
${main}
</main>
<footer><a href="${base}/feeds/">${words.subscribe}</a></footer>
</body>
</html>
`.markup;
}
