// The problems that reading a feed can find, each declared with what its publisher is told: a code is a key of
// `FEED_CODES`.

/** How much a kind of problem harms a feed's readers, worst first. */
export const HARMS = ['unreadable', 'lost', 'wrong', 'details'] as const;
export type Harm = (typeof HARMS)[number];

/** What to tell a publisher about one kind of problem. */
export interface Advice {
  readonly harm: Harm;
  readonly title: string;
  /** Which programs have trouble with it, and how. */
  readonly programs: string;
  readonly fix: string;
  /** An example line, and what it should be. */
  readonly before?: string;
  readonly after?: string;
  /** The properties of the event that show the problem, if its line does not. */
  readonly shows?: readonly string[];
  /** What to say about a feed without this problem. */
  readonly good?: string;
}

/** A kind of problem that the publisher cannot fix; reports leave it out. */
export interface OperatorMatter {
  readonly operator: string;
}

const STRICT = 'Home Assistant and Nextcloud check strictly and may refuse the whole feed';
const OUTLOOK_SILENT = 'Outlook shows nothing, without a message';
const ALL = 'All programs';
const TIMES = ['DTSTART', 'DTEND', 'DURATION'];
const ZONE_BEFORE = 'DTSTART;TZID=Our zone:20270110T180000';
const ZONE_AFTER = 'DTSTART;TZID=Europe/Warsaw:20270110T180000  (with the VTIMEZONE of Europe/Warsaw in the feed)';
const FETCH = { harm: 'unreadable', programs: `${ALL}: subscribers keep what they had, or see an error` } as const;
const ROW = { harm: 'lost', programs: 'Every importer: the row is left out, or read as something else' } as const;

