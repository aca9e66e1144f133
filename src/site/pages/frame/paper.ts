import { decodedPart } from '../../../ascii.ts';
import { safeLink } from '../../../html/link.ts';
import { html, type Html } from '../../../html/template.ts';
import { qrPath, qrSvg } from '../../../look/qr.ts';
import type { Words } from '../words/words.ts';
import type { Frame } from './layout.ts';

/** The tools above a printable sheet on the screen: the way back, and how to print it. */
export const sheetTools = ({ back, howTo }: Words['sheet'], page: string): Html =>
  html`<p class="row tools"><span>${safeLink({ href: page }, `← ${back}`)}</span><span class="dim">${howTo}</span></p>`;

/** The foot of a sheet: a QR code for the page, the address for people without a camera, and a text. */
export async function sheetFoot({ settings, words }: Frame, page: string, text: string): Promise<Html> {
  const address = `${settings.publicUrl}${page}`;
  // A code that is too long for cameras is left out.
  const code = qrPath(settings.publicUrl, page) === undefined ? undefined : await qrSvg(address);
  const picture = code && html`<div class="code" role="img" aria-label="${words.sheet.code}">${code}</div>`;
  return html`<footer>${picture}<p><strong>${bare(address)}</strong><br>${text}</p></footer>`;
}

const bare = (address: string): string =>
  decodedPart(address, decodeURI)
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '');
