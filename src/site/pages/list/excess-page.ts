import { html } from '../../../html/template.ts';
import { blank } from '../../../look/document.ts';
import { LIST_MAX, SEARCH_MAX, type Excess } from '../../../selection/selection.ts';
import type { Frame, Page } from '../frame/layout.ts';

/** The page for an address that asks for too much. */
export function excessPage(frame: Frame, excess: Excess): Page {
  const { finding } = frame.words;
  const text = excess === 'search' ? finding.searchTooLong(SEARCH_MAX) : finding.listTooLong(LIST_MAX);
  return {
    status: 400,
    title: finding.tooMuch,
    head: html`<meta name="robots" content="noindex">`,
    main: blank(
      '400',
      finding.tooMuch,
      text,
      html`<a class="btn main" href="${frame.base}/">${frame.words.whatIsOn}</a>`,
    ),
  };
}
