import { html, type Html } from '../../html/template.ts';
import { lookDocument } from '../../look/document.ts';
import type { Look } from '../../look/look.ts';
import { lookPolicy } from '../../look/policy.ts';
import type { PageWords } from '../words/page-words.ts';

const POLICY = lookPolicy({ framedBy: "'none'" });

/** What all pages of feeds have in common. */
export interface PageFrame {
  readonly words: PageWords;
  /** The public address of calsyncd, without a trailing slash; `base` is its path. */
  readonly publicUrl: string;
  readonly base: string;
  readonly look: Look;
}

export interface FramedPage {
  readonly title: string;
  readonly head?: Html;
  readonly main: Html;
  /** The list of feeds itself, which every other page links back to. */
  readonly isTop?: true;
  readonly status?: number;
  /** Must not be stored by any cache. */
  readonly isPrivate?: boolean;
}

/** A complete page. */
export function framedPage(
  { look, base, words }: PageFrame,
  { title, head, main, isTop, status = 200, isPrivate = false }: FramedPage,
): Response {
  const up = isTop ? undefined : { href: `${base}/feeds/`, shown: words.allFeeds };
  return new Response(lookDocument(look, { title, head, main, up, view: 'subscribe' }), {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': isPrivate ? 'no-store' : 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      'Content-Security-Policy': POLICY,
      ...(isPrivate ? { 'X-Robots-Tag': 'noindex' } : {}),
    },
  });
}

/** A configured colour as a swatch beside a feed. */
export const markOf = (color: string | undefined): Html | undefined =>
  color !== undefined && /^(?:#[0-9a-f]{6}|[a-z]+)$/i.test(color)
    ? html`<svg class="mark" aria-hidden="true"><rect width="100%" height="100%" fill="${color}"/></svg>`
    : undefined;
