import { createHash } from 'node:crypto';
import { safeElement } from '../../../html/link.ts';
import { html, type Html } from '../../../html/template.ts';
import { lookDocument, type LookPage } from '../../../look/document.ts';
import { lookOf, type Look } from '../../../look/look.ts';
import { pageLanguage } from '../../../look/words/in-language.ts';
import type { SiteSettings } from '../../context.ts';
import { isResizerInstalled } from '../../store/resize.ts';
import { categoryMarks, type Mark } from '../../../look/category-mark.ts';
import { wordsIn } from '../words/words-in.ts';
import type { Words } from '../words/words.ts';

/** What all pages of a site have in common. */
export interface Frame {
  readonly settings: SiteSettings;
  readonly look: Look;
  /** The path before every address of the site: '' unless `publicUrl` has one. */
  readonly base: string;
  readonly apiRoot: string;
  readonly language: string;
  readonly words: Words;
  /** Its links open in a tab of their own: the page is in somebody's frame. */
  readonly ownTab?: true;
  /** How the categories of the site are told apart. */
  readonly mark: Mark;
  /** Whether the site serves its pictures in smaller widths, too. */
  readonly hasSizes: boolean;
}

export interface Page extends LookPage {
  readonly status?: number;
  /** How long to wait before asking again. */
  readonly waitMs?: number;
  /**
   * What a public page shows, as a path below the calendar's namespace (`events/12`); '' for all of it. Pages without
   * one are not found by programs.
   */
  readonly api?: string;
  /** It shows pages of ours in frames. */
  readonly frames?: true;
  /** Where it is, from the root of the host: then nothing is shown. */
  readonly location?: string;
}

/** What the settings give; `hasSizes` unless the library for it was left out. */
export function frameOf(settings: SiteSettings, hasSizes: boolean = isResizerInstalled()): Frame {
  const language = pageLanguage(settings.languages[0] ?? 'en');
  const look = lookOf({ ...settings, language });
  return {
    settings,
    look,
    base: look.base,
    apiRoot: `${settings.publicUrl}/api/`,
    language,
    words: wordsIn(language),
    mark: categoryMarks([]),
    hasSizes,
  };
}

/** `sha256-…`, as a content security policy names a text that may be used. */
export const sourceHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Where the interface has what a page shows. */
export const apiAddress = ({ apiRoot, settings }: Frame, api: string): string =>
  `${apiRoot}${settings.namespace}/${api}`;

/** By these, clients of real sites find the interface from a page; headers say the same. */
const discovery = (frame: Frame, api: string): Html => html`<link rel="https://api.w.org/" href="${frame.apiRoot}">
<meta name="tec-api-version" content="v1"><meta name="tec-api-origin" content="${frame.settings.publicUrl}">
${safeElement('link', { rel: 'alternate', type: 'application/json', href: apiAddress(frame, api) })}
`;

/** A whole document, as it is sent. */
export const htmlDocument = (frame: Frame, { api, head, ...page }: Page): string =>
  lookDocument(frame.look, {
    ...page,
    head: html`${api !== undefined && discovery(frame, api)}${head}`,
  });
