import type { Event } from '../../../contract/representation.ts';
import { safeLink } from '../../../html/link.ts';
import { decodeEntities } from '../../../html/references.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import { textFromHtml } from '../../../html/text.ts';
import { icon } from '../../../look/icons.ts';
import { qrImage } from '../../../look/qr.ts';
import type { Frame } from '../frame/layout.ts';
import { pathOf } from '../list/event-list.ts';
import { SHOWN_TEXTS } from '../words/words.ts';
import { shownText } from './facts.ts';
import { composeAddresses } from './links.ts';

/** A button for each common calendar. Apple's opens the file, which exists only if `isForAll`. */
export function addToCalendar(frame: Frame, event: Event, isForAll: boolean): Html {
  const { words } = frame;
  const file = `${pathOf(event.url).replace(/\/$/, '')}.ics`;
  const links = [
    ...composeAddresses(event, factLines(frame, event)).map(([name, address]) => button(name, address)),
    isForAll && button('Apple', file),
    isForAll && safeLink({ class: 'btn', href: file, download: true }, html`${letter('↓')}${words.file} (.ics)`),
  ];
  return html`<h2 class="vh">${words.addToCalendar}</h2>
<div class="two">${joinHtml(links, '\n')}</div>`;
}

/** The facts on an event's card apart from when and where, as text. */
function factLines(frame: Frame, event: Event): readonly string[] {
  const { words } = frame;
  const named: readonly (readonly [name: string, text: string])[] = [
    ...SHOWN_TEXTS.map((field) => [words[field], textFromHtml(shownText(frame, event, field).markup)] as const),
    [words.organizer1, event.organizer.map(({ organizer }) => textFromHtml(organizer)).join(', ')],
    [words.website, event.website === event.url ? '' : decodeEntities(event.website)],
  ];
  return named.filter(([, text]) => text !== '').map(([name, text]) => `${name}: ${text.replaceAll('\u00a0', ' ')}`);
}

const button = (name: string, href: string): Html =>
  safeLink({ class: 'btn', href, rel: 'noopener' }, html`${letter(name.slice(0, 1))}${name}`);

const letter = (sign: string): Html => html`<span class="gl" aria-hidden="true">${sign}</span>`;

/**
 * The address of a page as a QR code, with buttons to copy and share it if scripts run; with a poster if `isForAll`.
 */
export function passItOn({ words, base, settings: { publicUrl } }: Frame, url: string, isForAll: boolean): Html {
  const { away } = words;
  const code = qrImage({ publicUrl, base }, url.startsWith(publicUrl) ? url.slice(publicUrl.length) : '/', away.qrAlt);
  return html`<section class="card panel" aria-labelledby="pass"><h2 id="pass">${away.passItOn}</h2>
<div class="row">${code}<div class="stack tight">
<button type="button" data-copy-text="${url}" data-done="${away.copied}" data-by-hand="${away.copyByHand}" hidden>
${icon('link')}<span>${away.copyLink}</span></button>
<button type="button" data-share hidden>${icon('share')}${away.share}</button>
${isForAll && safeLink({ class: 'btn', rel: 'nofollow', href: `${pathOf(url)}sheet/` }, html`${icon('print')}${words.sheet.poster}`)}</div></div></section>`;
}
