/** A web page of a calendar whose feed is at another address: its name, and the addresses of the feed. */
interface KnownPage {
  readonly name: string;
  readonly is: (url: URL) => boolean;
  /** The addresses to use instead; empty if the page's address does not reveal them. */
  readonly feeds: (url: URL) => readonly string[];
  /** What to do if the addresses are unknown. */
  readonly advice: string;
}

/** A page of a known service. */
export interface PageFound {
  readonly name: string;
  readonly feeds: readonly string[];
  readonly advice: string;
}

/** The service that an address belongs to, if it is the address of a page rather than of a feed. */
export function knownPage(address: string): PageFound | undefined {
  const url = URL.parse(address.replace(/^webcals?:/i, 'https:'));
  const known = url && PAGES.find(({ is }) => is(url));
  return known ? { name: known.name, feeds: known.feeds(url), advice: known.advice } : undefined;
}

/** Login pages. */
export const isLoginAddress = (address: string): boolean => LOGIN_HOST.test(address) || LOGIN_PATH.test(address);
const LOGIN_HOST =
  /^https?:\/\/(?:accounts\.google\.com|login\.(?:microsoftonline|live|yahoo)\.com|(?:appleid|idmsa)\.apple\.com|[^/]*facebook\.com\/login)/i;
const LOGIN_PATH = /\/(?:wp-login\.php|users\/sign_in|login|signin|adfs\/ls|cas\/login|simplesaml)\b/i;

const onHost =
  (pattern: RegExp) =>
  (url: URL): boolean =>
    pattern.test(url.hostname);
const path = (url: URL, pattern: RegExp): string | undefined => pattern.exec(url.pathname)?.[1];
const some = (address: string | undefined): readonly string[] => (address === undefined ? [] : [address]);

