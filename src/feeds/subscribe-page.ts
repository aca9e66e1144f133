import { createHash } from 'node:crypto';
import { escapeHtml } from '../html.ts';
import { FEED_WINDOW, type FeedDefinition } from './definition.ts';
import type { Feeds } from './feeds.ts';
import type { Feed } from './site-feeds.ts';

const STYLE = `
:root { color-scheme: light dark; --line: #c3c9d1; --soft: #f3f5f8; --accent: #1f5fbf; --on-accent: #fff; }
@media (prefers-color-scheme: dark) { :root { --line: #48505c; --soft: #1c2129; --accent: #8ab4ff; --on-accent: #10151d; } }
* { box-sizing: border-box; }
body { font: 1.0625rem/1.55 system-ui, sans-serif; max-width: 46rem; margin: 0 auto; padding: 1rem 1rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 1rem 0 .5rem; } h2 { font-size: 1.25rem; margin: 0; }
article { border: 1px solid var(--line); border-radius: .6rem; padding: 1rem; margin: 1.25rem 0; }
article > p { margin: .4rem 0; }
.about p { margin: .4rem 0; } .about { border-left: .3rem solid var(--mark, var(--line)); padding-left: .7rem; }
.row { display: flex; flex-wrap: wrap; gap: .5rem; margin: .8rem 0; align-items: end; }
.row label { flex: 1 1 16rem; font-size: .9rem; }
input { width: 100%; font: inherit; padding: .5rem .6rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--soft); color: inherit; min-height: 2.75rem; }
.button { display: inline-flex; align-items: center; min-height: 2.75rem; padding: .4rem 1rem; border-radius: .4rem; border: 1px solid var(--accent); font: inherit; cursor: pointer; background: transparent; color: var(--accent); text-decoration: none; }
.button.main { background: var(--accent); color: var(--on-accent); }
a { color: var(--accent); } :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
summary { cursor: pointer; padding: .5rem 0; } .note { background: var(--soft); padding: .6rem .8rem; border-radius: .4rem; }`;

// Without it the address can still be selected and copied by hand.
const SCRIPT = `
for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const field = document.getElementById(button.dataset.copy);
    const status = document.getElementById(button.dataset.copy + '-status');
    field.select();
    try { await navigator.clipboard.writeText(field.value); status.textContent = 'Address copied.'; }
    catch { status.textContent = document.execCommand('copy') ? 'Address copied.' : 'Press Ctrl+C or Cmd+C to copy the selected address.'; }
  });
}`;

const LARGE = 1_000_000;

/** `/feeds/`: each feed with what is in it, and how to subscribe. */
export function subscribePage(feeds: Feeds): Response {
  const open = feeds.definitions.filter(({ access }) => !access);
  const cards = open.map((definition, index) => card(definition, feeds.latest(definition), feeds.publicUrl, index));
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Calendar feeds</title>
<style>${STYLE}</style>
${open.map((definition) => `<link rel="alternate" type="text/calendar" title="${escapeHtml(definition.title)}" href="${escapeHtml(addressOf(feeds.publicUrl, definition))}">`).join('\n')}
</head>
<body>
<main>
<h1>Calendar feeds</h1>
<p>Subscribe to a feed, and its events appear in your own calendar. When something is added, moved or cancelled here, your calendar follows by itself.</p>
${isLocal(feeds.publicUrl) ? '<p class="note"><strong>Only this computer reaches these addresses.</strong> Google and Outlook fetch feeds from their own servers and need a public one; programs on this computer work.</p>' : ''}
${cards.length === 0 ? '<p class="note">No feed is configured yet. The operator adds them under <code>feeds:</code> in the configuration.</p>' : cards.join('\n')}
</main>
<script>${SCRIPT}</script>
</body>
</html>
`;
  return new Response(html, { headers: {
    'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': `default-src 'none'; style-src '${hashOf(STYLE)}'; style-src-attr 'unsafe-inline'; script-src '${hashOf(SCRIPT)}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  } });
}

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;

const addressOf = (publicUrl: string, { id }: FeedDefinition): string => `${publicUrl}/feeds/${encodeURIComponent(id)}.ics`;

