import { decodedPart } from '../../ascii.ts';
import { checkArgs } from '../../contract/check.ts';
import { eventFilters } from '../../contract/event.ts';
import { isWhen, SHORTCUTS } from '../../selection/days.ts';
import { timeIn } from '../../selection/selection.ts';
import { isDay } from '../../time.ts';
import { CANCELLED, NEWS, pathOf, VARIANTS, type Cancelled, type FeedDefinition, type Variant } from './definition.ts';
import { shortened } from '../../html/shortened.ts';

/** What addresses can refer to: the configured feeds, and the sites (the first is the default) with their languages. */
export interface FeedScope {
  readonly definitions: readonly FeedDefinition[];
  readonly sites: readonly { readonly name: string; readonly languages: readonly string[] }[];
  readonly now: () => number;
}

/** The formats of a feed: a calendar, a table or news. */
const FILES = ['ics', 'csv', ...NEWS] as const;
/** A feed, the page about it, or a badge that shows how up to date it is. */
export type AddressForm = (typeof FILES)[number] | 'page' | 'svg';

export const isFile = (form: AddressForm | undefined): form is (typeof FILES)[number] =>
  FILES.some((file) => file === form);

/** What an address refers to. */
export type Addressed =
  | (AddressedFeed & { readonly kind: 'feed' })
  /** The query is invalid; the message says why, and what is allowed. */
  | (AddressedFeed & { readonly kind: 'refused'; readonly message: string })
  /** There is no such feed, or the path is not that of a feed. */
  | { readonly kind: 'unknown'; readonly form: AddressForm | undefined };

export interface AddressedFeed {
  readonly definition: FeedDefinition;
  readonly form: AddressForm;
  /** The secret in the address; only private feeds have one. */
  readonly secret: string | undefined;
}

const QUERY_MAX = 2_000;
/** Filters of our own, which the interface does not have. */
const OWN = ['free', 'when', 'from'] as const;
/** The list page's names for the same filters. */
const ALIASES: Readonly<Record<string, string>> = {
  category: 'categories',
  tag: 'tags',
  place: 'venue',
  language: 'translation_language',
};
/** Feeds contain whole lists, and only published events. */
const { page: _page, per_page: _perPage, status: _status, ...filters } = eventFilters;
/** In the order in which people need them. */
export const FILTERS: readonly string[] = [
  ...new Set(['categories', 'tags', 'venue', 'organizer', 'search', 'featured', ...OWN, ...Object.keys(filters)]),
];
const LISTS = new Set(['categories', 'tags', 'venue', 'organizer', 'include']);
const REFERENCES = { category: 'categories', tag: 'tags', venue: 'venue', organizer: 'organizer' } as const;
const isReference = (kind: string): kind is keyof typeof REFERENCES => Object.hasOwn(REFERENCES, kind);

/**
 * The feed that `/feeds/events.ics?categories=music`, `/feeds/category/music` or `/feeds/~secret/staff.csv` refers to.
 * Addresses of the same feed give the same `path` in the definition, which contains no secret.
 */
export function feedAt(pathname: string, query: URLSearchParams, scope: FeedScope): Addressed {
  const parts = partsOf(pathname);
  const asked = askedOf(query);
  const found = parts && feedAtPath(parts.path, asked, scope);
  if (!found) return { kind: 'unknown', form: parts?.form };
  const { path, form, secret } = parts;
  const { definition, known } = found;
  const message =
    query.toString().length > QUERY_MAX
      ? `The query is longer than ${QUERY_MAX} characters.`
      : refusalOf(asked, known, scope);
  return message === undefined
    ? { kind: 'feed', definition: inForm(form, withQuery(definition, asked, path)), form, secret }
    : { kind: 'refused', message, definition, form, secret };
}

/** Whether a path is that of a page about a feed. */
export const isPageOfFeed = (pathname: string): boolean => partsOf(pathname)?.form === 'page';

interface PathParts extends Pick<AddressedFeed, 'form' | 'secret'> {
  /** Decoded, without secret and extension: `feeds/all`, `feeds/category/music`. */
  readonly path: string;
}

const EXTENSION = new RegExp(String.raw`^(.+)\.(${FILES.join('|')}|svg)$`);

