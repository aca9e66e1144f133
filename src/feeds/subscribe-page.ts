import { escapeHtml } from '../html.ts';
import type { Choices } from './choices.ts';
import type { FeedDefinition } from './definition.ts';
import type { Feeds } from './feeds.ts';
import { framedPage, markOf } from './page-frame.ts';
import { addressOf, contentsInWords, localNote, pageOf } from './subscribing.ts';

/** `/feeds/`: the feeds that there are. */
export function subscribePage(feeds: Feeds, choices: Choices | undefined): Response {
  const open = feeds.definitions.filter(({ access }) => !access);
  return framedPage({
    title: 'Calendar feeds',
    head: open.map((definition) => `<link rel="alternate" type="text/calendar" title="${escapeHtml(definition.title)}" href="${escapeHtml(feeds.publicUrl + addressOf(definition))}">\n`).join(''),
    main: `<h1>Calendar feeds</h1>
<p>Subscribe to a feed, and its events appear in your own calendar. When something is added, moved or cancelled here, your calendar follows by itself.</p>
${localNote(feeds.publicUrl)}
${open.length === 0 ? '<p class="note">No feed is configured yet. The operator adds them under <code>feeds:</code> in the configuration.</p>' : open.map((definition) => card(definition, feeds, choices)).join('\n')}
<h2>Only what you like</h2>
<p>Choose categories, a place, an organizer or a word, see what is in it, and take the address with you.</p>
<p><a class="button" href="/feeds/events">Make your own feed</a></p>
${choices ? narrowerFeeds(choices) : ''}`,
  });
}

function card(definition: FeedDefinition, feeds: Feeds, choices: Choices | undefined): string {
  const title = escapeHtml(definition.title);
  return `<section class="card"${markOf(definition.color)}><h3><a href="${escapeHtml(pageOf(definition))}">${title}</a></h3>
${definition.description ? `<p>${escapeHtml(definition.description)}</p>` : ''}<p class="dim">${escapeHtml(contentsInWords(definition, feeds.latest(definition), choices))}</p>
<div class="row"><a class="button main" href="${escapeHtml((feeds.publicUrl + addressOf(definition)).replace(/^https?:/, 'webcal:'))}" aria-label="Subscribe to ${title}">Subscribe</a>
<a class="button" href="${escapeHtml(pageOf(definition))}" aria-label="Events and address of ${title}">Events and address</a></div></section>`;
}

const KINDS = [['categories', 'category', 'By category'], ['venue', 'venue', 'By place'], ['organizer', 'organizer', 'By organizer'], ['tags', 'tag', 'By tag']] as const;
const SHOWN_MAX = 60;

/** Links to the feeds of single categories, places, organizers and tags. */
export function narrowerFeeds(choices: Choices): string {
  return KINDS.filter(([name]) => choices[name].length > 0).map(([name, word, title]) => `<details${name === 'categories' ? ' open' : ''}><summary>${title}</summary>
<ul class="links">${choices[name].slice(0, SHOWN_MAX).map((choice) => `<li><a href="/feeds/${word}/${encodeURIComponent(choice.slug)}">${escapeHtml(choice.name)}</a></li>`).join('')}</ul>
${choices[name].length > SHOWN_MAX ? `<p class="dim">And ${choices[name].length - SHOWN_MAX} more, in the choice of <a href="/feeds/events">your own feed</a>.</p>` : ''}</details>`).join('\n');
}
