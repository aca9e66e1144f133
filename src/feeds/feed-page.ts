import { escapeHtml } from '../html.ts';
import type { Choices } from './choices.ts';
import type { FeedDefinition } from './definition.ts';
import { builderForm } from './builder-form.ts';
import type { Feeds } from './feeds.ts';
import { framedPage } from './page-frame.ts';
import type { Finding } from './self-test.ts';
import type { Feed } from './site-feeds.ts';
import { narrowerFeeds } from './subscribe-page.ts';
import { addressOf, comingList, contentsInWords, localNote, pageOf, subscribing } from './subscribing.ts';

export const LARGE = 1_000_000;
const SHOWN_MAX = 12;

export interface FeedPage {
  readonly definition: FeedDefinition;
  /** The feed, or why there is none. */
  readonly feed: Feed | { readonly failure: string; readonly status: number };
  readonly choices: Choices | undefined;
  /** What the self-test found, when it was asked for. */
  readonly findings: readonly Finding[] | undefined;
  readonly now: number;
}

/** The page of one feed; that of `/feeds/events` is the feed builder. */
export function feedPage(feeds: Feeds, page: FeedPage): Response {
  const { definition, feed, choices } = page;
  const isBuilder = definition.onDemand === true && definition.id === 'events';
  const title = isBuilder ? 'Make your own feed' : 'failure' in feed ? definition.title || definition.id : feed.title;
  return framedPage({
    title, isPrivate: definition.access !== undefined, status: 'failure' in feed ? feed.status : 200,
    head: `<link rel="alternate" type="text/calendar" title="${escapeHtml(title)}" href="${escapeHtml(feeds.publicUrl + addressOf(definition))}">\n`,
    main: [
      `<h1>${escapeHtml(title)}</h1>`, definition.description ? `<p>${escapeHtml(definition.description)}</p>` : '',
      isBuilder ? builderForm(definition, choices, feeds.sites) : '',
      'failure' in feed ? `<p class="note" role="alert">${escapeHtml(feed.failure)}</p>` : contents(feeds, page, feed, isBuilder),
    ].join('\n'),
  });
}

function contents(feeds: Feeds, { definition, choices, findings, now }: FeedPage, feed: Feed, isBuilder: boolean): string {
  return `${isBuilder ? `<h2 id="result">${escapeHtml(feed.title)}</h2>` : ''}
<p class="dim">${escapeHtml(contentsInWords(definition, feed, choices))}</p>
${localNote(feeds.publicUrl)}
${feed.body.octets > LARGE ? largeNote(definition, feed, choices) : ''}
${subscribing(definition, feed.title, feeds.publicUrl)}
<h2>Coming up</h2>
${comingList(feed.coming, now, SHOWN_MAX)}
<h2>Does it work?</h2>
${findings ? findingsList(findings) : '<p>This fetches the feed as calendar programs do, and tells what would fail.</p>'}
<form method="post" action="${escapeHtml(pageOf(definition))}"><button type="submit">Test this feed${findings ? ' again' : ''}</button></form>`;
}

function largeNote(definition: FeedDefinition, { body }: Feed, choices: Choices | undefined): string {
  const lite = definition.variant === 'lite' ? '' : ` Its <a href="${escapeHtml(pageOf({ ...definition, path: withVariant(definition) }))}">small variant</a> leaves out pictures and formatted texts.`;
  return `<div class="note"><strong>This feed is large (${(body.octets / 1_000_000).toFixed(1)} MB).</strong> Google Calendar may refuse feeds above 1 MB; a narrower one is safer there.${lite}
${choices ? narrowerFeeds(choices) : '<p><a href="/feeds/events">Choose what is in it</a></p>'}</div>`;
}

function withVariant({ id, path = `/feeds/${encodeURIComponent(id)}.ics` }: FeedDefinition): string {
  const [bare = '', query] = path.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('variant', 'lite');
  return `${bare}?${parameters.toString()}`;
}

const WORDS = { good: ['good', 'Right'], bad: ['bad', 'Wrong'], note: ['dim', 'Note'] } as const;

const findingsList = (findings: readonly Finding[]): string => `<ul class="tests" role="status">${findings.map(({ kind, text }) => `
<li><span class="${WORDS[kind][0]}">${WORDS[kind][1]}:</span> ${escapeHtml(text)}</li>`).join('')}
</ul>`;
