import type { Organizer, Venue } from '../../../contract/event-parts.ts';
import type { CategoryPage, TagPage, TermRecord } from '../../../contract/representation.ts';
import { safeLink } from '../../../html/link.ts';
import { linkedHtml } from '../../../html/linked-html.ts';
import { html, joinHtml, type Html } from '../../../html/template.ts';
import { textFromHtml } from '../../../html/text.ts';
import { icon } from '../../../look/icons.ts';
import { EVERYTHING, type Selection } from '../../../selection/selection.ts';
import { dayPager } from '../list/day-pager.ts';
import { dayList, inline } from '../list/event-list.ts';
import type { Finder } from '../list/finder.ts';
import { foundPart } from '../list/found-part.ts';
import { numberInWords } from '../list/in-words.ts';
import { lastingBlock, lastingMax, placedBy } from '../list/lasting.ts';
import { firstOf } from '../list/question.ts';
import { NOINDEX } from '../views/calendar-page.ts';
import { factCard, type Fact } from '../event/facts.ts';
import { feedLinks } from '../frame/feed-links.ts';
import type { Frame, Page } from '../frame/layout.ts';
import { mapAddress, webLink } from '../event/links.ts';
import { sanitizeTitle } from '../../store/sanitize-title.ts';
import { notFound, type Read } from '../frame/read.ts';
import { addressHead } from '../frame/address-head.ts';
import { addressParts } from '../frame/places.ts';
import type { Words } from '../words/words.ts';

/** What is shown about a category, tag, place or organizer before its upcoming events. */
interface Subject {
  /** HTML from the site. */
  readonly title: string;
  readonly kind: keyof Words['subscribeTo'];
  /** HTML from the site. */
  readonly about: string | undefined;
  /** Its address in one line. */
  readonly address?: Html | undefined;
  readonly facts?: Html | undefined;
  readonly url: string;
  /** Selects its events in the interface; `chosen` does so in the list. */
  readonly filter: Readonly<Record<string, string>>;
  readonly chosen: Partial<Selection>;
}

/** The request for such a page, and what it is made with. */
export interface AskedArchive {
  readonly frame: Frame;
  readonly read: Read;
  readonly find: Finder;
  readonly slug: string;
}
type Archive = (asked: AskedArchive) => Promise<Page>;

/** `/category/{slug}/` and `/tag/{slug}/` */
export const categoryPage: Archive = async (asked) => {
  const slug = storedSlug(asked.slug);
  const found = await asked.read<CategoryPage>('/categories', { slug, hide_empty: 'false', per_page: '50' });
  return archive(asked, found.ok ? termSubject(found.value.categories, slug, 'categories', 'category') : undefined);
};
export const tagPage: Archive = async (asked) => {
  const slug = storedSlug(asked.slug);
  const found = await asked.read<TagPage>('/tags', { slug, hide_empty: 'false', per_page: '50' });
  return archive(asked, found.ok ? termSubject(found.value.tags, slug, 'tags', 'tag') : undefined);
};

/** `/venue/{slug}/` and `/organizer/{slug}/` */
export const venuePage: Archive = async (asked) => {
  const found = await asked.read<Venue>(`/venues/by-slug/${encodeURIComponent(asked.slug)}`);
  return archive(asked, found.ok ? venueSubject(asked.frame, found.value) : undefined);
};
export const organizerPage: Archive = async (asked) => {
  const found = await asked.read<Organizer>(`/organizers/by-slug/${encodeURIComponent(asked.slug)}`);
  return archive(asked, found.ok ? organizerSubject(asked.frame, found.value) : undefined);
};

/** The page with its upcoming events, as in the list. Links to later days lead to the list, with this filter. */
async function archive({ frame, find }: AskedArchive, subject: Subject | undefined): Promise<Page> {
  if (!subject) return notFound(frame);
  const { title, url, chosen } = subject;
  const question = firstOf({ ...EVERYTHING, ...chosen });
  const [part, lasting] = await Promise.all([foundPart(find, question), find.lasting(question, lastingMax(question))]);
  const total = part.total + lasting.total;
  // The feed of `/category/music/` is `/feeds/category/music`.
  const feed = `/feeds${new URL(url).pathname.slice(frame.base.length).replace(/\/$/, '')}`;
  const { onAllTime } = frame.words.finding;
  const block = lastingBlock(frame, lasting.events, lasting.total, { title: onAllTime, today: find.today, question });
  const { beside, inPlace } = placedBy(part, block);
  const aside = joinHtml([subject.facts, beside], '\n');
  return {
    title: textFromHtml(title),
    api: `events/?${new URLSearchParams(subject.filter)}`,
    head: html`${total === 0 ? NOINDEX : addressHead(frame, { type: 'website', title: textFromHtml(title), url })}
${feedLinks(frame, feed)}`,
    main: html`${header(frame, subject, total, feed)}
<div class="cols">${aside.markup !== '' && html`<aside class="stack">${aside}</aside>`}
<div>${about(subject)}
${total === 0 && html`<p class="dim">${frame.words.nothing}</p>`}
${inPlace ?? dayList(frame, part.days, find.today)}
${dayPager(frame, question, part, find.today)}</div></div>`,
  };
}

function header(frame: Frame, { title, kind, address }: Subject, total: number, feed: string): Html {
  const { words } = frame;
  return html`<div class="head"><p class="dim kind">${KINDS[kind](words)}</p>
<h1 dir="auto">${inline(title)}</h1>
${address && html`<p class="lead">${address}</p>`}</div>
<div class="result"><p><b>${words.comingEvents(total, numberInWords(frame, total))}</b></p>
${safeLink({ class: 'btn main', href: frame.base + feed }, html`${icon('bell')}<span>${words.subscribeTo[kind]}</span>`)}</div>`;
}

const about = ({ about: text }: Subject): Html | undefined =>
  text ? html`<div class="prose description" dir="auto">${linkedHtml(text)}</div>` : undefined;

const KINDS: Readonly<Record<Subject['kind'], (words: Words) => string>> = {
  category: ({ category1 }) => category1,
  tag: ({ tag1 }) => tag1,
  venue: ({ place }) => place,
  organizer: ({ organizer1 }) => organizer1,
};

// Slugs in other scripts are stored percent-encoded, as in addresses.
const storedSlug = (slug: string): string => sanitizeTitle(slug);

function termSubject(
  terms: readonly TermRecord[],
  slug: string,
  filter: 'categories' | 'tags',
  kind: Subject['kind'],
): Subject | undefined {
  const term = terms.find((one) => one.slug === slug);
  return (
    term && {
      title: term.name,
      kind,
      about: term.description,
      url: term.url,
      filter: { [filter]: term.slug },
      chosen: { [filter]: [term.slug] },
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
    chosen: { places: [venue.slug] },
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
    chosen: { organizers: [organizer.slug] },
  };
}

/** Contact data; '' and undefined mean unknown. */
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

/** A link to a number that can be dialled; words ("ask at the desk") are only shown. */
function phoneLink(phone: string): Html {
  const number = phone.replace(/[\s()./-]+/g, '');
  return /^\+?\d{3,20}$/.test(number) ? safeLink({ href: `tel:${number}` }, phone) : html`${phone}`;
}
