/** Something a publisher does differently from RFC 5545 or from what people expect, and how it is handled here. */
export interface Quirk {
  readonly does: string;
  readonly here: string;
}

/** What is known about feeds from one program. */
export interface Profile {
  readonly name: string;
  /** Matches PRODIDs (RFC 5545, 3.7.3); `address` matches host and path, for feeds whose PRODID reveals nothing. */
  readonly product?: RegExp;
  readonly address?: RegExp;
  readonly quirks: readonly Quirk[];
  /** The UID does not identify an event, so identities start with the event's address. */
  readonly identity?: 'url';
  /** For a LOCATION that contains the venue's name (first group), then its address (second group). */
  readonly location?: RegExp;
}

const quirk = (does: string, here: string): Quirk => ({ does, here });

const STAMPED = quirk(
  'DTSTAMP is the time of the request, so that no two bodies are equal',
  'DTSTAMP lines are no change of a feed',
);
const UPCOMING = quirk('only upcoming events are in it', 'past events that leave the feed stay on the site');
const NEW_UIDS = quirk(
  'UIDs change between builds',
  'events are found again by address, title, start and place, and keep their slugs',
);
const BARE_DATES = quirk('dates stand without VALUE=DATE', 'eight digits are a date, and the event lasts all day');
const NO_ZONES = quirk('VTIMEZONE is missing', 'TZIDs are read as IANA, Windows or Exchange names');
const HTML = quirk('DESCRIPTION holds HTML', 'it is read as HTML and made safe');
const FLOATING = quirk(
  'times say no zone',
  'they are read in the zone of the source, the calendar or the site, and it is said',
);
const PLAIN = quirk('nothing known that differs from RFC 5545', 'read as written');
const APART = /^([^,]{2,80}), (.+)$/;