const isLocal = (address: string): boolean => /^https?:\/\/(?:localhost|127\.|\[::1\]|0\.0\.0\.0)/i.test(address);

function card(definition: FeedDefinition, latest: Feed | undefined, publicUrl: string, index: number): string {
  const address = addressOf(publicUrl, definition);
  const [shown, title] = [escapeHtml(address), escapeHtml(definition.title)];
  const mark = /^(?:#[0-9a-f]{6}|[a-z]+)$/i.test(definition.color ?? '') ? ` style="--mark: ${definition.color}"` : '';
  return `<article aria-labelledby="feed-${index}">
<div class="about"${mark}><h2 id="feed-${index}">${title}</h2>
${definition.description ? `<p>${escapeHtml(definition.description)}</p>` : ''}<p>${escapeHtml(contentsInWords(definition, latest))}</p></div>
${latest && latest.body.octets > LARGE ? `<p class="note">This feed is large (${(latest.body.octets / 1_000_000).toFixed(1)} MB). Google Calendar may refuse feeds above 1 MB; a narrower feed is safer there.</p>` : ''}
<div class="row"><a class="button main" href="${escapeHtml(address.replace(/^https?:/, 'webcal:'))}">Subscribe to ${title}</a>
<a class="button" href="${shown}" download aria-label="Download once: ${title}">Download once</a></div>
<div class="row"><label for="address-${index}">Address of this feed<input id="address-${index}" type="url" readonly value="${shown}"></label>
<button class="button" type="button" hidden data-copy="address-${index}" aria-label="Copy address of ${title}">Copy address</button></div>
<p id="address-${index}-status" role="status"></p>
${instructions(definition, address)}
</article>`;
}

function instructions(definition: FeedDefinition, address: string): string {
  const query = escapeHtml(new URLSearchParams({ url: address, name: definition.title }).toString());
  return `<details><summary>Google Calendar</summary>
<ol><li>Copy the address above.</li><li>On a computer, open <a href="https://calendar.google.com/calendar/u/0/r/settings/addbyurl" rel="noopener">Google Calendar, “From URL”</a>.</li>
<li>Paste it and choose “Add calendar”. It appears on your phone too. Google looks for changes about once a day.</li></ol></details>
<details><summary>Outlook</summary>
<p><a href="https://outlook.live.com/calendar/0/addfromweb?${query}" rel="noopener">Add to Outlook.com</a> or <a href="https://outlook.office.com/calendar/0/addfromweb?${query}" rel="noopener">to Microsoft 365</a>.
By hand: “Add calendar”, “Subscribe from web”, paste the address. Outlook looks for changes every few hours.</p></details>
<details><summary>Apple Calendar</summary>
<p>“Subscribe” above opens Calendar on iPhone, iPad and Mac. By hand on a Mac: File, New Calendar Subscription, paste the address. On an iPhone: Settings, Calendar, Accounts, Add Account, Other, Add Subscribed Calendar.</p></details>
<details><summary>Thunderbird and others</summary>
<p>Thunderbird: New Calendar, On the Network, paste the address. Every program that subscribes to iCalendar (.ics) addresses takes it.</p></details>`;
}

/** "12 events: categories music or jazz, from 90 days ago to 540 days ahead." */
function contentsInWords(definition: FeedDefinition, latest: Feed | undefined): string {
  const filters = (['categories', 'tags', 'venue', 'organizer'] as const).flatMap((name) => (definition[name]?.length ? [`${name} ${definition[name].join(' or ')}`] : []));
  const more = [...(definition.search ? [`containing “${definition.search}”`] : []), ...(definition.featured === undefined ? [] : [definition.featured ? 'featured ones only' : 'without featured ones'])];
  const { past, future } = definition.window ?? FEED_WINDOW;
  const count = latest ? `${latest.events.toLocaleString('en')} ${latest.events === 1 ? 'event' : 'events'}` : 'Events';
  return `${count}: ${[...filters, ...more].join(', ') || 'everything'}, from ${days(past)} days ago to ${days(future)} days ahead.`;
}

const days = (span: number): number => Math.round(span / 86_400_000);
