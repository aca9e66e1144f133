import type { Organizer, Venue } from '../../../contract/event-parts.ts';
import type { CategoryPage, EventPage, TagPage, TermRecord } from '../../../contract/representation.ts';
import { safeElement, safeLink } from '../../../html/link.ts';
import { sanitized } from '../../../html/sanitize.ts';
import { html, joinHtml, type Html, type HtmlPart } from '../../../html/template.ts';
import { textFromHtml } from '../../../html/text.ts';
import type { Day } from '../frame/dates.ts';
import { eventList, inline, pager } from '../list/event-list.ts';
import { addressParts, factList } from '../event/facts.ts';
import type { Frame, Page } from '../frame/layout.ts';
import { mapAddress, webLink } from '../event/links.ts';
import { comingFrom, pageNumber } from '../list/list-page.ts';
import { notFound, type Read } from '../frame/read.ts';

/** What a page tells of a thing before the list of its coming events. */
interface Subject {
  /** HTML of the site. */
  readonly title: string;
  readonly kind: string;
  readonly about: Html | undefined;
  readonly url: string;
  readonly filter: Readonly<Record<string, string>>;
}

type Archive = (frame: Frame, read: Read, slug: string, asked: URLSearchParams, today: Day) => Promise<Page>;

/** `/category/{slug}/` and `/tag/{slug}/` */
export const categoryPage: Archive = async (frame, read, slug, asked, today) => {
  const found = await read<CategoryPage>('/categories', {
    slug: storedSlug(slug),
    hide_empty: 'false',
    per_page: '50',
  });
  return archive(
    frame,
    read,
    found.ok ? termSubject(found.value.categories, slug, 'categories', frame.words.category1) : undefined,
    asked,
    today,
  );
};
export const tagPage: Archive = async (frame, read, slug, asked, today) => {
  const found = await read<TagPage>('/tags', { slug: storedSlug(slug), hide_empty: 'false', per_page: '50' });
  return archive(
    frame,
    read,
    found.ok ? termSubject(found.value.tags, slug, 'tags', frame.words.tag1) : undefined,
    asked,
    today,
  );
};

/** `/venue/{slug}/` and `/organizer/{slug}/` */
export const venuePage: Archive = async (frame, read, slug, asked, today) => {
  const found = await read<Venue>(`/venues/by-slug/${encodeURIComponent(slug)}`);
  return archive(frame, read, found.ok ? venueSubject(frame, found.value) : undefined, asked, today);
};
export const organizerPage: Archive = async (frame, read, slug, asked, today) => {
  const found = await read<Organizer>(`/organizers/by-slug/${encodeURIComponent(slug)}`);
  return archive(frame, read, found.ok ? organizerSubject(frame, found.value) : undefined, asked, today);
};

async function archive(
  frame: Frame,
  read: Read,
  subject: Subject | undefined,
  asked: URLSearchParams,
  today: Day,
): Promise<Page> {
  if (!subject) return notFound(frame);
  const page = pageNumber(asked);
  const list = await read<EventPage>('/events', {
    ...subject.filter,
    ...comingFrom(today),
    page: String(page),
    per_page: '50',
  });
  if (!list.ok) return notFound(frame);
  // `/category/music/` is `/feeds/category/music` to subscribe to.
  const feed = `${frame.base}/feeds${new URL(subject.url).pathname.slice(frame.base.length).replace(/\/$/, '')}`;
  return {
    title: textFromHtml(subject.title),
    api: `events/?${new URLSearchParams(subject.filter)}`,
    head: html`${safeElement('link', { rel: 'canonical', href: subject.url })}
${safeElement('link', { rel: 'alternate', type: 'text/calendar', href: `${feed}.ics` })}`,
    main: html`<p class="kind">${subject.kind}</p>
<h1>${inline(subject.title)}</h1>
${subject.about}
<h2>${frame.words.coming}</h2>
${eventList(frame, list.value.events, today, frame.words.nothing)}
<p>${safeLink({ class: 'button', href: feed }, frame.words.subscribe)}</p>
${pager(frame, new URL(subject.url).pathname.slice(frame.base.length), {}, page, list.value)}`,
  };
}

// Letters of other scripts are kept as they stand in addresses.
const storedSlug = (slug: string): string => encodeURIComponent(slug).toLowerCase();

function termSubject(
  terms: readonly TermRecord[],
  slug: string,
  filter: 'categories' | 'tags',
  kind: string,
): Subject | undefined {
  const term = terms.find((one) => one.slug === storedSlug(slug));
  return (
    term && {
      title: term.name,
      kind,
      about: about([], term.description),
      url: term.url,
      filter: { [filter]: term.slug },
    }
  );
}

function venueSubject({ words }: Frame, venue: Venue): Subject {
  const map = venue.show_map_link ? mapAddress(venue) : undefined;
  const where = [
    ...addressParts(venue),
    ...(map === undefined ? [] : [safeLink({ href: map, rel: 'noopener' }, words.map)]),
  ];
  const facts = [
    [words.where, joinHtml(where, html`<br>`)],
    [words.phone, venue.phone],
    [words.website, venue.website && webLink(venue.website)],
  ] as const;
  return {
    title: venue.venue,
    kind: words.venue1,
    about: about(facts, venue.description),
    url: venue.url,
    filter: { venue: String(venue.id) },
  };
}

function organizerSubject({ words }: Frame, organizer: Organizer): Subject {
  const { email, phone, website } = organizer;
  const facts = [
    [words.email, email && safeLink({ href: `mailto:${encodeURI(email)}` }, email)],
    [words.phone, phone],
    [words.website, website && webLink(website)],
  ] as const;
  return {
    title: organizer.organizer,
    kind: words.organizer1,
    about: about(facts, organizer.description),
    url: organizer.url,
    filter: { organizer: String(organizer.id) },
  };
}

const about = (facts: readonly (readonly [string, HtmlPart])[], description: string | undefined): Html =>
  html`${factList(facts)}${description && html`<div class="description">${sanitized(description)}</div>`}`;
