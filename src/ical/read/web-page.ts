import { decodeEntities } from '../../html/references.ts';
import { isLoginAddress, knownPage } from './known-pages.ts';

const TEXT_MAX = 1_000_000;
const FEEDS_MAX = 5;

/**
 * Says in a sentence what kind of web page came instead of a feed, and what to do. `addresses` are the requested one
 * and those it redirected to.
 */
export function pageInWords(html: string, addresses: readonly string[]): string {
  const known = addresses.map((address) => knownPage(address)).find((page) => page !== undefined);
  const feeds = [...new Set([...(known?.feeds ?? []), ...feedsBehind(html, addresses.at(-1) ?? '')])];
  const login = isLogin(html) || addresses.some(isLoginAddress);
  return `This is ${kindOfPage(login, known?.name, titleOf(html))}, not a calendar${adviceFor(feeds, login, known?.advice)}`;
}

function kindOfPage(login: boolean, service: string | undefined, title: string): string {
  const of = service === undefined ? '' : ` of ${service}`;
  if (login) return `a login page${of}`;
  if (service !== undefined) return `a page${of}`;
  return title === '' ? 'a web page' : `a web page ("${title}")`;
}

function adviceFor(feeds: readonly string[], login: boolean, advice: string | undefined): string {
  if (feeds.length > 0) return `: ${feedsInWords(feeds)}${login ? ', where it is public' : ''}.`;
  if (!login) return `. ${advice || 'Look for its iCal or .ics address.'}`;
  return `: the feed asks for a password, or its address has changed.${advice ? ` ${advice}` : ''}`;
}

function feedsInWords(feeds: readonly string[]): string {
  const more = feeds.length - FEEDS_MAX;
  const named = feeds.slice(0, FEEDS_MAX).join(' and ');
  if (feeds.length === 1) return `its feed is ${named}`;
  return `the feeds behind it are ${named}${more > 0 ? ` and ${more} more` : ''}`;
}

/**
 * The calendar addresses found on a page, best first: rel=alternate links, webcal: links, embedded calendars, links to
 * .ics files.
 */
export function feedsBehind(html: string, address: string): readonly string[] {
  const tags = [...html.slice(0, TEXT_MAX).matchAll(/<(link|a|iframe|area)\b([^<>]{1,3000})>/gi)].map(
    ([, name = '', attributes = '']) => ({ name: name.toLowerCase(), attributes }),
  );
  const ranked = tags.flatMap(({ name, attributes }) => {
    const target = absolute(attribute(attributes, name === 'iframe' ? 'src' : 'href'), address);
    return target === undefined ? [] : rankedFeeds(name, attributes, target);
  });
  return [...new Set(ranked.toSorted((one, other) => one.rank - other.rank).map(({ feed }) => feed))];
}

interface Ranked {
  readonly rank: number;
  readonly feed: string;
}

function rankedFeeds(tag: string, attributes: string, target: string): readonly Ranked[] {
  if (tag === 'link')
    return /^text\/calendar\b/i.test(attribute(attributes, 'type')) &&
      /\balternate\b/i.test(attribute(attributes, 'rel'))
      ? [{ rank: 0, feed: target }]
      : [];
  if (/^webcals?:/i.test(target)) return [{ rank: 1, feed: target }];
  if (
    /\/calendar\/ical\/|\.ics(?:\?|$)|[?&](?:outlook-)?ical=1\b|\/events\/ical\/|public-calendars\/\w+\/?\?export|\/ical_subscribe\.php/i.test(
      target,
    )
  )
    return [{ rank: 3, feed: target }];
  return (knownPage(target)?.feeds ?? [])
    .filter((feed) => !/dropbox|\.csv/i.test(feed))
    .map((feed) => ({ rank: 2, feed }));
}

function attribute(attributes: string, name: string): string {
  const match = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(attributes);
  return decodeEntities(match?.[1] ?? match?.[2] ?? match?.[3] ?? '').trim();
}

function absolute(target: string, base: string): string | undefined {
  const url = target === '' ? null : URL.parse(target, URL.canParse(base) ? base : undefined);
  return url && /^(?:https?|webcals?):$/.test(url.protocol) ? url.href : undefined;
}

const titleOf = (html: string): string =>
  decodeEntities(/<title[^>]{0,200}>([^<]{1,100})/i.exec(html.slice(0, 100_000))?.[1] ?? '')
    .replace(/\s+/g, ' ')
    .trim();

const isLogin = (html: string): boolean =>
  /<input\b[^<>]{0,500}type\s*=\s*["']?password/i.test(html.slice(0, TEXT_MAX)) ||
  /\b(?:log[ -]?in|sign[ -]?in|anmelden|anmeldung|se connecter|connexion|iniciar sesi[oó]n|zaloguj|logowanie|inloggen|accedi)\b/i.test(
    titleOf(html),
  );
