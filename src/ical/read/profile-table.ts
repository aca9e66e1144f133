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
  'DTSTAMP is the time of the request, so no two downloads are equal',
  'changes of DTSTAMP lines are ignored',
);
const UPCOMING = quirk('it contains only upcoming events', 'past events that leave the feed stay on the site');
const NEW_UIDS = quirk(
  'UIDs change between builds',
  'events are recognized by address, title, start and place, and keep their slugs',
);
const BARE_DATES = quirk('dates lack VALUE=DATE', 'eight digits are read as a date, and the event as an all-day event');
const NO_ZONES = quirk('VTIMEZONE is missing', 'TZIDs are read as IANA, Windows or Exchange names');
const HTML = quirk('DESCRIPTION contains HTML', 'it is read as HTML and made safe');
const FLOATING = quirk(
  'times have no time zone',
  'they are read in the zone of the source, the calendar or the site, and a notice says so',
);
const PLAIN = quirk('no known difference from RFC 5545', 'it is read as written');
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
        'the parts are separate series, and each event keeps its slug',
      ),
      quirk('moved instances have a RECURRENCE-ID but no EXDATE', 'they replace the original instance'),
      quirk('ORGANIZER is the calendar itself', 'its address is not published as a contact'),
    ],
  },
  {
    name: 'Outlook and Microsoft 365',
    product: /Microsoft (?:Corporation|Exchange)|Outlook/i,
    address: /^outlook\.(?:office365|office|live)\.com\/|\/owa\/calendar\//,
    quirks: [
      NEW_UIDS,
      quirk(
        'TZIDs are Windows names, "Customized Time Zone" or tzone://Microsoft/Custom',
        "names are translated, and the feed's own VTIMEZONEs are used",
      ),
      quirk(
        'X-MICROSOFT-CDO-ALLDAYEVENT marks all-day events that are written from midnight to midnight',
        'they are read as all-day events',
      ),
      quirk('calendars shared with limited details show "Busy"', 'events without other details are left out'),
      quirk('it covers only some months', 'events outside that span are left alone'),
    ],
  },
  {
    name: 'Apple Calendar and iCloud',
    product: /Apple (?:Computer|Inc)|CALENDARSERVER|icloud/i,
    address: /(?:caldav|calendars)\.icloud\.com\//,
    quirks: [
      quirk(
        'X-APPLE-STRUCTURED-LOCATION is badly folded and doubly escaped',
        'name, address and position are read from it anyway',
      ),
      quirk('series end in the year 4500', 'occurrences outside the window cost nothing'),
      quirk('it begins with a byte order mark', 'the mark is removed'),
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
    quirks: [
      quirk('only single events have a feed, organizers have none', 'an error explains this; CSV exports are read'),
    ],
  },
  {
    name: 'Facebook',
    product: /Facebook/i,
    address: /(?:^|\.)facebook\.com\//,
    quirks: [UPCOMING, quirk('unknown programs get a login page', 'the fetch fails with an error that says so')],
  },
  {
    name: 'Luma',
    product: /Luma|lu\.ma/i,
    address: /(?:^|\.)(?:lu\.ma|luma\.com)\//,
    quirks: [quirk('LOCATION is a web address until one registers', "it becomes the event's link, not a venue")],
  },
  {
    name: 'Localist',
    product: /Localist/i,
    address: /\/calendar\/\d+\.ics|localist\.com\//,
    quirks: [quirk('instances of a series are separate events', 'each stays an event of its own')],
  },
  {
    name: 'Trumba',
    product: /Trumba/i,
    address: /(?:^|\.)trumba\.com\//,
    quirks: [quirk('it covers six months', 'events outside that span are left alone'), HTML],
  },
  {
    name: 'LiveWhale, Bedework, 25Live, CampusGroups, Presence',
    product: /LiveWhale|Bedework|25Live|CollegeNET|CampusGroups|Presence/i,
    quirks: [
      quirk(
        'feeds are large and have properties of their own',
        'unknown properties are ignored, and limits count only what is in the window',
      ),
    ],
  },
  {
    name: 'LibCal',
    product: /LibCal|Springshare/i,
    address: /(?:^|\.)libcal\.com\//,
    quirks: [UPCOMING, quirk('it covers only a short time', 'events outside that span are left alone')],
  },
  {
    name: 'The Events Calendar',
    product: /ECPv|The Events Calendar|tribe/i,
    address: /[?&](?:outlook-)?ical=1\b/,
    identity: 'url',
    location: APART,
    quirks: [
      STAMPED,
      quirk('the UID changes with the time of the event', 'the event is identified by its address'),
      quirk('LOCATION is the name and address in one line', 'it becomes a venue with an address'),
      quirk('it contains at most 30 events', 'events after the last one are left alone'),
      quirk(
        'lines are not folded, and commas in CATEGORIES are not escaped',
        'lines of any length are read, and categories are split at commas',
      ),
    ],
  },
  {
    name: 'Drupal',
    product: /Drupal|date_ical|views_ical|smart_date/i,
    quirks: [NO_ZONES, quirk('texts contain HTML entities', 'they are decoded')],
  },
  {
    name: 'Sched',
    product: /sched\.(?:com|org)|SCHED/,
    address: /\.sched\.(?:com|org)\//,
    quirks: [quirk('sessions have many categories', 'a table of categories can rename or drop them')],
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
      quirk('a postponed game has a new UID', 'it is recognized by its title and place where only one event matches'),
      quirk('scores are appended to titles', 'the title changes, the slug stays'),
    ],
  },
  {
    name: 'Waste collection, holidays and schools',
    product: /abfall|holiday|schulferien|feiertag|calendarlabs/i,
    quirks: [
      quirk('DTEND equals DTSTART', 'an all-day event lasts that one day'),
      quirk('several events share a UID', 'they are told apart by their order in time'),
    ],
  },
  {
    name: 'Google Sheets',
    address: /^docs\.google\.com\/spreadsheets\//,
    quirks: [
      quirk('it redirects to another host', 'redirects are followed, and each is checked'),
      quirk('volunteers rename columns', 'a missing column is reported before anything is removed'),
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