const FEED_CODES = {
  // Fetching.
  'feed-empty': {
    ...FETCH,
    title: 'The address returns nothing',
    fix: 'Return 200 with a complete calendar; one without events is still a calendar.',
  },
  'feed-partial': {
    ...FETCH,
    title: 'The address returns only part of the feed',
    fix: 'Turn off byte ranges for the feed, also in caches in front of it (return 200, not 206).',
  },
  'feed-odd-answer': {
    ...FETCH,
    title: 'The address returns something other than a feed',
    fix: 'Return 200 with the feed, and 304 only to a conditional request.',
  },
  'feed-unauthorized': {
    ...FETCH,
    title: 'The address asks for a password',
    fix: 'Publish the feed at an address that needs no password, or give us the credentials.',
  },
  'feed-forbidden': {
    ...FETCH,
    title: 'The address may not be read',
    fix: 'Make the calendar public, and do not block programs by user agent or in robots.txt (Google Calendar obeys it).',
  },
  'feed-not-found': {
    ...FETCH,
    title: 'There is nothing at the address',
    fix: 'Restore the feed, or redirect the old address to the new one permanently (301).',
  },
  'feed-gone': {
    ...FETCH,
    title: 'The feed has been taken down',
    fix: 'Redirect the old address to the new one permanently (301), or tell your subscribers that it has ended.',
  },
  'feed-busy': {
    ...FETCH,
    title: 'The server refuses because it is asked too often, or is busy',
    fix: 'Let caches answer: send ETag or Last-Modified and Cache-Control: max-age=900, and return 304.',
  },
  'feed-server-error': {
    ...FETCH,
    title: 'The server fails',
    fix: "Check the server's log around the time of this report.",
  },
  'feed-refused-request': {
    ...FETCH,
    title: 'The server refuses a plain request',
    fix: 'Allow a plain GET, without cookies and with any user agent, to read the feed.',
  },
  'feed-bad-redirect': {
    ...FETCH,
    title: 'The address leads on to nowhere',
    fix: 'Put a complete http or https address into Location.',
  },
  'feed-redirects': {
    ...FETCH,
    title: 'The address leads in circles',
    fix: 'Redirect to the feed in one step, and set no cookie on the way.',
  },
  'feed-insecure': {
    ...FETCH,
    title: 'A secure address leads to an insecure one',
    fix: 'Redirect to an https address.',
  },
  'feed-timeout': {
    ...FETCH,
    title: 'The answer takes too long',
    fix: 'Generate the feed on a schedule and serve it as a file, or make it smaller.',
  },
  'feed-cut-off': {
    ...FETCH,
    title: 'The answer breaks off',
    fix: 'Send a correct Content-Length, and check the time limits of servers and proxies.',
  },
  'feed-bad-encoding': {
    ...FETCH,
    title: 'The compressed answer is damaged',
    fix: 'Compress once, and name the method in Content-Encoding.',
  },
  'feed-too-large': {
    ...FETCH,
    title: 'The feed is too large',
    fix: 'Leave out events long past, and offer a feed per category; Google reads 1 MB.',
  },
  'feed-too-many-lines': {
    ...FETCH,
    title: 'The feed has too many lines',
    fix: 'Leave out events long past, and offer a feed per category.',
  },
  'feed-too-slow': {
    ...FETCH,
    title: 'The feed takes too long to read',
    fix: 'Use fewer and simpler recurrence rules, with an end (UNTIL), and leave out events long past.',
  },
  'feed-too-complex': {
    ...FETCH,
    title: 'The feed takes too much memory to read',
    fix: 'Use fewer and simpler recurrence rules, with an end (UNTIL), and leave out events long past.',
  },
  'feed-binary': {
    ...FETCH,
    title: 'The address returns something that is not text',
    fix: 'Return the feed itself, not an archive, spreadsheet, document or image.',
  },
  'feed-unknown-host': {
    ...FETCH,
    title: 'The host name has no address',
    fix: 'Check the name and its DNS records, including those for IPv6.',
  },
  'feed-refused': { ...FETCH, title: 'Nothing answers at the address', fix: 'Start the server, and open its port.' },
  'feed-unreachable': {
    ...FETCH,
    title: 'The server cannot be reached',
    fix: "Check the server's address and firewall, for both IPv4 and IPv6.",
  },
  'feed-not-tls': {
    ...FETCH,
    title: 'The https address does not speak TLS',
    fix: 'Serve TLS on that port, or publish the http address.',
  },
  'feed-tls': {
    ...FETCH,
    title: 'The certificate is not accepted',
    fix: 'Renew the certificate for exactly this name, and send all intermediate certificates.',
  },
  'feed-unreadable': { operator: 'the reader failed' },
  'feed-invalid': { operator: "the source's headers cannot be sent" },
  'feed-bad-address': { operator: 'the address of the source is not valid' },
  'feed-address-refused': { operator: 'the guard of this program' },
  'feed-proxy': { operator: 'a proxy of ours' },
  'file-not-allowed': { operator: 'a directory that the configuration does not name' },
  'file-unreadable': { operator: 'a file of ours' },
  // Whole files.
  'not-a-calendar': {
    ...FETCH,
    title: 'This is not a complete calendar',
    fix: 'Return text/calendar from BEGIN:VCALENDAR to END:VCALENDAR, even when there are no events.',
    good: 'It is a whole calendar',
  },
  'begin-not-first': {
    harm: 'unreadable',
    title: 'Something comes before BEGIN:VCALENDAR',
    programs: 'Google Calendar reads nothing at all',
    fix: 'Start the file with BEGIN:VCALENDAR: no blank line, no byte order mark.',
    before: '(blank line)\nBEGIN:VCALENDAR',
    after: 'BEGIN:VCALENDAR',
  },
  'refresh-form': {
    harm: 'unreadable',
    title: 'REFRESH-INTERVAL is malformed',
    programs: 'Home Assistant refuses the whole feed',
    fix: 'Give the value type as a parameter (RFC 7986, 5.7).',
    before: 'REFRESH-INTERVAL:VALUE=DURATION:PT1H',
    after: 'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
  },
  'head-missing': {
    harm: 'unreadable',
    title: 'The calendar lacks VERSION or PRODID',
    programs: STRICT,
    fix: 'Start with VERSION and PRODID (RFC 5545, 3.6).',
    before: 'BEGIN:VCALENDAR\nBEGIN:VEVENT',
    after: 'BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Your organisation//Calendar//EN\nBEGIN:VEVENT',
    good: 'VERSION and PRODID are there',
  },
  'feed-heavy': {
    harm: 'lost',
    title: 'The feed is larger than 1 MB',
    programs: 'Google Calendar reads about 1 MB, and reports an error or stops',
    fix: 'Leave out events long past, and offer a feed per category.',
    good: 'It has less than 1 MB',
  },
  'charset-guessed': {
    harm: 'wrong',
    title: 'The feed is not UTF-8, and does not name its encoding',
    programs: `${ALL} that assume UTF-8, as RFC 5545 (3.1.4) says, show wrong characters`,
    fix: 'Use UTF-8, and declare it: add charset=utf-8 to the Content-Type.',
    before: 'SUMMARY:Caf\uFFFD',
    after: 'SUMMARY:Café',
  },
  'charset-broken': {
    harm: 'wrong',
    title: 'Some characters are damaged',
    programs: `${ALL}: wrong characters, or an error`,
    fix: 'Use UTF-8 throughout; never fold or cut a text inside a character.',
    before: 'SUMMARY:Caf\uFFFD',
    after: 'SUMMARY:Café',
  },
  'line-ends': {
    harm: 'details',
    title: 'Lines do not end with CRLF',
    programs: 'Strict readers; most programs cope',
    fix: 'End each line with CR and LF (RFC 5545, 3.1).',
    good: 'Lines end with CRLF',
  },
  'line-long': {
    harm: 'details',
    title: 'Lines are longer than 75 octets',
    programs: 'Strict readers and validators; most programs cope',
    fix: 'Fold lines at 75 octets: CRLF and a space, never inside a character (RFC 5545, 3.1).',
    before: 'DESCRIPTION:A text of more than seventy-five octets goes on and on in one line',
    after: 'DESCRIPTION:A text of more than seventy-five octets goes on and on\n  in one line',
    good: 'Lines are folded at 75 octets',
  },
  // Components and lines.
  'component-not-ended': {
    harm: 'lost',
    title: 'A component begins and does not end',
    programs: `${STRICT}; ${OUTLOOK_SILENT}`,
    fix: 'Add the missing END. Often an unfolded line break in a text is the cause.',
    before: 'BEGIN:VEVENT\n…\nBEGIN:VEVENT',
    after: 'BEGIN:VEVENT\n…\nEND:VEVENT\nBEGIN:VEVENT',
  },
  'end-without-begin': {
    harm: 'lost',
    title: 'An END has no BEGIN',
    programs: `${STRICT}; ${OUTLOOK_SILENT}`,
    fix: 'Remove it, or add the missing BEGIN.',
  },
  'line-unreadable': {
    harm: 'lost',
    title: 'A line is not a content line',
    programs: STRICT,
    fix: 'Write NAME:value; write a line break inside a text as \\n.',
    before: 'see you there',
    after: 'DESCRIPTION:Doors open at eight\\nsee you there',
  },
  'line-not-folded': {
    harm: 'wrong',
    title: 'A text continues on an unfolded line',
    programs: `${STRICT} (known from Apple's places); others cut the text off`,
    fix: 'Write line breaks inside a text as \\n, and start folded lines with a space.',
    before: 'LOCATION:Main Hall\nStreet 1',
    after: 'LOCATION:Main Hall\\nStreet 1',
  },
  'property-repeated': {
    harm: 'wrong',
    title: 'A property occurs more than once',
    programs: 'Some programs take the first, some the last; strict ones refuse it',
    fix: 'Write it once.',
    before: 'DTSTART:20270110T180000Z\nDTSTART:20270111T180000Z',
    after: 'DTSTART:20270110T180000Z',
  },
  'property-unreadable': {
    harm: 'details',
    title: 'A property of the calendar cannot be read',
    programs: STRICT,
    fix: 'Write it as RFC 5545 and RFC 7986 define it.',
  },
  'event-unreadable': {
    harm: 'lost',
    title: 'An event cannot be read',
    programs: STRICT,
    fix: 'Check it for damaged escapes and parameters.',
  },
  'event-without-start': {
    harm: 'lost',
    title: 'An event has no date',
    programs: `No program can show it; ${OUTLOOK_SILENT}`,
    fix: 'Write DTSTART (RFC 5545, 3.6.1).',
    before: 'BEGIN:VEVENT\nSUMMARY:Fair\nEND:VEVENT',
    after: 'BEGIN:VEVENT\nDTSTART;VALUE=DATE:20270110\nSUMMARY:Fair\nEND:VEVENT',
    good: 'Every event says when it is',
  },
  'too-many-events': {
    harm: 'lost',
    title: 'The feed has too many events',
    programs: 'Most programs become slow or give up',
    fix: 'Leave out events long past, write series as rules, and offer a feed per category.',
  },
  'too-many-rules': {
    harm: 'lost',
    title: 'An event has too many rules',
    programs: 'Most programs read one rule',
    fix: 'Write one RRULE per event; make a separate event for each other pattern.',
  },
  'too-many-dates': {
    harm: 'lost',
    title: 'An event has too many dates',
    programs: 'Most programs become slow or give up',
    fix: 'Write the pattern as an RRULE.',
  },
  'uid-missing': {
    harm: 'wrong',
    title: 'Events have no UID',
    programs: `${STRICT}; Thunderbird and others show events twice after each change`,
    fix: 'Give each event a UID that never changes, derived from its record number, not from its time or title (RFC 5545, 3.8.4.7).',
    before: 'BEGIN:VEVENT\nSUMMARY:Fair',
    after: 'BEGIN:VEVENT\nUID:event-4711@your-site.example\nSUMMARY:Fair',
    shows: ['DTSTART', 'SUMMARY'],
    good: 'Every event has a UID',
  },
  'uid-shared': {
    harm: 'lost',
    title: 'Several events have the same UID',
    programs: 'Google, Apple and most others show only one of them',
    fix: 'Give each event its own UID; a changed occurrence of a series also has a RECURRENCE-ID.',
    before: 'UID:0@default',
    after: 'UID:event-4711@your-site.example',
    shows: ['UID', 'DTSTART', 'SUMMARY'],
    good: 'No two events share a UID',
  },
  'dtstamp-missing': {
    harm: 'details',
    title: 'Events have no DTSTAMP',
    programs: STRICT,
    fix: 'Write when the event was last changed (RFC 5545, 3.8.7.2), not the time of the request, so that an unchanged feed stays identical.',
    before: 'UID:event-4711@your-site.example',
    after: 'UID:event-4711@your-site.example\nDTSTAMP:20261120T090000Z',
    shows: ['UID'],
    good: 'Every event has a DTSTAMP',
  },
  'revision-missing': {
    harm: 'wrong',
    title: 'Changes cannot be detected',
    programs: 'Google Calendar and Outlook may ignore a change to an event',
    fix: 'Raise SEQUENCE with each change, and write LAST-MODIFIED (RFC 5545, 3.8.7).',
    before: 'UID:event-4711@your-site.example',
    after: 'UID:event-4711@your-site.example\nSEQUENCE:2\nLAST-MODIFIED:20261120T090000Z',
    shows: ['UID'],
    good: 'Changes can be told (SEQUENCE or LAST-MODIFIED)',
  },
  // Times and zones.
  'date-unreadable': {
    harm: 'lost',
    title: 'Not a valid date or time',
    programs: `${STRICT}; others leave the event out`,
    fix: 'Write dates as 20270110, times as 20270110T180000 with a TZID or 20270110T170000Z (RFC 5545, 3.3.5).',
    before: 'DTSTART:2027-01-10 6 pm',
    after: 'DTSTART;TZID=Europe/Warsaw:20270110T180000',
    good: 'Every date can be read',
  },
  'duration-unreadable': {
    harm: 'wrong',
    title: 'Not a valid duration',
    programs: STRICT,
    fix: 'Write PT1H30M, P1D or P2W (RFC 5545, 3.3.6).',
    before: 'DURATION:1:30',
    after: 'DURATION:PT1H30M',
  },
  'end-before-start': {
    harm: 'wrong',
    title: 'Events end before they begin',
    programs: `${OUTLOOK_SILENT}; Google and others move the end`,
    fix: 'Make DTEND later than DTSTART; after midnight it is the next day.',
    before: 'DTSTART:20270110T200000Z\nDTEND:20270110T010000Z',
    after: 'DTSTART:20270110T200000Z\nDTEND:20270111T010000Z',
    shows: TIMES,
    good: 'No event ends before it begins',
  },
  'end-of-other-kind': {
    harm: 'wrong',
    title: 'The start is a date and the end a time, or the reverse',
    programs: STRICT,
    fix: 'Write both as dates or both as times (RFC 5545, 3.8.2.2).',
    before: 'DTSTART;VALUE=DATE:20270110\nDTEND:20270110T220000Z',
    after: 'DTSTART:20270110T180000Z\nDTEND:20270110T220000Z',
    shows: TIMES,
  },
  'end-is-start': {
    harm: 'details',
    title: 'An all-day event ends on the date it starts',
    programs: 'Programs show one day or none: the end date is exclusive',
    fix: 'Write the day after the last one, or leave DTEND out (RFC 5545, 3.6.1).',
    before: 'DTSTART;VALUE=DATE:20270110\nDTEND;VALUE=DATE:20270110',
    after: 'DTSTART;VALUE=DATE:20270110\nDTEND;VALUE=DATE:20270111',
    shows: TIMES,
  },
  'date-undeclared': {
    harm: 'wrong',
    title: 'Dates are not marked as dates',
    programs: STRICT,
    fix: 'Write VALUE=DATE (RFC 5545, 3.3.4).',
    before: 'DTSTART:20270110',
    after: 'DTSTART;VALUE=DATE:20270110',
  },
  'timezone-undescribed': {
    harm: 'wrong',
    title: 'A time zone is named but not described',
    programs: 'Outlook for Windows shows the wrong hour; Outlook on the web may refuse the feed',
    fix: 'Put the VTIMEZONE of each TZID into the feed (RFC 5545, 3.6.5).',
    before: 'BEGIN:VEVENT\nDTSTART;TZID=Europe/Warsaw:20270110T180000',
    after:
      'BEGIN:VTIMEZONE\nTZID:Europe/Warsaw\n…\nEND:VTIMEZONE\nBEGIN:VEVENT\nDTSTART;TZID=Europe/Warsaw:20270110T180000',
    good: 'Every time zone is described',
  },
  'timezone-unknown': {
    harm: 'wrong',
    title: 'A time zone is unknown',
    programs: `${ALL}: times are read as local or as UTC, or the feed is refused`,
    fix: 'Use a name from the IANA list, such as Europe/Warsaw, and put its VTIMEZONE into the feed.',
    before: ZONE_BEFORE,
    after: ZONE_AFTER,
    shows: TIMES,
  },
  'timezone-unreadable': {
    harm: 'wrong',
    title: 'A VTIMEZONE cannot be used',
    programs: 'Outlook refuses the feed or shows the wrong hour',
    fix: 'Write TZID, and DTSTART, TZOFFSETFROM and TZOFFSETTO for each STANDARD and DAYLIGHT (RFC 5545, 3.6.5).',
  },
  'timezones-too-many': {
    harm: 'wrong',
    title: 'The feed has too many time zones',
    programs: 'Programs that limit them read times in the wrong zone; others become slow',
    fix: 'Name each zone in one way only: the IANA list, such as Europe/Warsaw, has fewer than 600.',
    shows: TIMES,
  },
  'timezone-contradiction': {
    harm: 'wrong',
    title: 'A VTIMEZONE contradicts the zone it is named after',
    programs:
      'Outlook, Apple and Home Assistant follow the VTIMEZONE, Google and others the name: they show different hours',
    fix: "Take the zone's current rules from the IANA database; old libraries have old ones.",
  },
  'timezone-private': {
    harm: 'wrong',
    title: 'A time zone has rules of its own',
    programs: 'Google Calendar and others do not know the name and may show the wrong hour',
    fix: 'Use a name from the IANA list, and its rules.',
    before: ZONE_BEFORE,
    after: ZONE_AFTER,
  },
  'times-floating': {
    harm: 'wrong',
    title: 'Times have no zone',
    programs:
      'Google Calendar takes them for UTC in subscriptions; Home Assistant does not know X-WR-TIMEZONE; ' +
      "others take the reader's own zone, so that a traveller sees another hour",
    fix: 'Give each time a zone, or write it in UTC.',
    before: 'DTSTART:20270110T180000',
    after: ZONE_AFTER,
    shows: TIMES,
    good: 'Every time says its zone',
  },
  'times-utc': { operator: 'the zone in which times in UTC are shown' },
  'no-events': {
    harm: 'details',
    title: 'The feed has no event that can be shown',
    programs: `${ALL}: subscribers see an empty calendar`,
    fix: 'Include the upcoming events, public and with their titles. An address that contains a year must be replaced each year.',
  },
  'timezone-missing': { operator: 'the zone in which we read them; times-floating tells the publisher' },
  'time-ambiguous': {
    harm: 'details',
    title: 'A time falls in the hour when the clocks change',
    programs: 'Programs disagree by an hour',
    fix: 'Write such times in UTC.',
    before: 'DTSTART;TZID=Europe/Warsaw:20271031T023000',
    after: 'DTSTART:20271031T003000Z',
    shows: TIMES,
  },
  // Series.
  'rule-invalid': {
    harm: 'lost',
    title: 'A recurrence rule cannot be used',
    programs: `${OUTLOOK_SILENT}; Google shows only the first date; ${STRICT}`,
    fix: 'Write the rule as RFC 5545 (3.3.10) defines it.',
    before: 'RRULE:FREQ=FORTNIGHTLY',
    after: 'RRULE:FREQ=WEEKLY;INTERVAL=2',
    good: 'Every recurrence rule can be used',
  },
  'rule-repaired': {
    harm: 'wrong',
    title: 'A recurrence rule has parts that are not allowed',
    programs: `Outlook refuses it; ${STRICT}`,
    fix: 'Leave out what RFC 5545 (3.3.10) forbids.',
    before: 'RRULE:FREQ=WEEKLY;BYDAY=1MO',
    after: 'RRULE:FREQ=WEEKLY;BYDAY=MO',
  },
  'rule-rare': {
    harm: 'wrong',
    title: 'Some programs do not support a rule',
    programs:
      'Outlook supports one day of the month or one nth weekday, and no hours; it refuses or misreads anything else',
    fix: 'Split the series into simple ones.',
    before: 'RRULE:FREQ=MONTHLY;BYDAY=1MO,3MO',
    after: 'RRULE:FREQ=MONTHLY;BYDAY=1MO  (and a second series with BYDAY=3MO)',
  },
  'rdate-alone': {
    harm: 'lost',
    title: 'A series is a list of dates',
    programs: 'Outlook refuses RDATE without RRULE',
    fix: 'Write each date as a separate event, with its own UID.',
    before: 'RDATE:20270117T180000Z,20270124T180000Z',
    after: 'RRULE:FREQ=WEEKLY;COUNT=3',
  },
  'until-not-utc': {
    harm: 'details',
    title: 'The end of a series is not in UTC',
    programs: 'Programs disagree on the last occurrence; strict ones refuse the rule',
    fix: 'Write UNTIL in UTC where DTSTART has a zone (RFC 5545, 3.3.10).',
    before: 'RRULE:FREQ=WEEKLY;UNTIL=20270131T180000',
    after: 'RRULE:FREQ=WEEKLY;UNTIL=20270131T170000Z',
  },
  'start-outside-rule': {
    harm: 'wrong',
    title: 'A series starts on a day outside its rule',
    programs: 'Some programs show the first date, others do not (RFC 5545, 3.8.5.3)',
    fix: 'Start on the first day of the rule.',
    before: 'DTSTART:20270110T180000Z\nRRULE:FREQ=WEEKLY;BYDAY=MO',
    after: 'DTSTART:20270111T180000Z\nRRULE:FREQ=WEEKLY;BYDAY=MO',
    shows: ['DTSTART', 'RRULE'],
  },
  'until-before-start': {
    harm: 'lost',
    title: 'A series ends before it begins',
    programs: 'Programs show the first date, or nothing',
    fix: 'Make UNTIL later than DTSTART; leave the rule out if there is only one date.',
    before: 'DTSTART:20270111T180000Z\nRRULE:FREQ=DAILY;UNTIL=20270101T000000Z',
    after: 'DTSTART:20270111T180000Z\nRRULE:FREQ=DAILY;UNTIL=20270115T180000Z',
    shows: ['DTSTART', 'RRULE'],
  },
  'series-ended': {
    operator: 'a series that was ended on its first date, as Google Calendar writes it; it has no dates',
  },
  'series-cut': {
    harm: 'lost',
    title: 'A series has too many occurrences',
    programs: 'Most programs become slow, or stop partway',
    fix: 'Give the rule an end (UNTIL), and do not repeat hourly or more often.',
    before: 'RRULE:FREQ=MINUTELY',
    after: 'RRULE:FREQ=DAILY;UNTIL=20271231T000000Z',
    shows: ['RRULE'],
  },
  'feed-cut': {
    harm: 'lost',
    title: 'The feed has too many occurrences',
    programs: 'Most programs become slow, or stop partway',
    fix: 'Give rules an end (UNTIL), and offer a feed per category.',
  },
  'override-without-series': {
    harm: 'wrong',
    title: 'A changed occurrence has no series',
    programs: 'Apple Calendar and strict readers leave it out; others show it on its own',
    fix: 'Include the series in the feed, or leave out RECURRENCE-ID.',
    shows: ['RECURRENCE-ID', 'DTSTART', 'SUMMARY'],
  },
  'override-unmatched': {
    harm: 'wrong',
    title: 'A changed occurrence matches no date of its series',
    programs: 'Programs show it next to the occurrence it should replace, or not at all',
    fix: 'Set RECURRENCE-ID to the original start, in the zone of DTSTART (RFC 5545, 3.8.4.4).',
    before: 'RECURRENCE-ID;VALUE=DATE:20270110',
    after: 'RECURRENCE-ID;TZID=Europe/Warsaw:20270110T180000',
    shows: ['RECURRENCE-ID', 'DTSTART', 'SUMMARY'],
  },
  'override-excluded': {
    harm: 'wrong',
    title: 'A changed occurrence is excluded by its series',
    programs: 'Some programs show the changed occurrence, others nothing',
    fix: 'Remove either the EXDATE or the changed occurrence.',
    before: 'EXDATE:20270110T170000Z\n…\nRECURRENCE-ID:20270110T170000Z',
    after: 'RECURRENCE-ID:20270110T170000Z',
    shows: ['RECURRENCE-ID', 'DTSTART', 'SUMMARY'],
  },
  'series-with-recurrence-id': {
    harm: 'lost',
    title: 'A series has a RECURRENCE-ID',
    programs: 'Most programs read it as one changed occurrence, and show only that date',
    fix: 'Leave RECURRENCE-ID out of the component with the rule (RFC 5545, 3.8.4.4).',
    before: 'RECURRENCE-ID:19700101T000000Z\nRRULE:FREQ=WEEKLY',
    after: 'RRULE:FREQ=WEEKLY',
    shows: ['RECURRENCE-ID', 'DTSTART', 'RRULE'],
  },
  // Words.
  'title-missing': {
    harm: 'details',
    title: 'Events have no title',
    programs: 'Most programs show "No title" or nothing',
    fix: 'Add a SUMMARY.',
    before: 'BEGIN:VEVENT\nDTSTART;VALUE=DATE:20270110',
    after: 'BEGIN:VEVENT\nDTSTART;VALUE=DATE:20270110\nSUMMARY:Fair',
    shows: ['UID', 'DTSTART'],
    good: 'Every event has a title',
  },
  'title-cancelled': {
    harm: 'details',
    title: 'Only the titles of events say that they are cancelled',
    programs: 'Calendars keep them among what takes place, with reminders',
    fix: 'Say it with STATUS:CANCELLED, or in a column "Cancelled"; the title may say so, too.',
    before: 'SUMMARY:CANCELLED: Jazz',
    after: 'SUMMARY:Jazz\nSTATUS:CANCELLED',
    shows: ['SUMMARY'],
  },
  'text-cut': {
    harm: 'details',
    title: 'A text is very long',
    programs: 'Most programs cut it off',
    fix: 'Give the first paragraphs, and a link to the rest (URL).',
    shows: ['SUMMARY'],
  },
  'address-unusable': {
    harm: 'details',
    title: 'A URL is not a web address',
    programs: 'Nobody can follow it',
    fix: 'Write the full address, with https.',
    before: 'URL:event/4711',
    after: 'URL:https://your-site.example/event/4711',
    shows: ['URL'],
  },
  'description-elsewhere': {
    harm: 'details',
    title: 'A description is only linked',
    programs: `${ALL} show no description`,
    fix: 'Put the text into DESCRIPTION; ALTREP may repeat it as HTML (RFC 5545, 3.2.1).',
    before: 'DESCRIPTION;ALTREP="https://your-site.example/4711.html":',
    after: 'DESCRIPTION:Doors open at eight.',
    shows: ['DESCRIPTION'],
  },
  'attachment-unusable': {
    harm: 'details',
    title: 'Attachments or pictures are not on the web',
    programs: 'Google Calendar and most websites show none; such feeds are large',
    fix: 'Put the file on your website, and write its address.',
    before: 'ATTACH;FMTTYPE=application/pdf;ENCODING=BASE64;VALUE=BINARY:JVBERi0x…',
    after: 'ATTACH;FMTTYPE=application/pdf:https://your-site.example/programme.pdf',
    shows: ['ATTACH', 'IMAGE'],
  },
  'html-in-description': {
    harm: 'details',
    title: 'Descriptions contain HTML',
    programs: 'Apple Calendar and Thunderbird show the tags',
    fix: 'Put plain text into DESCRIPTION, and the HTML into X-ALT-DESC and ALTREP.',
    before: 'DESCRIPTION:<b>Doors</b> open at eight',
    after: 'DESCRIPTION:Doors open at eight\nX-ALT-DESC;FMTTYPE=text/html:<b>Doors</b> open at eight',
    good: 'Descriptions are plain text',
  },
  // CSV.
  'not-csv-page': {
    harm: 'unreadable',
    title: 'This is a web page, not CSV',
    programs: 'Every importer',
    fix: 'Use the address of the file itself; publish a shared sheet to the web as CSV.',
  },
  'csv-empty': {
    harm: 'unreadable',
    title: 'The file is empty',
    programs: 'Every importer',
    fix: 'Include at least a header row.',
  },
  'csv-header': {
    harm: 'unreadable',
    title: 'The header has no title or no date column',
    programs: 'Every importer that goes by column names',
    fix: 'Name the columns in the first row.',
    before: 'A;B;C',
    after: 'title;start date;start time;venue',
  },
  'column-gone': {
    harm: 'lost',
    title: 'A column is gone',
    programs: 'Every importer: what the column held stays as it was, or is lost',
    fix: 'Keep column names unchanged.',
  },
  'csv-quote': {
    ...ROW,
    title: 'A quotation mark is never closed',
    fix: 'Double the quotation marks inside a quoted cell.',
    before: '"The "Blue" Hall",2027-01-10',
    after: '"The ""Blue"" Hall",2027-01-10',
  },
  'csv-record': {
    ...ROW,
    title: 'A row cannot be read',
    fix: 'Write it as RFC 4180 says: quote cells that contain commas, quotation marks or line breaks.',
  },
  'csv-stopped': {
    ...ROW,
    title: 'Too many rows are damaged: the rest was not read',
    fix: 'Export the table again, as UTF-8 with quoted cells, and check that it is complete.',
  },
  'row-limit': {
    ...ROW,
    title: 'Rows repeat too often',
    fix: 'Give the rule an end (UNTIL or COUNT), or write one row for each date.',
    before: 'Walk,2027-01-10,FREQ=HOURLY',
    after: 'Walk,2027-01-10,FREQ=WEEKLY;COUNT=10',
  },
  'row-formula': {
    ...ROW,
    title: 'A required cell contains a spreadsheet error',
    fix: 'Fix the formula, or write the value.',
    before: '#REF!,2027-01-10',
    after: 'Fair,2027-01-10',
  },
  'cell-formula': {
    harm: 'details',
    title: 'A cell contains a spreadsheet error',
    programs: 'Most importers show the error to the public',
    fix: 'Fix the formula, or write the value.',
    before: 'Fair,2027-01-10,#N/A',
    after: 'Fair,2027-01-10,Main Hall',
  },
  'row-cut': { ...ROW, title: 'A row ends too early', fix: 'Give each row a cell for each column.' },
  'row-ragged': {
    harm: 'wrong',
    title: 'A row has more or fewer cells than the header',
    programs: 'Cells land in the wrong column',
    fix: 'Quote cells that contain the separator.',
    before: 'Fair, with music,2027-01-10',
    after: '"Fair, with music",2027-01-10',
  },
  'row-title': { ...ROW, title: 'A row has no title', fix: 'Fill it in, or remove the row.' },
  'row-date': {
    ...ROW,
    title: 'Not a valid date',
    fix: 'Write dates as 2027-01-10.',
    before: 'Fair,next Sunday',
    after: 'Fair,2027-01-10',
  },
  'row-date-above': {
    harm: 'wrong',
    title: 'Only the first row of each day has its date',
    programs: 'Most importers leave the other rows out',
    fix: 'Write the date in each row; merged cells of a spreadsheet are exported as empty ones.',
    before: 'Fair,2027-01-10,10:00\nConcert,,19:30',
    after: 'Fair,2027-01-10,10:00\nConcert,2027-01-10,19:30',
  },
  'times-unread': {
    harm: 'wrong',
    title: 'No column is called a time, though one holds times',
    programs: 'Importers that go by column names take the events as all-day',
    fix: 'Call the column of times "Start time".',
    before: 'title;date;curtain',
    after: 'title;date;start time',
  },
  'row-time': {
    ...ROW,
    title: 'Not a valid time',
    fix: 'Write times as 19:30.',
    before: 'Fair,2027-01-10,evening',
    after: 'Fair,2027-01-10,19:30',
  },
  'row-duration': {
    harm: 'details',
    title: 'Not a valid duration',
    programs: 'Every importer: the event has no length',
    fix: 'Write durations as 1:30 or 90 min.',
    before: 'Fair,2027-01-10 19:30,short',
    after: 'Fair,2027-01-10 19:30,45 min',
  },
  'ambiguous-date': {
    ...ROW,
    title: 'A date is ambiguous',
    fix: 'Write dates as 2027-04-03.',
    before: 'Fair,03/04/2027',
    after: 'Fair,2027-04-03',
  },
  'row-end-before-start': {
    ...ROW,
    title: 'An event ends before it begins',
    fix: 'Give the end its own date if it is after midnight.',
  },
  'row-timezone': {
    harm: 'wrong',
    title: 'Not a valid time zone',
    programs: 'Every importer: the times are read in another zone',
    fix: 'Write the name of a zone in the tz database, such as Europe/Warsaw.',
    before: 'Fair,2027-01-10 19:30,Our time',
    after: 'Fair,2027-01-10 19:30,Europe/Warsaw',
  },
  'row-address': {
    harm: 'details',
    title: 'Not a valid web address',
    programs: 'Most importers leave the link or the picture out',
    fix: 'Write whole addresses, with https:// at the beginning.',
    before: 'Fair,2027-01-10,see our page',
    after: 'Fair,2027-01-10,https://fair.example/2027',
  },
  'row-recurrence': {
    ...ROW,
    title: 'A recurrence rule cannot be used',
    fix: 'Write a rule such as FREQ=WEEKLY;BYDAY=MO;COUNT=10, or one row for each date.',
  },
  'nul-bytes': {
    harm: 'details',
    title: 'The file contains NUL bytes',
    programs: 'Spreadsheets and importers stop there',
    fix: 'Export the file as UTF-8.',
  },
  'not-csv': { operator: 'the source says another format' },
  'rules-too-slow': { operator: 'the rules of the source' },
  'column-field': { operator: 'the columns of the source' },
  'column-missing': { operator: 'the columns of the source' },
} satisfies Readonly<Record<string, Advice | OperatorMatter>>;

/** A problem that fetching, decoding, parsing or drafting a feed can report. */
export type FeedCode = keyof typeof FEED_CODES;

/** Advice for every such problem. */
export const FEED_ADVICE: Readonly<Record<FeedCode, Advice | OperatorMatter>> = FEED_CODES;

/** Whether a kind of problem is for the publisher to fix. */
export const isForPublisher = (code: string): boolean => adviceFor(code) !== undefined;

/** What to tell a publisher about a kind of problem; undefined if it does not concern the publisher. */
export function adviceFor(code: string): Advice | undefined {
  const advice = isFeedCode(code) ? FEED_ADVICE[code] : undefined;
  return advice && 'title' in advice ? advice : undefined;
}

const isFeedCode = (code: string): code is FeedCode => Object.hasOwn(FEED_ADVICE, code);