/** Publishers of feeds and their quirks; the first match counts. */
export const PROFILES: readonly Profile[] = [
  {
    name: 'Google Calendar',
    product: /Google Calendar/i,
    address: /^(?:calendar|www)\.google\.com\/calendar\//,
    quirks: [
      STAMPED,
      HTML,
      quirk(
        '"this and following" splits a series into a UID with _R and a date',
        'the parts are series of their own, each event keeps its slug',
      ),
      quirk('moved instances come as RECURRENCE-ID without EXDATE', 'they stand instead of the instance'),
      quirk('ORGANIZER is the calendar itself', "such addresses are not given as anybody's"),
    ],
  },
  {
    name: 'Outlook and Microsoft 365',
    product: /Microsoft (?:Corporation|Exchange)|Outlook/i,
    address: /^outlook\.(?:office365|office|live)\.com\/|\/owa\/calendar\//,
    quirks: [
      NEW_UIDS,
      quirk(
        'TZIDs are names of Windows, "Customized Time Zone" or tzone://Microsoft/Custom',
        'names are translated, own VTIMEZONEs are used',
      ),
      quirk(
        'X-MICROSOFT-CDO-ALLDAYEVENT marks events from midnight to midnight as lasting all day',
        'such an event is an all-day event',
      ),
      quirk('limited details show "Busy"', 'events that say nothing else are left out'),
      quirk('only some months are in it', 'events outside of what the feed covers are left alone'),
    ],
  },
  {
    name: 'Apple Calendar and iCloud',
    product: /Apple (?:Computer|Inc)|CALENDARSERVER|icloud/i,
    address: /(?:caldav|calendars)\.icloud\.com\//,
    quirks: [
      quirk(
        'X-APPLE-STRUCTURED-LOCATION is badly folded and doubly escaped',
        'name, address and position are read from it all the same',
      ),
      quirk('series end in the year 4500', 'a series costs nothing outside of the window'),
      quirk('a byte order mark stands in front', 'it is taken off'),
    ],
  },
  {
    name: 'Meetup',
    product: /Meetup/i,
    address: /(?:^|\.)meetup\.com\//,
    quirks: [UPCOMING, quirk('LOCATION is "Venue (street, city, country)"', 'it becomes a venue with an address')],
    location: /^([^()]{2,80}) \((.+)\)$/,
  },
  {
    name: 'Eventbrite',
    product: /Eventbrite/i,
    address: /(?:^|\.)eventbrite\.[a-z.]+\//,
    quirks: [quirk('organizers have no feed, only single events', 'a page of theirs says so; CSV exports are read')],
  },
  {
    name: 'Facebook',
    product: /Facebook/i,
    address: /(?:^|\.)facebook\.com\//,
    quirks: [UPCOMING, quirk('unknown programs get a login page', 'that is a failed fetch, named for what it is')],
  },
  {
    name: 'Luma',
    product: /Luma|lu\.ma/i,
    address: /(?:^|\.)(?:lu\.ma|luma\.com)\//,
    quirks: [
      quirk('LOCATION is an address on the web until one registers', 'it becomes the link of the event, not a venue'),
    ],
  },
  {
    name: 'Localist',
    product: /Localist/i,
    address: /\/calendar\/\d+\.ics|localist\.com\//,
    quirks: [quirk('instances of a series stand alone', 'each is an event of its own')],
  },
  {
    name: 'Trumba',
    product: /Trumba/i,
    address: /(?:^|\.)trumba\.com\//,
    quirks: [quirk('six months are in it', 'events outside of what the feed covers are left alone'), HTML],
  },
  {
    name: 'LiveWhale, Bedework, 25Live, CampusGroups, Presence',
    product: /LiveWhale|Bedework|25Live|CollegeNET|CampusGroups|Presence/i,
    quirks: [
      quirk(
        'properties of their own, large feeds',
        'unknown properties are passed over, limits count what is in the window',
      ),
    ],
  },
  {
    name: 'LibCal',
    product: /LibCal|Springshare/i,
    address: /(?:^|\.)libcal\.com\//,
    quirks: [UPCOMING, quirk('a short horizon', 'events outside of what the feed covers are left alone')],
  },
  {
    name: 'The Events Calendar',
    product: /ECPv|The Events Calendar|tribe/i,
    address: /[?&](?:outlook-)?ical=1\b/,
    identity: 'url',
    location: APART,
    quirks: [
      STAMPED,
      quirk('the UID changes with the time of the event', 'the event is known by its address'),
      quirk('LOCATION is name and address in one line', 'it becomes a venue with an address'),
      quirk('30 events are in it', 'events after the last one are left alone'),
      quirk(
        'lines are not folded and commas in CATEGORIES not escaped',
        'lines of any length are read, categories are parted at commas',
      ),
    ],
  },
  {
    name: 'Drupal',
    product: /Drupal|date_ical|views_ical|smart_date/i,
    quirks: [NO_ZONES, quirk('HTML entities stand in texts', 'they are decoded')],
  },
  {
    name: 'Sched',
    product: /sched\.(?:com|org)|SCHED/,
    address: /\.sched\.(?:com|org)\//,
    quirks: [quirk('sessions with many categories', 'a table of categories can map or leave them out')],
  },
  {
    name: 'Nextcloud',
    product: /nextcloud|owncloud|sabre/i,
    address: /\/remote\.php\/dav\/public-calendars\//,
    quirks: [HTML, NO_ZONES],
  },
  { name: 'Teamup', product: /Teamup/i, address: /^ics\.teamup\.com\//, quirks: [PLAIN] },
  {
    name: 'University timetables (CELCAT, TimeEdit, TUMonline)',
    product: /CELCAT|TimeEdit|TUMonline|CAMPUSonline|Untis/i,
    quirks: [NEW_UIDS],
  },
  {
    name: 'Sports (GameChanger, TeamSnap, SIDEARM)',
    product: /GameChanger|TeamSnap|SIDEARM/i,
    address: /(?:^|\.)(?:gc\.com|gamechanger\.io|teamsnap\.com|sidearmsports\.com)\/|\/calendar\.ashx\//,
    quirks: [
      BARE_DATES,
      quirk('a postponed game has a new UID', 'it is found again by its title and place where that is one to one'),
      quirk('scores are put behind titles', 'the title changes, the slug stays'),
    ],
  },
  {
    name: 'Waste collection, holidays and schools',
    product: /abfall|holiday|schulferien|feiertag|calendarlabs/i,
    quirks: [
      quirk('DTEND is DTSTART', 'an all-day event lasts that day'),
      quirk('several events share a UID', 'they are kept apart by their order in time'),
    ],
  },
  {
    name: 'Google Sheets',
    address: /^docs\.google\.com\/spreadsheets\//,
    quirks: [
      quirk('it redirects to another host', 'redirects are followed, each one checked'),
      quirk('volunteers rename columns', 'a column that is gone is said before anything is removed'),
    ],
  },
  {
    name: 'HCL (Lotus) Notes',
    product: /Lotus/i,
    quirks: [
      quirk('a series is a list of RDATE periods without a rule', 'each period is an occurrence'),
      quirk('X-LOTUS properties change revisions', 'SEQUENCE orders them'),
    ],
  },
  { name: 'ical-generator (Node.js)', product: /sebbo\.net|ical-generator/i, quirks: [STAMPED, NEW_UIDS] },
  { name: 'vobject (Python)', product: /PYVOBJECT/i, quirks: [NEW_UIDS, STAMPED] },
  { name: 'ics.py', product: /ics\.py/i, quirks: [STAMPED] },
  { name: 'ical.net', product: /ical\.net|ical-org/i, quirks: [STAMPED, NEW_UIDS] },
  { name: 'yaml2ical', product: /yaml2ical/i, quirks: [NEW_UIDS] },
  {
    name: 'RiCal (Ruby)',
    product: /ri_cal/i,
    quirks: [quirk('PRODID has parameters', 'parameters of any property are read')],
  },
  {
    name: 'Mozilla Thunderbird',
    product: /Mozilla/i,
    quirks: [quirk('TZIDs begin with /mozilla.org/', 'the Olson name at their end is used')],
  },
  { name: 'Upcoming', product: /Upcoming/i, quirks: [FLOATING] },
  { name: 'EVDB and Eventful', product: /EVDB|eventful/i, quirks: [FLOATING] },
  { name: 'dclicio.us', product: /dclicio/i, quirks: [BARE_DATES] },
  { name: 'LinkeSOFT', product: /LinkeSOFT/i, quirks: [PLAIN] },
  { name: 'Feedo', product: /Feedo/i, quirks: [PLAIN] },
  { name: 'an example', product: /\/\/Example (?:Inc|Corp)/i, quirks: [PLAIN] },
];
