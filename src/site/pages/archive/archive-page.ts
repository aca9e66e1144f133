import type { Organizer, Venue } from '../../../contract/event-parts.ts';
import type { CategoryPage, EventPage, TagPage, TermRecord } from '../../../contract/representation.ts';
import { safeElement, safeLink } from '../../../html/link.ts';
import { linkedHtml } from '../../../html/linked-html.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import { textFromHtml } from '../../../html/text.ts';
import { icon } from '../../../look/icons.ts';
import type { Day } from '../frame/dates.ts';
import { eventList, inline, pager } from '../list/event-list.ts';
import { homeLink } from '../event/event-main.ts';
import { addressParts, factCard, type Fact } from '../event/facts.ts';
import { feedLinks } from '../frame/feed-links.ts';
import type { Frame, Page } from '../frame/layout.ts';
import { mapAddress, webLink } from '../event/links.ts';
import { comingFrom, pageNumber } from '../list/list-page.ts';
import { notFound, type Read } from '../frame/read.ts';
import type { Words } from '../words/words.ts';

/** What a page tells of a thing before the list of its coming events. */
interface Subject {
  /** HTML of the site. */
  readonly title: string;
  readonly kind: keyof Words['subscribeTo'];
  /** HTML of the site. */
  readonly about: string | undefined;
  /** Where it is, in one line. */
  readonly address?: Html | undefined;
  readonly facts?: Html | undefined;
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
    found.ok ? termSubject(found.value.categories, slug, 'categories', 'category') : undefined,
    asked,
    today,
  );
};
export const tagPage: Archive = async (frame, read, slug, asked, today) => {
  const found = await read<TagPage>('/tags', { slug: storedSlug(slug), hide_empty: 'false', per_page: '50' });
  return archive(frame, read, found.ok ? termSubject(found.value.tags, slug, 'tags', 'tag') : undefined, asked, today);
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
  const path = new URL(subject.url).pathname.slice(frame.base.length);
  // `/category/music/` is `/feeds/category/music` to subscribe to.
  const feed = `/feeds${path.replace(/\/$/, '')}`;
  const { words } = frame;
  const { title, kind, about, facts } = subject;
  return {
    title: textFromHtml(title),
    api: `events/?${new URLSearchParams(subject.filter)}`,
    head: html`${safeElement('link', { rel: 'canonical', href: page > 1 ? `${subject.url}?page=${page}` : subject.url })}
${list.value.total === 0 && html`<meta name="robots" content="noindex, follow">\n`}${feedLinks(frame, feed)}`,
    main: html`<div class="head">${homeLink(frame)}
<p class="dim kind">${KINDS[kind](words)}</p>
<h1 dir="auto">${inline(title)}</h1>
${subject.address && html`<p class="lead">${subject.address}</p>`}</div>
<div class="result"><p><b>${words.comingEvents(list.value.total)}</b></p>
${safeLink({ class: 'btn main', href: frame.base + feed }, html`${icon('bell')}<span>${words.subscribeTo[kind]}</span>`)}</div>
<div class="cols">${facts && html`<aside class="stack">${facts}</aside>`}
<div>${about && html`<div class="prose description" dir="auto">${linkedHtml(about)}</div>`}
<h2 class="vh">${words.coming}</h2>
${eventList(frame, list.value.events, today, words.nothing)}
${pager(frame, path, {}, page, list.value)}</div></div>`,
  };
}

const KINDS: Readonly<Record<Subject['kind'], (words: Words) => string>> = {
  category: ({ category1 }) => category1,
  tag: ({ tag1 }) => tag1,
  venue: ({ place }) => place,
  organizer: ({ organizer1 }) => organizer1,
};

// Letters of other scripts are kept as they stand in addresses.
const storedSlug = (slug: string): string => encodeURIComponent(slug).toLowerCase();

function termSubject(
  terms: readonly TermRecord[],
  slug: string,
  filter: 'categories' | 'tags',
  kind: Subject['kind'],
): Subject | undefined {
  const term = terms.find((one) => one.slug === storedSlug(slug));
  return (
    term && {
      title: term.name,
      kind,
      about: term.description,
      url: term.url,
      filter: { [filter]: term.slug },
    }
  );
}

function venueSubject({ words }: Frame, venue: Venue): Subject {
  const map = venue.show_map_link ? mapAddress(venue) : undefined;
  const { phone, website } = venue;
  return {
    title: venue.venue,
    kind: 'venue',
    about: venue.description,
    address: joinHtml(addressParts(venue), ', '),
    facts: factCard(words.where, [
      {
        icon: 'pin',
        name: words.address,
        lines: [...addressParts(venue), map !== undefined && safeLink({ href: map, rel: 'noopener' }, words.openMap)],
      },
      ...contacts(words, { phone, website }),
    ]),
    url: venue.url,
    filter: { venue: String(venue.id) },
  };
}

function organizerSubject({ words }: Frame, organizer: Organizer): Subject {
  const { email, phone, website } = organizer;
  return {
    title: organizer.organizer,
    kind: 'organizer',
    about: organizer.description,
    facts: factCard(words.contact, contacts(words, { email, phone, website })),
    url: organizer.url,
    filter: { organizer: String(organizer.id) },
  };
}

/** How to reach somebody; '' and undefined for what is not known. */
interface Reached {
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly website?: string | undefined;
}

const contacts = (words: Words, { email, phone, website }: Reached): readonly Fact[] => [
  {
    icon: 'mail',
    name: words.email,
    lines: [email && safeLink({ href: `mailto:${encodeURI(email)}` }, email)],
  },
  { icon: 'phone', name: words.phone, lines: [phone && phoneLink(phone)] },
  { icon: 'globe', name: words.website, lines: [website && webLink(website)] },
];

/** A number that can be called; words in it ("ask at the desk") are only shown. */
function phoneLink(phone: string): Html {
  const number = phone.replace(/[\s()./-]+/g, '');
  return /^\+?\d{3,20}$/.test(number) ? safeLink({ href: `tel:${number}` }, phone) : html`${phone}`;
}