/** The parts of a path below `/feeds/`; undefined for any other path. */
function partsOf(pathname: string): PathParts | undefined {
  const [, secret, rest = ''] = /^\/feeds\/(?:~([^/]+)\/)?(.+)$/.exec(pathname) ?? [];
  const [, name = rest, form = 'page'] = EXTENSION.exec(rest) ?? [];
  const parts = name.split('/').map((part) => decodedPart(part));
  if (parts.some((part) => part === '' || part.includes('/'))) return undefined;
  return {
    path: ['feeds', ...parts].join('/'),
    // The expression allows no others.
    form: form as AddressForm,
    secret: secret === undefined ? undefined : decodedPart(secret),
  };
}

const inForm = (form: AddressForm, definition: FeedDefinition): FeedDefinition =>
  isFile(form) && form !== 'ics'
    ? { ...definition, form, path: pathOf(definition).replace(/\.ics(?=\?|$)/, `.${form}`) }
    : definition;

const OPTIONS = ['cancelled', 'variant'];

/** A feed, and the parameters that its address accepts. */
interface Described {
  readonly definition: FeedDefinition;
  readonly known: readonly string[];
}

// PostgreSQL cannot store U+0000, so no name contains it.
// oxlint-disable-next-line no-control-regex
const PATH = /^feeds\/([^/\0]+)(?:\/([^/\0]+))?$/;

/** The feed that a path refers to, without its query. */
function feedAtPath(path: string, asked: ReadonlyMap<string, string>, scope: FeedScope): Described | undefined {
  const [, first, second] = PATH.exec(path) ?? [];
  if (first === undefined) return undefined;
  const onDemand = [...OPTIONS, ...(scope.sites.length > 1 ? ['site'] : [])];
  if (second !== undefined) {
    const definition = derived(first, second);
    return definition && { definition, known: onDemand };
  }
  const configured = scope.definitions.find(({ id }) => id === first);
  const options = configured ? OPTIONS : onDemand;
  const isNarrowed = [...asked.keys()].some((name) => FILTERS.includes(name));
  if (first === 'events' && (isNarrowed || !configured))
    return { definition: { id: 'events', title: '', onDemand: true }, known: [...FILTERS, ...options] };
  return configured && { definition: configured, known: options };
}

/** `/feeds/category/music`: a feed that exists without being configured. */
function derived(kind: string, slug: string): FeedDefinition | undefined {
  if (!isReference(kind)) return undefined;
  return { id: `${kind}-${slug}`, title: '', [REFERENCES[kind]]: [slug], onDemand: true };
}

/**
 * A parameter as a filter with its values. `place-name=Hall+1,+left` is a single name as typed by a person. No slug
 * contains a comma, and that of a name has a hyphen in its place.
 */
function valuesOf(key: string, text: string): { readonly name: string; readonly values: readonly string[] } {
  const bare = key.replace(/\[\d*\]$/, '');
  const listed = bare.replace(/-name$/, '');
  const list = ALIASES[listed] ?? listed;
  if (listed !== bare && LISTS.has(list)) return { name: list, values: [text.replace(/[,\s]+/g, ' ')] };
  const name = ALIASES[bare] ?? bare;
  return { name, values: LISTS.has(name) ? text.split(',') : [text] };
}

/** Accepts a filter copied from the list endpoint that states what is true of every feed. */
const isTrueOfAll = (name: string, values: readonly string[]): boolean =>
  name === 'status' && values.every((value) => value === 'publish');

