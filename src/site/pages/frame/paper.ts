import { decodedPart } from '../../../ascii.ts';
import { safeLink } from '../../../html/link.ts';
import { html, type Html } from '../../../html/template.ts';
import { qrPath, qrSvg } from '../../../look/qr.ts';
import type { Words } from '../words/words.ts';
import type { Frame } from './layout.ts';

/** What stands above a sheet on the screen: the way back, and how to print it. */
export const sheetTools = ({ back, howTo }: Words['sheet'], page: string): Html =>
  html`<p class="row tools"><span>${safeLink({ href: page }, `← ${back}`)}</span><span class="dim">${howTo}</span></p>`;

/** The foot of a sheet: a code that leads to the page, the address for those without a camera, and what to do. */
export async function sheetFoot({ settings, words }: Frame, page: string, text: string): Promise<Html> {
  const address = `${settings.publicUrl}${page}`;
  // A code that is too long for cameras is none.
  const code = qrPath(settings.publicUrl, page) === undefined ? undefined : await qrSvg(address);
  const picture = code && html`<div class="code" role="img" aria-label="${words.sheet.code}">${code}</div>`;
  return html`<footer>${picture}<p><strong>${bare(address)}</strong><br>${text}</p></footer>`;
}

const bare = (address: string): string =>
  decodedPart(address, decodeURI)
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '');
