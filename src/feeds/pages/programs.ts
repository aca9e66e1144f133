import { linkQuery, safeLink } from '../../html/link.ts';
import { html, joinHtml, type Html } from '../../html/template.ts';
import { icon } from '../../look/icons.ts';
import type { FeedDefinition } from '../definition/definition.ts';
import type { PageWords } from '../words/page-words.ts';
import { addressOf, webcalOf } from './addresses.ts';
import type { PageFrame } from './page-frame.ts';

/** How to add a feed to one's own calendar: a button for each program, the address, and all steps to do it by hand. */
export function programs({ publicUrl, words }: PageFrame, definition: FeedDefinition, title: string): Html {
  const address = publicUrl + addressOf(definition);
  const { secret, basic } = definition.access ?? {};
  return html`<section class="stack" aria-labelledby="sub"><h2 id="sub">${words.subscribeWith}</h2>
<div class="prov">
${joinHtml(buttons(words, address, title), '\n')}
</div>
<div class="stack tight">${copyField(words, { id: 'address', label: words.address, text: address })}</div>
${secret && html`<p class="note">${words.secret}</p>`}${basic && html`<p class="note">${words.basic}</p>`}
${instructions(words, address, basic !== undefined)}</section>`;
}

interface Copied {
  readonly id: string;
  readonly label: string;
  readonly text: string;
  /** The label is for screen readers only. */
  readonly isHidden?: true;
}

/**
 * A field with a text, and a button that copies it. The button's name includes the field's, because a page may have
 * several.
 */
export const copyField = (words: PageWords, { id, label, text, isHidden }: Copied): Html =>
  html`<label for="${id}" id="${id}-label"${isHidden && html` class="vh"`}>${label}</label>
<div class="copy"><input id="${id}" readonly value="${text}">
<button type="button" id="${id}-copy" aria-labelledby="${id}-copy ${id}-label"
data-copy="${id}" data-done="${words.copied}" data-by-hand="${words.copyByHand}" hidden>${icon('link')}${words.copy}</button></div>
<p class="src" id="${id}-status" role="status"></p>`;

const GOOGLE = 'https://calendar.google.com/calendar/u/0/r/settings/addbyurl';

// Google's own short link (`cid=`) is not offered because it refuses most addresses of other sites. Outlook on the web
// cannot read webcal addresses.
function buttons({ programs: say }: PageWords, address: string, title: string): readonly Html[] {
  const outlookAt = (host: string): string =>
    `https://${host}/calendar/0/addfromweb?${linkQuery({ url: address, name: title })}`;
  return [
    button('A', say.apple, webcalOf(address)),
    button('G', say.google, GOOGLE),
    button('O', say.outlookCom, outlookAt('outlook.live.com')),
    button('M', say.microsoft365, outlookAt('outlook.office.com')),
  ];
}

const button = (letter: string, [name, small]: readonly [string, string], href: string): Html =>
  safeLink(
    { href, rel: 'noopener' },
    html`<span class="gl" aria-hidden="true">${letter}</span><b>${name}</b><small>${small}</small>`,
  );

function instructions({ instructions: say, byHand }: PageWords, address: string, asksForPassword: boolean): Html {
  const google = safeLink({ href: GOOGLE, rel: 'noopener' }, say.googleLink);
  return html`<details><summary>${byHand}</summary><div class="stack">
<div><h3>${say.google}</h3>
<ol><li>${say.googleCopy}</li><li>${say.googleOpen(google)}</li><li>${say.googlePaste}</li></ol></div>
<div><h3>Outlook</h3>
<p>${say.outlookByHand}
${say.outlookElse(address.startsWith('https:') ? 'https' : 'http')}</p></div>
<div><h3>${say.apple}</h3>
<p>${say.appleMac}
${say.applePhone}</p></div>
<div><h3>${say.others}</h3>
<p>${say.thunderbird(asksForPassword)}
${say.android}</p></div></div></details>`;
}