/** The query by name. Repeated parameters and PHP's `name[]` are lists; empty ones are ignored. */
function askedOf(query: URLSearchParams): ReadonlyMap<string, string> {
  const asked = new Map<string, string[]>();
  for (const [key, text] of query) {
    const { name, values } = valuesOf(key, text);
    asked.set(name, [...(asked.get(name) ?? []), ...values.map((one) => one.trim()).filter((one) => one !== '')]);
  }
  const last = (name: string): string => asked.get(name)?.at(-1) ?? '';
  const { when, from } = timeIn(query);
  // One choice outranks another as on the list page; an invalid one is kept, to be refused.
  asked.set('when', [isWhen(last('when')) ? when : last('when')].filter(Boolean));
  asked.set('from', [isDay(last('from')) ? from : last('from')].filter(Boolean));
  asked.set('free', [last('free')].filter(Boolean));
  const filled = [...asked]
    .filter(([name, values]) => values.length > 0 && !isTrueOfAll(name, values))
    .map(([name, values]): [string, string] => [
      name,
      (LISTS.has(name) ? [...new Set(values)].toSorted() : values).join(','),
    ]);
  return new Map(filled.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const USABLE: Readonly<Record<(typeof OWN)[number], { isUsable: (text: string) => boolean; hint: string }>> = {
  free: { isUsable: (text) => text === '1', hint: '1' },
  when: { isUsable: isWhen, hint: `one of ${SHORTCUTS.join(', ')}, or a day such as 2027-01-10` },
  from: { isUsable: isDay, hint: 'a day such as 2027-01-10' },
};
const NOT_FOR_THE_INTERFACE: ReadonlySet<string> = new Set(['venue', 'organizer', ...OWN]);

function refusalOf(
  asked: ReadonlyMap<string, string>,
  known: readonly string[],
  { sites, now }: FeedScope,
): string | undefined {
  const unknown = [...asked.keys()].filter((name) => !known.includes(name));
  const hint = `Known parameters: ${known.join(', ')}.`;
  if (unknown.length > 0) return `Unknown parameter: ${unknown.map((name) => shortened(name, 60)).join(', ')}. ${hint}`;
  // PostgreSQL cannot store it, so nothing has such a name.
  const withNul = [...asked].filter(([, text]) => text.includes('\0')).map(([name]) => name);
  if (withNul.length > 0) return `Invalid parameter(s): ${withNul.join(', ')}: a character U+0000 is in it. ${hint}`;
  const site = sites.find(({ name }) => name === (asked.get('site') ?? sites[0]?.name));
  if (!site) return `There is no site "${asked.get('site')}". Known: ${sites.map(({ name }) => name).join(', ')}.`;
  for (const [name, words] of [
    ['cancelled', CANCELLED],
    ['variant', VARIANTS],
  ] as const) {
    if (asked.has(name) && !words.some((word) => word === asked.get(name)))
      return `${name} is one of ${words.join(', ')}, not "${asked.get(name)}".`;
  }
  const unusable = Object.entries(USABLE).flatMap(([name, { isUsable, hint: allowed }]) =>
    asked.has(name) && !isUsable(asked.get(name) ?? '')
      ? [`${name} is ${allowed}, not "${shortened(asked.get(name) ?? '', 60)}".`]
      : [],
  );
  if (unusable[0] !== undefined) return unusable[0];
  // Venues and organizers may be slugs here; the interface's own filter takes ids only.
  const raw = Object.fromEntries([...asked].filter(([name]) => !NOT_FOR_THE_INTERFACE.has(name)));
  const checked = checkArgs(filters, raw, { now: now(), timezone: 'UTC', languages: site.languages, namespace: '' });
  return checked.ok ? undefined : `${checked.error.message}. ${hint}`;
}

function withQuery(base: FeedDefinition, asked: ReadonlyMap<string, string>, path: string): FeedDefinition {
  const {
    categories,
    tags,
    venue,
    organizer,
    search,
    featured,
    site,
    cancelled,
    variant,
    translation_language: language,
    ...others
  } = Object.fromEntries(asked);
  const { own, more } = ownOf(others);
  const lists = Object.entries({ categories, tags, venue, organizer }).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, text.split(',')]],
  );
  const query = new URLSearchParams([...asked]).toString();
  return {
    ...base,
    ...Object.fromEntries(lists),
    path: `/${path.split('/').map(encodeURIComponent).join('/')}.ics${query === '' ? '' : `?${query}`}`,
    ...(search === undefined ? {} : { search }),
    ...(featured === undefined ? {} : { featured: /^(?:true|1)$/i.test(featured) }),
    ...own,
    ...(site === undefined ? {} : { site }),
    ...(language === undefined ? {} : { language }),
    // Both have been checked against the allowed words.
    ...(cancelled === undefined ? {} : { cancelled: cancelled as Cancelled }),
    ...(variant === undefined ? {} : { variant: variant as Variant }),
    ...(Object.keys(more).length === 0 ? {} : { more }),
  };
}

/** Separates filters of our own from those of the interface. */
function ownOf({ free, when = '', from = '', ...more }: Readonly<Record<string, string>>): {
  readonly own: Pick<FeedDefinition, 'free' | 'time'>;
  readonly more: Readonly<Record<string, string>>;
} {
  return {
    own: { ...(free !== undefined && { free: true }), ...((when !== '' || from !== '') && { time: { when, from } }) },
    more,
  };
}