const PAGES: readonly KnownPage[] = [
  {
    name: 'Google Calendar',
    advice: 'In its settings, under "Integrate calendar", copy the address in iCal format.',
    is: (url) =>
      (url.hostname === 'calendar.google.com' ||
        (/^(?:www\.)?google\.com$/.test(url.hostname) && url.pathname.startsWith('/calendar')) ||
        url.hostname === 'calendar.app.google') &&
      !/\/ical\//.test(url.pathname),
    feeds: (url) =>
      [...url.searchParams.getAll('src'), ...url.searchParams.getAll('cid').map(calendarFromCid)]
        .filter((id) => /@|^[a-z0-9._-]{8,}$/i.test(id))
        .map((id) => `https://calendar.google.com/calendar/ical/${encodeURIComponent(id)}/public/basic.ics`),
  },
  {
    name: 'Google Sheets',
    advice: 'Publish it to the web as CSV (File, Share) and use that address.',
    is: (url) =>
      url.hostname === 'docs.google.com' &&
      url.pathname.startsWith('/spreadsheets/') &&
      !/export|output=/.test(`${url.pathname}${url.search}`),
    feeds: (url) => {
      const published = path(url, /^\/spreadsheets\/d\/e\/([^/]+)/);
      const id = path(url, /^\/spreadsheets\/d\/([^/]+)/);
      const sheet = /gid=(\d+)/.exec(`${url.search}${url.hash}`)?.[1];
      const which = sheet === undefined ? '' : `&gid=${sheet}`;
      return some(
        published
          ? `https://docs.google.com/spreadsheets/d/e/${published}/pub?output=csv${which}`
          : id && `https://docs.google.com/spreadsheets/d/${id}/export?format=csv${which}`,
      );
    },
  },
  {
    name: 'Outlook',
    advice: 'In Outlook, publish the calendar (Settings, Calendar, Shared calendars) and use its ICS link.',
    is: (url) =>
      !/\.ics$/i.test(url.pathname) &&
      (/(?:^|\.)outlook\.(?:live|office|office365|com)(?:\.com)?$/.test(url.hostname) ||
        /^\/owa\/calendar\//i.test(url.pathname)),
    feeds: (url) =>
      some(
        /^\/owa\/calendar\/.*\.html$/i.test(url.pathname)
          ? `${url.origin}${url.pathname.replace(/\.html$/i, '.ics')}`
          : undefined,
      ),
  },
  {
    name: 'iCloud',
    is: onHost(/^(?:www\.)?icloud\.com$/),
    feeds: () => [],
    advice: "In Apple's Calendar, share it as a public calendar and use the address that begins with webcal://.",
  },
  {
    name: 'Meetup',
    advice: 'Use the address of a group: https://www.meetup.com/GROUP/events/ical/.',
    is: (url) => /(?:^|\.)meetup\.com$/.test(url.hostname) && !/\/ical\/?$/.test(url.pathname),
    feeds: (url) =>
      some(
        /^\/(?:find|login|home|topics|apps|pro|help|cities|register)\b/.test(url.pathname)
          ? undefined
          : path(url, /^\/(?:[a-z]{2}-[A-Z]{2}\/)?([\w-]+)(?:\/|$)/),
      ).map((group) => `https://www.meetup.com/${group}/events/ical/`),
  },
  {
    name: 'Facebook',
    is: (url) => /(?:^|\.)(?:facebook\.com|fb\.me|fb\.com)$/.test(url.hostname),
    feeds: () => [],
    advice:
      'Pages and groups there have no feed. Ask the publisher for another calendar; ' +
      "one's own events have one (facebook.com/events/ical/…), which is often refused to programs.",
  },
  {
    name: 'Eventbrite',
    is: onHost(/(?:^|\.)eventbrite\.[a-z.]{2,6}$/),
    feeds: () => [],
    advice: 'Organizers there have no feed. Ask the organizer for an export as CSV, or for another calendar.',
  },
  {
    name: 'Teamup',
    is: onHost(/^(?:www\.)?teamup\.com$/),
    advice: 'In its settings, under "iCalendar feeds", copy the address.',
    feeds: (url) =>
      some(path(url, /^\/(?:c\/)?(ks[a-z0-9]{8,})/)).map((key) => `https://ics.teamup.com/feed/${key}/0.ics`),
  },
  {
    name: 'LibCal',
    is: (url) => /(?:^|\.)libcal\.com$/.test(url.hostname) && !/ical/.test(url.pathname),
    advice: 'Use the address behind its button "Subscribe" or "iCal feed".',
    feeds: (url) =>
      some(url.searchParams.get('cid') ?? undefined)
        .filter((id) => /^\d+$/.test(id))
        .map((id) => `${url.origin}/ical_subscribe.php?src=p&cid=${id}`),
  },
  {
    name: 'Sched',
    is: (url) => /^[\w-]+\.sched\.(?:com|org)$/.test(url.hostname) && !url.pathname.endsWith('.ics'),
    feeds: (url) => [`${url.origin}/all.ics`],
    advice: '',
  },
  {
    name: 'Trumba',
    is: (url) => /(?:^|\.)trumba\.com$/.test(url.hostname) && !/\.(?:ics|csv)$/.test(url.pathname),
    advice: 'Use the address behind its button "Subscribe".',
    feeds: (url) =>
      some(path(url, /^\/calendars\/([\w-]+)$/)).map((name) => `https://www.trumba.com/calendars/${name}.ics`),
  },
  {
    name: 'Luma',
    is: (url) => /^(?:www\.)?(?:lu\.ma|luma\.com)$/.test(url.hostname),
    feeds: () => [],
    advice:
      'Use the address behind "Subscribe", "Add iCal subscription": https://api.lu.ma/ics/get?entity=calendar&id=cal-….',
  },
  {
    name: 'Nextcloud',
    is: (url) => /\/apps\/calendar\/(?:p|embed)\//.test(url.pathname),
    advice: 'Copy its subscription link.',
    feeds: (url) =>
      some(path(url, /\/apps\/calendar\/(?:p|embed)\/(\w+)/)).map(
        (token) =>
          `${url.origin}${url.pathname.replace(/(?:\/index\.php)?\/apps\/calendar\/.*$/, '')}/remote.php/dav/public-calendars/${token}?export`,
      ),
  },
  {
    name: 'GitHub',
    is: (url) => url.hostname === 'github.com' && /\/blob\/.*\.(?:ics|csv)$/i.test(url.pathname),
    advice: 'Use the address behind its button "Raw".',
    feeds: (url) => [`https://raw.githubusercontent.com${url.pathname.replace('/blob/', '/')}`],
  },
  {
    name: 'Dropbox',
    is: (url) => /(?:^|\.)dropbox\.com$/.test(url.hostname) && url.searchParams.get('dl') !== '1',
    advice: '',
    feeds: (url) => {
      const direct = new URL(url);
      direct.searchParams.set('dl', '1');
      return [direct.href];
    },
  },
];

/** What to do for each service whose page address is not always enough to find the feed; shown in docs/feeds.md. */
export const SERVICE_ADVICE: readonly (readonly [name: string, advice: string])[] = PAGES.filter(
  ({ advice }) => advice !== '',
).map(({ name, advice }) => [name, advice]);

/** The calendar id in a share link is base64 without padding. */
function calendarFromCid(cid: string): string {
  if (cid.includes('@')) return cid;
  try {
    return atob(cid.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    // Not base64, so not an id.
    return '';
  }
}
