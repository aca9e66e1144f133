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

/** What all pages of a site share. */
export interface Frame {
  readonly settings: SiteSettings;
  readonly look: Look;
  /** The path that precedes all addresses of the site; '' unless `publicUrl` has one. */
  readonly base: string;
  readonly apiRoot: string;
  readonly language: string;
  readonly words: Words;
  /** Links open in a new tab because the page is shown in another site's frame. */
  readonly ownTab?: true;
  /** The colours and letters that mark the site's categories. */
  readonly mark: Mark;
  /** Whether the site also serves its images in smaller widths. */
  readonly hasSizes: boolean;
}

export interface Page extends LookPage {
  readonly status?: number;
  /** How long to wait before trying again. */
  readonly waitMs?: number;
  /**
   * The public content of the page in the interface, as a path below the calendar's namespace (`events/12`); '' for all
   * of it. Pages without one are not announced to programs.
   */
  readonly api?: string;
  /** Whether the page shows pages of ours in frames. */
  readonly frames?: true;
  /** Redirects to this path, from the root of the host, instead of showing anything. */
  readonly location?: string;
}

/** Builds the frame from the settings. `hasSizes` defaults to whether the resizing library is installed. */
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

/** A hash source (`sha256-…`) by which a content security policy allows a text. */
export const sourceHash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The address in the interface of what a page shows. */
export const apiAddress = ({ apiRoot, settings }: Frame, api: string): string =>
  `${apiRoot}${settings.namespace}/${api}`;

/** Lets clients of real sites find the interface from a page; the headers say the same. */
const discovery = (frame: Frame, api: string): Html => html`<link rel="https://api.w.org/" href="${frame.apiRoot}">
<meta name="tec-api-version" content="v1"><meta name="tec-api-origin" content="${frame.settings.publicUrl}">
${safeElement('link', { rel: 'alternate', type: 'application/json', href: apiAddress(frame, api) })}
`;

/** Renders a complete document. */
export const htmlDocument = (frame: Frame, { api, head, ...page }: Page): string =>
  lookDocument(frame.look, {
    ...page,
    head: html`${api !== undefined && discovery(frame, api)}${head}`,
  });
