import { escapeHtml } from '../html.ts';
import type { Choices } from './choices.ts';
import { startInWords, type ComingEvent } from './coming-events.ts';
import { FEED_WINDOW, pathOf, type FeedDefinition } from './definition.ts';
import type { Feed } from './site-feeds.ts';

/** Where programs fetch a feed, from the root; with the secret, where it has one. */
export const addressOf = (definition: FeedDefinition): string =>
  (definition.access?.secret ? pathOf(definition).replace(/^\/feeds\//, `/feeds/~${encodeURIComponent(definition.access.secret.reveal())}/`) : pathOf(definition));

/** Its page, from the root. */
export const pageOf = (definition: FeedDefinition): string => addressOf(definition).replace(/\.ics(?=\?|$)/, '');

const isLocal = (address: string): boolean => /^https?:\/\/(?:localhost|127\.|\[::1\]|0\.0\.0\.0)/i.test(address);

export const localNote = (publicUrl: string): string => (isLocal(publicUrl)
  ? '<p class="note"><strong>Only this computer reaches these addresses.</strong> Google and Outlook fetch feeds from their own servers and need a public one; programs on this computer work.</p>' : '');

/** How to have a feed in one's own calendar: buttons, the address, instructions for each program. */
export function subscribing(definition: FeedDefinition, title: string, publicUrl: string): string {
  const address = publicUrl + addressOf(definition);
  const shown = escapeHtml(address);
  return `<div class="row"><a class="button main" href="${escapeHtml(address.replace(/^https?:/, 'webcal:'))}">Subscribe</a>
<a class="button" href="${escapeHtml(addressOf(definition))}" download>Download once (.ics)</a>
<a class="button" href="${escapeHtml(addressOf(definition).replace(/\.ics(?=\?|$)/, '.csv'))}" download>As a table (.csv)</a></div>
<div class="row"><label for="address">Address of this feed<input id="address" type="url" readonly value="${shown}"></label>
<button type="button" hidden data-copy="address">Copy address</button></div>
<p id="address-status" role="status"></p>
${definition.access?.secret ? '<p class="note">This address is a secret: whoever has it can read the feed. Pass it on with care.</p>' : ''}${definition.access?.basic ? '<p class="note">It asks for a user and a password. Google and Outlook on the web cannot give them; Apple Calendar and Thunderbird can.</p>' : ''}
${instructions(address, title)}`;
}

function instructions(address: string, title: string): string {
  const query = escapeHtml(new URLSearchParams({ url: address, name: title }).toString());
  return `<details><summary>Google Calendar</summary>
<ol><li>Copy the address above.</li><li>On a computer, open <a href="https://calendar.google.com/calendar/u/0/r/settings/addbyurl" rel="noopener">Google Calendar, “From URL”</a>.</li>
<li>Paste it and choose “Add calendar”. It appears on your phone too. Google looks for changes about once a day.</li></ol></details>
<details><summary>Outlook</summary>
<p><a href="https://outlook.live.com/calendar/0/addfromweb?${query}" rel="noopener">Add to Outlook.com</a> or <a href="https://outlook.office.com/calendar/0/addfromweb?${query}" rel="noopener">to Microsoft 365</a>.
By hand: “Add calendar”, “Subscribe from web”, paste the address. Outlook looks for changes every few hours.</p></details>
<details><summary>Apple Calendar</summary>
<p>“Subscribe” above opens Calendar on iPhone, iPad and Mac. By hand on a Mac: File, New Calendar Subscription, paste the address. On an iPhone: Settings, Apps, Calendar, Calendar Accounts, Add Account, Other, Add Subscribed Calendar.</p></details>
<details><summary>Thunderbird and others</summary>
<p>Thunderbird: New Calendar, On the Network, paste the address. Every program that subscribes to iCalendar (.ics) addresses takes it.</p></details>`;
}

const FILTERS = [['categories', 'category', 'categories'], ['tags', 'tag', 'tags'], ['venue', 'place', 'places'], ['organizer', 'organizer', 'organizers']] as const;

/** "12 events: categories Music or Jazz, from 90 days ago to 540 days ahead." */
export function contentsInWords(definition: FeedDefinition, latest: Feed | undefined, choices: Choices | undefined): string {
  const named = (name: keyof Choices, ref: string): string => choices?.[name].find(({ value, slug }) => value === ref || slug === ref)?.name ?? ref;
  const lists = FILTERS.flatMap(([name, one, several]) => (definition[name]?.length ? [`${definition[name].length === 1 ? one : several} ${definition[name].map((ref) => named(name, ref)).join(' or ')}`] : []));
  const more = [
    ...(definition.search ? [`containing “${definition.search}”`] : []), ...(definition.featured === undefined ? [] : [definition.featured ? 'featured ones only' : 'without featured ones']),
    ...(definition.language === undefined ? [] : [`in ${languageInWords(definition.language)}`]), ...Object.entries(definition.more ?? {}).map(([name, text]) => `${name.replaceAll('_', ' ')} ${text}`),
  ];
  const { past, future } = definition.window ?? FEED_WINDOW;
  const count = latest ? `${latest.events.toLocaleString('en')} ${latest.events === 1 ? 'event' : 'events'}` : 'Events';
  const span = definition.more ? '' : `, from ${days(past)} days ago to ${days(future)} days ahead`;
  return `${count}: ${[...lists, ...more].join(', ') || 'everything'}${span}.`;
}

/** `pl` → Polish; what is no language of that kind stays as it is. */
export function languageInWords(language: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language;
  } catch {
    return language;
  }
}

const days = (span: number): number => Math.round(span / 86_400_000);

/** The next events of a feed, as a list. */
export function comingList(coming: readonly ComingEvent[], now: number, most: number): string {
  const shown = coming.filter(({ endsAt }) => endsAt >= now).slice(0, most);
  if (shown.length === 0) return '<p class="dim">Nothing is coming up in it.</p>';
  return `<ol class="events">${shown.map(({ title, start, location, url, isCancelled }) => `
<li><span class="dim">${escapeHtml(startInWords(start))}</span><span>${isCancelled ? '<strong>Off:</strong> ' : ''}${url && /^https?:/i.test(url) ? `<a href="${escapeHtml(url)}">${escapeHtml(title)}</a>` : escapeHtml(title)}</span>${location ? `<span class="dim place">${escapeHtml(location)}</span>` : ''}</li>`).join('')}
</ol>`;
}
