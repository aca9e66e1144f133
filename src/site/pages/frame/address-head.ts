import { safeElement } from '../../../html/link.ts';
import { html, type Html } from '../../../html/template.ts';
import type { Frame } from './layout.ts';

/** A page under its own address. */
interface Addressed {
  readonly type: 'website' | 'article';
  /** Plain text. */
  readonly title: string;
  readonly url: string;
}

/** Tells search engines the address of a page, and messengers and social networks what it is called there. */
export const addressHead = ({ settings }: Pick<Frame, 'settings'>, { type, title, url }: Addressed): Html =>
  html`${safeElement('link', { rel: 'canonical', href: url })}
<meta property="og:type" content="${type}"><meta property="og:site_name" content="${settings.title}">
<meta property="og:title" content="${title}">
${safeElement('meta', { property: 'og:url', content: url })}`;
