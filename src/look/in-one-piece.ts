import { html } from '../html/template.ts';

/**
 * For the head of a page that ends with END. Browsers that support it (HTML, "expect" links) render nothing before that
 * has arrived. Otherwise a row of choices would move while the rest of a page arrives.
 */
export const IN_ONE_PIECE = html`<link rel="expect" href="#end" blocking="render">`;
export const END = html`<i id="end" hidden></i>`;
