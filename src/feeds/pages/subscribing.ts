import { linkQuery } from '../../html/link.ts';
import { escapeHtml } from '../../html/references.ts';
import type { Choices } from '../definition/choices.ts';
import { startInWords, type ComingEvent } from '../content/coming-events.ts';
import { FEED_WINDOW, pathOf, type FeedDefinition } from '../definition/definition.ts';
import type { PageFrame } from './page-frame.ts';
import type { PageWords } from '../words/page-words.ts';
import type { Feed } from '../serve/site-feeds.ts';

/** Where programs fetch a feed, from the root; with the secret, where it has one. */
export const addressOf = (definition: FeedDefinition): string =>
  definition.access?.secret
    ? pathOf(definition).replace(/^\/feeds\//, `/feeds/~${encodeURIComponent(definition.access.secret.reveal())}/`)
    : pathOf(definition);

/** Its page, from the root. */
export const pageOf = (definition: FeedDefinition): string => addressOf(definition).replace(/\.ics(?=\?|$)/, '');

/** The file that programs fetch in another form, from the root. */
const tableOf = (definition: FeedDefinition): string => addressOf(definition).replace(/\.ics(?=\?|$)/, '.csv');

const isLocal = (address: string): boolean => /^https?:\/\/(?:localhost|127\.|\[::1\]|0\.0\.0\.0)/i.test(address);

export const localNote = ({ publicUrl, words }: PageFrame): string =>
  isLocal(publicUrl) ? `<p class="note">${words.localHtml}</p>` : '';

/** How to have a feed in one's own calendar: buttons, the address, instructions for each program. */
export function subscribing({ publicUrl, base, words }: PageFrame, definition: FeedDefinition, title: string): string {
  const address = publicUrl + addressOf(definition);
  const below = (path: string): string => escapeHtml(base + path);
  return `<div class="row"><a class="button main" href="${escapeHtml(address.replace(/^https?:/, 'webcal:'))}">${words.subscribe}</a>
<a class="button" href="${below(addressOf(definition))}" download>${words.download}</a>
<a class="button" href="${below(tableOf(definition))}" download>${words.table}</a></div>
<div class="row"><label for="address">${words.address}<input id="address" type="url" readonly value="${escapeHtml(address)}"></label>
<button type="button" hidden data-copy="address" data-copied="${words.copied}" data-by-hand="${words.copyByHand}">${words.copy}</button></div>
<p id="address-status" role="status"></p>
${definition.access?.secret ? `<p class="note">${words.secret}</p>` : ''}${definition.access?.basic ? `<p class="note">${words.basic}</p>` : ''}
${instructions(words, address, title, definition.access?.basic !== undefined)}`;
}

const link = (to: string, text: string): string => `<a href="${to}" rel="noopener">${text}</a>`;

const GOOGLE = 'https://calendar.google.com/calendar/u/0/r/settings/addbyurl';

// Google's own short link (`cid=`) is not offered: it refuses most addresses of others. Outlook on the web reads nothing at webcal addresses.
function instructions(
  { instructions: say }: PageWords,
  address: string,
  title: string,
  asksForPassword: boolean,
): string {
  const query = escapeHtml(linkQuery({ url: address, name: title }));
  const outlook = [
    ['outlook.live.com', say.outlookCom],
    ['outlook.office.com', say.microsoft365],
  ].map(([host, text]) => link(`https://${host}/calendar/0/addfromweb?${query}`, text!));
  return `<details><summary>${say.google}</summary>
<ol><li>${say.googleCopy}</li><li>${say.googleOpenHtml(link(GOOGLE, say.googleLink))}</li>
<li>${say.googlePaste}</li></ol></details>
<details><summary>Outlook</summary>
<p>${say.outlookHtml(outlook[0]!, outlook[1]!)}</p>
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
    ...(definition.language === undefined ? [] : [words.inLanguage(languageInWords(words, definition.language))]),
    ...Object.entries(definition.more ?? {}).map(([name, text]) => `${name.replaceAll('_', ' ')} ${text}`),
  ];
  const { past, future } = definition.window ?? FEED_WINDOW;
  const count = latest ? eventsInWords(words, latest.events) : words.eventsUncounted;
  const span = definition.more
    ? ''
    : `, ${words.span(numberInWords(words, days(past)), numberInWords(words, days(future)))}`;
  return `${count}: ${[...lists, ...more].join(', ') || words.everything}${span}.`;
}

export const numberInWords = ({ locale }: PageWords, number: number, digits = 0): string =>
  number.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** "1,200 events". */
export const eventsInWords = (words: PageWords, count: number): string =>
  words.events(count, numberInWords(words, count));

/** `pl` → Polish; what is no language of that kind stays as it is. */
export function languageInWords({ locale }: PageWords, language: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: 'language' }).of(language) ?? language;
  } catch {
    return language;
  }
}

const days = (span: number): number => Math.round(span / 86_400_000);

/** The next events of a feed, as a list. */
export function comingList(words: PageWords, coming: readonly ComingEvent[], now: number, most: number): string {
  const shown = coming.filter(({ endsAt }) => endsAt >= now).slice(0, most);
  if (shown.length === 0) return `<p class="dim">${words.nothingComing}</p>`;
  return `<ol class="events">${shown
    .map((event) => ({ ...event, when: startInWords(event, words.locale) }))
    .map(
      ({ title, when, location, url, isCancelled }) => `
<li><span class="dim">${escapeHtml(when)}</span><span>${isCancelled ? `<strong>${words.off}:</strong> ` : ''}${url && /^https?:/i.test(url) ? `<a href="${escapeHtml(url)}">${escapeHtml(title)}</a>` : escapeHtml(title)}</span>${location ? `<span class="dim place">${escapeHtml(location)}</span>` : ''}</li>`,
    )
    .join('')}
</ol>`;
}
