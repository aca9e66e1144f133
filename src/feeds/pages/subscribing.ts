import { linkQuery, safeLink } from '../../html/link.ts';
import { html, type Html } from '../../html/template.ts';
import type { Choices } from '../definition/choices.ts';
import { startInWords, type ComingEvent } from '../content/coming-events.ts';
import { FEED_WINDOW, pathOf, type FeedDefinition, type NewsForm } from '../definition/definition.ts';
import type { PageFrame } from './page-frame.ts';
import { timeInWords } from '../words/page-language.ts';
import type { PageWords } from '../words/page-words.ts';
import type { Feed } from '../serve/feed-cache.ts';
import { DAY_MS } from '../../time.ts';

/** Where programs fetch a feed, from the root, including its secret, if any. */
export const addressOf = (definition: FeedDefinition): string =>
  definition.access?.secret
    ? pathOf(definition).replace(/^\/feeds\//, `/feeds/~${encodeURIComponent(definition.access.secret.reveal())}/`)
    : pathOf(definition);

/** Its page, from the root. */
export const pageOf = (definition: FeedDefinition): string => addressOf(definition).replace(/\.ics(?=\?|$)/, '');

/** The same feed as a table or as news, from the root. */
export const fileOf = (definition: FeedDefinition, form: 'csv' | NewsForm): string =>
  addressOf(definition).replace(/\.ics(?=\?|$)/, `.${form}`);

const isLocal = (address: string): boolean => /^https?:\/\/(?:localhost|127\.|\[::1\]|0\.0\.0\.0)/i.test(address);

export const localNote = ({ publicUrl, words }: PageFrame): Html | false =>
  isLocal(publicUrl) && html`<p class="note">${words.local}</p>`;

/** How to add a feed to one's own calendar: buttons, the address, instructions for each program. */
export function subscribing({ publicUrl, base, words }: PageFrame, definition: FeedDefinition, title: string): Html {
  const address = publicUrl + addressOf(definition);
  const { secret, basic } = definition.access ?? {};
  const download = (path: string, text: string): Html =>
    safeLink({ class: 'button', href: base + path, download: true }, text);
  return html`<div class="row">${safeLink({ class: 'button main', href: address.replace(/^https?:/, 'webcal:') }, words.subscribe)}
${download(addressOf(definition), words.download)}
${download(fileOf(definition, 'csv'), words.table)}</div>
<div class="row"><label for="address">${words.address}<input id="address" type="url" readonly value="${address}"></label>
<button type="button" hidden data-copy="address" data-done="${words.copied}" data-by-hand="${words.copyByHand}">${words.copy}</button></div>
<p id="address-status" role="status"></p>
${secret && html`<p class="note">${words.secret}</p>`}${basic && html`<p class="note">${words.basic}</p>`}
${instructions(words, address, title, basic !== undefined)}`;
}

const programLink = (href: string, text: string): Html => safeLink({ href, rel: 'noopener' }, text);

const GOOGLE = 'https://calendar.google.com/calendar/u/0/r/settings/addbyurl';

// Google's own short link (`cid=`) is not offered because it refuses most addresses of other sites. Outlook on the web
// cannot read webcal addresses.
function instructions(
  { instructions: say }: PageWords,
  address: string,
  title: string,
  asksForPassword: boolean,
): Html {
  const outlookAt = (host: string, text: string): Html =>
    programLink(`https://${host}/calendar/0/addfromweb?${linkQuery({ url: address, name: title })}`, text);
  const [live, office] = [
    outlookAt('outlook.live.com', say.outlookCom),
    outlookAt('outlook.office.com', say.microsoft365),
  ];
  return html`<details><summary>${say.google}</summary>
<ol><li>${say.googleCopy}</li><li>${say.googleOpen(programLink(GOOGLE, say.googleLink))}</li>
<li>${say.googlePaste}</li></ol></details>
<details><summary>Outlook</summary>
<p>${say.outlook(live, office)}</p>
<p>${say.outlookByHand}
${say.outlookElse(address.startsWith('https:') ? 'https' : 'http')}</p></details>
<details><summary>${say.apple}</summary>
<p>${say.appleMac}
${say.applePhone}</p></details>
<details><summary>${say.others}</summary>
<p>${say.thunderbird(asksForPassword)}
${say.android}</p></details>`;
}

const NARROWINGS = ['categories', 'tags', 'venue', 'organizer'] as const;

/** "12 events: categories Music or Jazz, from 90 days ago to 540 days ahead." */
export function contentsInWords(
  words: PageWords,
  definition: FeedDefinition,
  latest: Feed | undefined,
  choices: Choices | undefined,
): string {
  const named = (name: keyof Choices, ref: string): string =>
    choices?.[name].find(({ value, slug }) => value === ref || slug === ref)?.name ?? ref;
  const lists = NARROWINGS.flatMap((name) =>
    definition[name]?.length
      ? [
          `${(definition[name].length === 1 ? words.one : words.several)[name]} ${definition[name].map((ref) => named(name, ref)).join(` ${words.or} `)}`,
        ]
      : [],
  );
  const more = [
    ...(definition.search ? [words.containing(definition.search)] : []),
    ...(definition.featured === undefined ? [] : [definition.featured ? words.featuredOnly : words.unfeaturedOnly]),
    ...ownInWords(words, definition),
    ...(definition.language === undefined ? [] : [words.inLanguage(languageInWords(words, definition.language))]),
    ...Object.entries(definition.more ?? {}).map(([name, text]) => `${name.replaceAll('_', ' ')} ${text}`),
  ];
  const { past, future } = definition.window ?? FEED_WINDOW;
  const count = latest ? eventsInWords(words, latest.events) : words.eventsUncounted;
  const span =
    definition.more || definition.time
      ? ''
      : `, ${words.span(numberInWords(words, days(past)), numberInWords(words, days(future)))}`;
  return `${count}: ${[...lists, ...more].join(', ') || words.everything}${span}.`;
}

const ownInWords = (words: PageWords, { free, time }: FeedDefinition): readonly string[] => [
  ...(free ? [words.free] : []),
  ...(time ? [timeInWords(words, time)] : []),
];

export const numberInWords = ({ locale }: PageWords, number: number, digits = 0): string =>
  number.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** "1,200 events". */
export const eventsInWords = (words: PageWords, count: number): string =>
  words.events(count, numberInWords(words, count));

/** `pl` → Polish; anything but a language code stays as it is. */
export function languageInWords({ locale }: PageWords, language: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: 'language' }).of(language) ?? language;
  } catch {
    return language;
  }
}

const days = (span: number): number => Math.round(span / DAY_MS);

/** The next events of a feed, as a list. */
export function comingList(words: PageWords, coming: readonly ComingEvent[], now: number, most: number): Html {
  const shown = coming.filter(({ endsAt }) => endsAt >= now).slice(0, most);
  if (shown.length === 0) return html`<p class="dim">${words.nothingComing}</p>`;
  const lines = shown.map((event) => {
    const { title, location, url, isCancelled } = event;
    const calledOff = isCancelled && html`<strong>${words.calledOff}:</strong> `;
    const place = location && html`<span class="dim place">${location}</span>`;
    return html`
<li><span class="dim">${startInWords(event, words.locale)}</span><span>${calledOff}${url ? safeLink({ href: url }, title) : title}</span>${place}</li>`;
  });
  return html`<ol class="events">${lines}
</ol>`;
}
