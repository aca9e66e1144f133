import { html } from '../html/template.ts';

/**
 * In the head of a page that ends with END: browsers that know it (HTML, "expect" links) show nothing before that is
 * there. Of a page that comes in pieces, a row of choices would otherwise move when the rest of it comes.
 */
export const IN_ONE_PIECE = html`<link rel="expect" href="#end" blocking="render">`;
export const END = html`<i id="end" hidden></i>`;
