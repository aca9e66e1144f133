import { entityTag, namesTag } from '../../etag.ts';
import { html, type Html } from '../../html/template.ts';
import { OPEN } from '../serve/plain-answer.ts';
import type { PageWords } from '../words/page-words.ts';

/**
 * How up to date a calendar is: all its sources were checked, the one longest ago at `at`; only some are up to date;
 * nothing has been checked since a time; all are paused; or there are no sources. Times are in epoch milliseconds.
 */
export type Freshness =
  | { readonly kind: 'checked'; readonly at: number }
  | { readonly kind: 'some'; readonly fresh: number; readonly all: number }
  | { readonly kind: 'silent'; readonly since: number | null }
  | { readonly kind: 'paused' }
  | { readonly kind: 'none' };

const COLORS: Readonly<Record<Freshness['kind'], string>> = {
  checked: '#1a7f37',
  some: '#8a5300',
  silent: '#57606a',
  paused: '#57606a',
  none: '#57606a',
};

/** Many pages may show it, and every visitor requests it, so it is cached for a minute. */
const FRESH_S = 60;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** "12 min. ago". */
function agoInWords({ locale }: PageWords, ms: number): string {
  const format = new Intl.RelativeTimeFormat(locale, { style: 'short' });
  if (ms < HOUR_MS) return format.format(-Math.max(1, Math.round(ms / MINUTE_MS)), 'minute');
  return ms < 2 * DAY_MS
    ? format.format(-Math.round(ms / HOUR_MS), 'hour')
    : format.format(-Math.round(ms / DAY_MS), 'day');
}

function freshnessInWords(words: PageWords, freshness: Freshness, now: number): string {
  const { badge } = words;
  switch (freshness.kind) {
    case 'checked':
      return badge.checked(agoInWords(words, now - freshness.at));
    case 'some':
      return badge.some(freshness.fresh, freshness.all);
    case 'silent':
      return freshness.since === null ? badge.never : badge.silent(agoInWords(words, now - freshness.since));
    case 'paused':
      return badge.paused;
    case 'none':
      return badge.none;
  }
}

/** The badge as an answer that caches may store for a minute. */
export function badgeAnswer(words: PageWords, freshness: Freshness, now: number, request: Request): Response {
  const picture = badgePicture(words.badge.label, freshnessInWords(words, freshness, now), COLORS[freshness.kind]);
  const headers = {
    ...OPEN,
    'Content-Type': 'image/svg+xml; charset=utf-8',
    'Cache-Control': `public, max-age=${FRESH_S}`,
    'Content-Security-Policy': "default-src 'none'",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'X-Content-Type-Options': 'nosniff',
    ETag: entityTag(picture.markup),
  };
  return namesTag(request.headers.get('if-none-match'), [headers.ETag])
    ? new Response(null, { status: 304, headers })
    : new Response(picture.markup, { headers });
}

const HEIGHT = 20;
const PADDING = 6;
/** The approximate width of a letter in common fonts at this size; `textLength` makes the text fit. */
const LETTER = 6.3;

function badgePicture(label: string, text: string, color: string): Html {
  const [left, right] = [widthOf(label), widthOf(text)];
  const part = (x: number, width: number, words: string): Html =>
    html`<text x="${x + PADDING}" y="14" textLength="${width - 2 * PADDING}" lengthAdjust="spacingAndGlyphs">${words}</text>`;
  const size = html`width="${left + right}" height="${HEIGHT}"`;
  // The right half, with round corners on the right only.
  const half = html`M${left} 0h${right - 3}a3 3 0 0 1 3 3v${HEIGHT - 6}a3 3 0 0 1 -3 3h-${right - 3}z`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="${label}: ${text}">
<title>${label}: ${text}</title>
<rect ${size} rx="3" fill="#24292f"/>
<path d="${half}" fill="${color}"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
${part(0, left, label)}
${part(left, right, text)}
</g>
</svg>
`;
}

const widthOf = (text: string): number => Math.round([...text].length * LETTER) + 2 * PADDING;
