/** How much a kind of problem harms whoever reads a feed, the most harmful first. */
export const HARMS = ['unreadable', 'lost', 'wrong', 'details'] as const;
export type Harm = (typeof HARMS)[number];

/** What a publisher is told about one kind of problem. */
export interface Advice {
  readonly harm: Harm;
  readonly title: string;
  /** Which programs stumble over it, and how. */
  readonly programs: string;
  readonly mend: string;
  /** A line as it is, and as it should be. */
  readonly before?: string;
  readonly after?: string;
  /** The properties of the event that show it, where its line does not. */
  readonly shows?: readonly string[];
  /** What is said where a feed has no such problem. */
  readonly good?: string;
}

/** A kind that is no matter of the publisher's: a report leaves it out. */
export interface OperatorMatter { readonly operator: string }

const STRICT = 'Home Assistant and Nextcloud check strictly and may refuse the whole feed';
const OUTLOOK_SILENT = 'Outlook shows nothing, without a message';
const ALL = 'All programs';
const TIMES = ['DTSTART', 'DTEND', 'DURATION'];
const ZONE_BEFORE = 'DTSTART;TZID=Our zone:20270110T180000';
const ZONE_AFTER = 'DTSTART;TZID=Europe/Warsaw:20270110T180000  (with the VTIMEZONE of Europe/Warsaw in the feed)';
const FETCH = { harm: 'unreadable', programs: `${ALL}: subscribers keep what they had, or see an error` } as const;
const ROW = { harm: 'lost', programs: 'Every importer: the row is left out, or read as something else' } as const;

/** Whether a kind is for the publisher to mend. */
export const isForPublisher = (code: string): boolean => code in FEED_ADVICE && !('operator' in FEED_ADVICE[code]!);

/** Every code that fetching, decoding, parsing and drafting can give, and what to say about it. */
export const FEED_ADVICE: Readonly<Record<string, Advice | OperatorMatter>> = {
  // Fetching.
  'feed-empty': { ...FETCH, title: 'The address answers with nothing', mend: 'Let it answer 200 with a whole calendar; one without events is a calendar, too.' },
  'feed-partial': { ...FETCH, title: 'The address answers with a part of the feed', mend: 'Switch byte ranges off for the feed, also in caches before it (answer 200, not 206).' },
  'feed-odd-answer': { ...FETCH, title: 'The address gives an answer that brings no feed', mend: 'Answer 200 with the feed, or 304 to a conditional request only.' },
  'feed-unauthorized': { ...FETCH, title: 'The address asks for a password', mend: 'Publish the feed at an address that needs none, or tell us the credentials.' },
  'feed-forbidden': { ...FETCH, title: 'The address may not be read', mend: 'Make the calendar public; do not block programs by their user agent, nor in robots.txt (Google Calendar obeys it).' },
  'feed-not-found': { ...FETCH, title: 'There is nothing at the address', mend: 'Restore the feed, or redirect the old address to the new one for good (301).' },
  'feed-gone': { ...FETCH, title: 'The feed has been taken down', mend: 'Redirect the old address to the new one for good (301), or tell your subscribers that it is over.' },
  'feed-busy': { ...FETCH, title: 'The server refuses because it is asked too often, or is busy', mend: 'Let caches answer: send ETag or Last-Modified and Cache-Control: max-age=900, and answer 304.' },
  'feed-server-error': { ...FETCH, title: 'The server fails', mend: 'Look into the server\'s log for the time of this report.' },
  'feed-refused-request': { ...FETCH, title: 'The server refuses a plain request', mend: 'Let the feed be read with a GET that has no cookies and any user agent.' },
  'feed-bad-redirect': { ...FETCH, title: 'The address leads on to nowhere', mend: 'Let Location hold a whole http or https address.' },
  'feed-redirects': { ...FETCH, title: 'The address leads in circles', mend: 'Let it lead to the feed in one step, and set no cookie on the way.' },
  'feed-insecure': { ...FETCH, title: 'A secure address leads to an insecure one', mend: 'Let it lead to an https address.' },
  'feed-timeout': { ...FETCH, title: 'The answer takes too long', mend: 'Make the feed on a schedule and serve it as a file, or serve less of it.' },
  'feed-cut-off': { ...FETCH, title: 'The answer breaks off', mend: 'Send a right Content-Length, and look at time limits of servers and proxies.' },
  'feed-bad-encoding': { ...FETCH, title: 'The compressed answer is damaged', mend: 'Compress once, and let Content-Encoding say how.' },
  'feed-too-large': { ...FETCH, title: 'The feed is too large', mend: 'Leave out what is long past, and offer a feed per category; Google reads 1 MB.' },
  'feed-too-many-lines': { ...FETCH, title: 'The feed has too many lines', mend: 'Leave out what is long past, and offer a feed per category.' },
  'feed-too-slow': { ...FETCH, title: 'The feed takes too long to read', mend: 'Write fewer and simpler recurrence rules, with an end (UNTIL), and leave out what is long past.' },
  'feed-too-complex': { ...FETCH, title: 'The feed takes too much memory to read', mend: 'Write fewer and simpler recurrence rules, with an end (UNTIL), and leave out what is long past.' },
  'feed-binary': { ...FETCH, title: 'The address answers with something that is no text', mend: 'Let it answer with the feed itself: no archive, spreadsheet, document or image.' },
  'feed-unknown-host': { ...FETCH, title: 'The host name has no address', mend: 'Check the name, and its entry in the DNS (also the one for IPv6).' },
  'feed-refused': { ...FETCH, title: 'Nothing answers at the address', mend: 'Start the server, and open its port.' },
  'feed-unreachable': { ...FETCH, title: 'The server cannot be reached', mend: 'Check the server\'s address and firewall, IPv4 and IPv6 both.' },
  'feed-not-tls': { ...FETCH, title: 'The https address does not speak TLS', mend: 'Serve TLS on that port, or give out the http address.' },
  'feed-tls': { ...FETCH, title: 'The certificate is not accepted', mend: 'Renew the certificate, for this very name, with all intermediate ones.' },
  'feed-unreadable': { operator: 'the reader failed' }, 'feed-invalid': { operator: 'the source\'s headers cannot be sent' }, 'feed-bad-address': { operator: 'the address of the source is none' }, 'feed-address-refused': { operator: 'the guard of this program' },
  'feed-proxy': { operator: 'a proxy of ours' }, 'file-not-allowed': { operator: 'a directory that the configuration does not name' }, 'file-unreadable': { operator: 'a file of ours' },
  // Whole files.
  'not-a-calendar': { harm: 'unreadable', title: 'This is not a whole calendar', programs: `${ALL}: subscribers keep what they had, or see an error`, mend: 'Answer with text/calendar from BEGIN:VCALENDAR to END:VCALENDAR, also when there are no events.', good: 'It is a whole calendar' },
  'begin-not-first': { harm: 'unreadable', title: 'Something stands before BEGIN:VCALENDAR', programs: 'Google Calendar reads nothing at all', mend: 'Let BEGIN:VCALENDAR be the first bytes: no blank line, no byte order mark.', before: '(blank line)\nBEGIN:VCALENDAR', after: 'BEGIN:VCALENDAR' },
  'refresh-form': { harm: 'unreadable', title: 'REFRESH-INTERVAL is written wrongly', programs: 'Home Assistant refuses the whole feed', mend: 'Name the value\'s kind as a parameter (RFC 7986, 5.7).', before: 'REFRESH-INTERVAL:VALUE=DURATION:PT1H', after: 'REFRESH-INTERVAL;VALUE=DURATION:PT1H' },
  'head-missing': { harm: 'unreadable', title: 'The calendar does not say what it is', programs: STRICT, mend: 'Begin with VERSION and PRODID (RFC 5545, 3.6).', before: 'BEGIN:VCALENDAR\nBEGIN:VEVENT', after: 'BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Your organisation//Calendar//EN\nBEGIN:VEVENT', good: 'VERSION and PRODID are there' },
  'feed-heavy': { harm: 'lost', title: 'The feed has more than 1 MB', programs: 'Google Calendar reads about 1 MB, and reports an error or stops', mend: 'Leave out what is long past, and offer a feed per category.', good: 'It has less than 1 MB' },
  'charset-guessed': { harm: 'wrong', title: 'The feed is not in UTF-8, and does not say what it is in', programs: `${ALL} that take it for UTF-8, as RFC 5545 (3.1.4) says, show wrong letters`, mend: 'Write UTF-8, and say so: Content-Type: text/calendar; charset=utf-8.', before: 'SUMMARY:Caf\uFFFD', after: 'SUMMARY:Café' },
  'charset-broken': { harm: 'wrong', title: 'Some characters are damaged', programs: `${ALL}: wrong letters, or an error`, mend: 'Write all of it in UTF-8; do not fold or cut a text inside a character.', before: 'SUMMARY:Caf\uFFFD', after: 'SUMMARY:Café' },
  'line-ends': { harm: 'details', title: 'Lines do not end with CRLF', programs: 'Strict readers; most programs cope', mend: 'End each line with CR and LF (RFC 5545, 3.1).', good: 'Lines end with CRLF' },
  'line-long': { harm: 'details', title: 'Lines are longer than 75 octets', programs: 'Strict readers and validators; most programs cope', mend: 'Fold lines at 75 octets: CRLF and a blank, never inside a character (RFC 5545, 3.1).', before: 'DESCRIPTION:A text of more than seventy-five octets goes on and on in one line', after: 'DESCRIPTION:A text of more than seventy-five octets goes on and on\n  in one line', good: 'Lines are folded at 75 octets' },
  // Components and lines.
  'component-not-ended': { harm: 'lost', title: 'Something begins and does not end', programs: `${STRICT}; ${OUTLOOK_SILENT}`, mend: 'Write the missing END; often a line of its own in a text (without folding) has broken it.', before: 'BEGIN:VEVENT\n…\nBEGIN:VEVENT', after: 'BEGIN:VEVENT\n…\nEND:VEVENT\nBEGIN:VEVENT' },
  'end-without-begin': { harm: 'lost', title: 'An END ends nothing', programs: `${STRICT}; ${OUTLOOK_SILENT}`, mend: 'Take it out, or write the missing BEGIN.' },
  'line-unreadable': { harm: 'lost', title: 'A line is no content line', programs: `${STRICT}`, mend: 'Write NAME:value; a line end inside a text is written \\n.', before: 'see you there', after: 'DESCRIPTION:Doors open at eight\\nsee you there' },
  'line-not-folded': { harm: 'wrong', title: 'A text goes on in a line of its own', programs: `${STRICT} (known from Apple's places); others cut the text off`, mend: 'Write line ends inside a text as \\n, and begin folded lines with a blank.', before: 'LOCATION:Main Hall\nStreet 1', after: 'LOCATION:Main Hall\\nStreet 1' },
  'property-repeated': { harm: 'wrong', title: 'A property stands more often than once', programs: 'Programs take the first or the last one, so that they differ; strict ones refuse it', mend: 'Write it once.', before: 'DTSTART:20270110T180000Z\nDTSTART:20270111T180000Z', after: 'DTSTART:20270110T180000Z' },
  'property-unreadable': { harm: 'details', title: 'A property of the calendar cannot be read', programs: STRICT, mend: 'Write it as RFC 5545 and RFC 7986 have it.' },
  'event-unreadable': { harm: 'lost', title: 'An event cannot be read', programs: STRICT, mend: 'Write it anew; look for damaged escapes and parameters.' },
  'event-without-start': { harm: 'lost', title: 'An event does not say when it is', programs: `No program can show it; ${OUTLOOK_SILENT}`, mend: 'Write DTSTART (RFC 5545, 3.6.1).', before: 'BEGIN:VEVENT\nSUMMARY:Fair\nEND:VEVENT', after: 'BEGIN:VEVENT\nDTSTART;VALUE=DATE:20270110\nSUMMARY:Fair\nEND:VEVENT', good: 'Every event says when it is' },
  'too-many-events': { harm: 'lost', title: 'The feed has too many events', programs: 'Most programs are slow or give up', mend: 'Leave out what is long past; write series as rules; offer a feed per category.' },
  'too-many-rules': { harm: 'lost', title: 'An event has too many rules', programs: 'Most programs read one rule', mend: 'Write one RRULE for an event; other rhythms are other events.' },
  'too-many-dates': { harm: 'lost', title: 'An event has too many dates', programs: 'Most programs are slow or give up', mend: 'Write the rhythm as an RRULE.' },
  'uid-missing': { harm: 'wrong', title: 'Events have no UID', programs: `${STRICT}; Thunderbird and others show events twice after each change`, mend: 'Give each event a UID that never changes, made from its number, not from time or title (RFC 5545, 3.8.4.7).', before: 'BEGIN:VEVENT\nSUMMARY:Fair', after: 'BEGIN:VEVENT\nUID:event-4711@your-site.example\nSUMMARY:Fair', shows: ['DTSTART', 'SUMMARY'], good: 'Every event has a UID' },
  'uid-shared': { harm: 'lost', title: 'Several events have the same UID', programs: 'Google, Apple and most others show one of them only', mend: 'Give each event a UID of its own; an occurrence of a series has its RECURRENCE-ID besides.', before: 'UID:0@default', after: 'UID:event-4711@your-site.example', shows: ['UID', 'DTSTART', 'SUMMARY'], good: 'No two events share a UID' },
  'dtstamp-missing': { harm: 'details', title: 'Events have no DTSTAMP', programs: STRICT, mend: 'Write when the event was last changed (RFC 5545, 3.8.7.2); not the time of the request, so that an unchanged feed stays the same.', before: 'UID:event-4711@your-site.example', after: 'UID:event-4711@your-site.example\nDTSTAMP:20261120T090000Z', shows: ['UID'], good: 'Every event has a DTSTAMP' },
  'revision-missing': { harm: 'wrong', title: 'Changes cannot be told', programs: 'Google Calendar and Outlook may ignore that an event was changed', mend: 'Raise SEQUENCE with each change, and write LAST-MODIFIED (RFC 5545, 3.8.7).', before: 'UID:event-4711@your-site.example', after: 'UID:event-4711@your-site.example\nSEQUENCE:2\nLAST-MODIFIED:20261120T090000Z', shows: ['UID'], good: 'Changes can be told (SEQUENCE or LAST-MODIFIED)' },
  // Times and zones.
  'date-unreadable': { harm: 'lost', title: 'A date or time is none', programs: `${STRICT}; others leave the event out`, mend: 'Write dates as 20270110, times as 20270110T180000 with a TZID or 20270110T170000Z (RFC 5545, 3.3.5).', before: 'DTSTART:2027-01-10 6 pm', after: 'DTSTART;TZID=Europe/Warsaw:20270110T180000', good: 'Every date can be read' },
  'duration-unreadable': { harm: 'wrong', title: 'A duration is none', programs: STRICT, mend: 'Write PT1H30M, P1D or P2W (RFC 5545, 3.3.6).', before: 'DURATION:1:30', after: 'DURATION:PT1H30M' },
  'end-before-start': { harm: 'wrong', title: 'Events end before they begin', programs: `${OUTLOOK_SILENT}; Google and others move the end`, mend: 'Let DTEND be later than DTSTART; after midnight it is the next day.', before: 'DTSTART:20270110T200000Z\nDTEND:20270110T010000Z', after: 'DTSTART:20270110T200000Z\nDTEND:20270111T010000Z', shows: TIMES, good: 'No event ends before it begins' },
  'end-of-other-kind': { harm: 'wrong', title: 'A start is a day and its end a time, or the reverse', programs: STRICT, mend: 'Write both as days or both as times (RFC 5545, 3.8.2.2).', before: 'DTSTART;VALUE=DATE:20270110\nDTEND:20270110T220000Z', after: 'DTSTART:20270110T180000Z\nDTEND:20270110T220000Z', shows: TIMES },
  'end-is-start': { harm: 'details', title: 'The end of whole days is their start', programs: 'Programs show one day or none: the end of days is exclusive', mend: 'Write the day after the last one, or leave DTEND out (RFC 5545, 3.6.1).', before: 'DTSTART;VALUE=DATE:20270110\nDTEND;VALUE=DATE:20270110', after: 'DTSTART;VALUE=DATE:20270110\nDTEND;VALUE=DATE:20270111', shows: TIMES },
  'date-undeclared': { harm: 'wrong', title: 'Days are not said to be days', programs: STRICT, mend: 'Write VALUE=DATE (RFC 5545, 3.3.4).', before: 'DTSTART:20270110', after: 'DTSTART;VALUE=DATE:20270110' },
  'timezone-undescribed': { harm: 'wrong', title: 'A time zone is named and not described', programs: 'Outlook for Windows shows the wrong hour; Outlook on the web may refuse the feed', mend: 'Put the VTIMEZONE of each TZID into the feed (RFC 5545, 3.6.5).', before: 'BEGIN:VEVENT\nDTSTART;TZID=Europe/Warsaw:20270110T180000', after: 'BEGIN:VTIMEZONE\nTZID:Europe/Warsaw\n…\nEND:VTIMEZONE\nBEGIN:VEVENT\nDTSTART;TZID=Europe/Warsaw:20270110T180000', good: 'Every time zone is described' },
  'timezone-unknown': { harm: 'wrong', title: 'A time zone is unknown', programs: `${ALL}: times are taken for local, or for UTC, or the feed is refused`, mend: 'Use a name of the IANA list, such as Europe/Warsaw, and put its VTIMEZONE into the feed.', before: ZONE_BEFORE, after: ZONE_AFTER, shows: TIMES },
  'timezone-unreadable': { harm: 'wrong', title: 'A VTIMEZONE cannot be used', programs: 'Outlook refuses the feed or shows the wrong hour', mend: 'Write TZID, and for each STANDARD and DAYLIGHT the DTSTART, TZOFFSETFROM and TZOFFSETTO (RFC 5545, 3.6.5).' },
  'timezone-contradiction': { harm: 'wrong', title: 'A VTIMEZONE contradicts the zone it is named after', programs: 'Outlook, Apple and Home Assistant follow the VTIMEZONE, Google and others the name: they show different hours', mend: 'Take today\'s rules of that zone from the IANA database; old libraries have old ones.' },
  'timezone-private': { harm: 'wrong', title: 'A time zone has rules of its own', programs: 'Google Calendar and others do not know the name and may show another hour', mend: 'Use a name of the IANA list, and its rules.', before: ZONE_BEFORE, after: ZONE_AFTER },
  'times-floating': { harm: 'wrong', title: 'Times do not say their zone', programs: 'Google Calendar takes them for UTC in subscriptions; Home Assistant does not know X-WR-TIMEZONE; others take the reader\'s own zone, so that a traveller sees another hour', mend: 'Name the zone of each time, or write UTC.', before: 'DTSTART:20270110T180000', after: ZONE_AFTER, shows: TIMES, good: 'Every time says its zone' },
  'times-utc': { operator: 'the zone in which times in UTC are shown' },
  'no-events': { harm: 'details', title: 'The feed holds no event that could be shown', programs: `${ALL}: subscribers see an empty calendar`, mend: 'Put the events to come into it, public and with their titles; an address that names a year must be replaced each year.' },
  'timezone-missing': { operator: 'the zone in which we read them; times-floating tells the publisher' },
  'time-ambiguous': { harm: 'details', title: 'A time falls into the hour in which the clocks change', programs: 'Programs differ by an hour', mend: 'Write such times in UTC.', before: 'DTSTART;TZID=Europe/Warsaw:20271031T023000', after: 'DTSTART:20271031T003000Z', shows: TIMES },
  // Series.
  'rule-invalid': { harm: 'lost', title: 'A recurrence rule cannot be used', programs: `${OUTLOOK_SILENT}; Google shows the first date only; ${STRICT}`, mend: 'Write the rule as RFC 5545 (3.3.10) has it.', before: 'RRULE:FREQ=FORTNIGHTLY', after: 'RRULE:FREQ=WEEKLY;INTERVAL=2', good: 'Every recurrence rule can be used' },
  'rule-repaired': { harm: 'wrong', title: 'A recurrence rule has parts that are not allowed', programs: `Outlook refuses it; ${STRICT}`, mend: 'Leave out what RFC 5545 (3.3.10) forbids.', before: 'RRULE:FREQ=WEEKLY;BYDAY=1MO', after: 'RRULE:FREQ=WEEKLY;BYDAY=MO' },
  'rule-rare': { harm: 'wrong', title: 'A rule is more than some programs know', programs: 'Outlook knows one day of a month or one nth weekday, and no hours; it refuses or misreads the rest', mend: 'Part the series into simple ones.', before: 'RRULE:FREQ=MONTHLY;BYDAY=1MO,3MO', after: 'RRULE:FREQ=MONTHLY;BYDAY=1MO  (and a second series with BYDAY=3MO)' },
  'rdate-alone': { harm: 'lost', title: 'A series is a list of dates', programs: 'Outlook refuses RDATE without RRULE', mend: 'Write each date as an event of its own, with a UID of its own.', before: 'RDATE:20270117T180000Z,20270124T180000Z', after: 'RRULE:FREQ=WEEKLY;COUNT=3' },
  'until-not-utc': { harm: 'details', title: 'The end of a series is not in UTC', programs: 'Programs differ on the last occurrence; strict ones refuse the rule', mend: 'Write UNTIL in UTC where DTSTART has a zone (RFC 5545, 3.3.10).', before: 'RRULE:FREQ=WEEKLY;UNTIL=20270131T180000', after: 'RRULE:FREQ=WEEKLY;UNTIL=20270131T170000Z' },
  'start-outside-rule': { harm: 'wrong', title: 'A series starts on a day that its rule does not give', programs: 'Some programs show the first date, others do not (RFC 5545, 3.8.5.3)', mend: 'Let DTSTART be the first day of the rule.', before: 'DTSTART:20270110T180000Z\nRRULE:FREQ=WEEKLY;BYDAY=MO', after: 'DTSTART:20270111T180000Z\nRRULE:FREQ=WEEKLY;BYDAY=MO', shows: ['DTSTART', 'RRULE'] },
  'until-before-start': { harm: 'lost', title: 'A series ends before it begins', programs: 'Programs show the first date, or nothing', mend: 'Let UNTIL be later than DTSTART; leave the rule out where there is one date only.', before: 'DTSTART:20270111T180000Z\nRRULE:FREQ=DAILY;UNTIL=20270101T000000Z', after: 'DTSTART:20270111T180000Z\nRRULE:FREQ=DAILY;UNTIL=20270115T180000Z', shows: ['DTSTART', 'RRULE'] },
  'series-ended': { operator: 'a series that was ended on its first date, as Google Calendar writes it; it has no dates' },
  'series-cut': { harm: 'lost', title: 'A series has too many occurrences', programs: 'Most programs are slow, or stop somewhere', mend: 'Give the rule an end (UNTIL), and no rhythm of hours or less.', before: 'RRULE:FREQ=MINUTELY', after: 'RRULE:FREQ=DAILY;UNTIL=20271231T000000Z', shows: ['RRULE'] },
  'feed-cut': { harm: 'lost', title: 'The feed has too many occurrences', programs: 'Most programs are slow, or stop somewhere', mend: 'Give rules an end (UNTIL), and offer a feed per category.' },
  'override-without-series': { harm: 'wrong', title: 'A changed occurrence has no series', programs: 'Apple Calendar and strict readers leave it out; others show it by itself', mend: 'Put the series into the feed, or leave out RECURRENCE-ID.', shows: ['RECURRENCE-ID', 'DTSTART', 'SUMMARY'] },
  'override-unmatched': { harm: 'wrong', title: 'A changed occurrence names none of its series', programs: 'Programs show it besides the occurrence that it should replace, or not at all', mend: 'Let RECURRENCE-ID be the original start, in the zone of DTSTART (RFC 5545, 3.8.4.4).', before: 'RECURRENCE-ID;VALUE=DATE:20270110', after: 'RECURRENCE-ID;TZID=Europe/Warsaw:20270110T180000', shows: ['RECURRENCE-ID', 'DTSTART', 'SUMMARY'] },
  'override-excluded': { harm: 'wrong', title: 'A changed occurrence is excluded by its series', programs: 'Some programs show the change, others nothing', mend: 'Take the EXDATE out, or the changed occurrence.', before: 'EXDATE:20270110T170000Z\n…\nRECURRENCE-ID:20270110T170000Z', after: 'RECURRENCE-ID:20270110T170000Z', shows: ['RECURRENCE-ID', 'DTSTART', 'SUMMARY'] },
  'series-with-recurrence-id': { harm: 'lost', title: 'A series bears a RECURRENCE-ID', programs: 'Most programs take it for one changed occurrence, and show that date only', mend: 'Leave RECURRENCE-ID out of the component that has the rule (RFC 5545, 3.8.4.4).', before: 'RECURRENCE-ID:19700101T000000Z\nRRULE:FREQ=WEEKLY', after: 'RRULE:FREQ=WEEKLY', shows: ['RECURRENCE-ID', 'DTSTART', 'RRULE'] },
  // Words.
  'title-missing': { harm: 'details', title: 'Events have no title', programs: 'Most programs show "No title" or nothing', mend: 'Write SUMMARY.', before: 'BEGIN:VEVENT\nDTSTART;VALUE=DATE:20270110', after: 'BEGIN:VEVENT\nDTSTART;VALUE=DATE:20270110\nSUMMARY:Fair', shows: ['UID', 'DTSTART'], good: 'Every event has a title' },
  'text-cut': { harm: 'details', title: 'A text is very long', programs: 'Most programs cut it', mend: 'Write the first paragraphs, and a link to the rest (URL).', shows: ['SUMMARY'] },
  'address-unusable': { harm: 'details', title: 'A URL is no web address', programs: 'Nobody can follow it', mend: 'Write the whole address, with https.', before: 'URL:event/4711', after: 'URL:https://your-site.example/event/4711', shows: ['URL'] },
  'description-elsewhere': { harm: 'details', title: 'A description stands elsewhere', programs: `${ALL} show no description`, mend: 'Write the text into DESCRIPTION; ALTREP may repeat it as HTML (RFC 5545, 3.2.1).', before: 'DESCRIPTION;ALTREP="https://your-site.example/4711.html":', after: 'DESCRIPTION:Doors open at eight.', shows: ['DESCRIPTION'] },
  'html-in-description': { harm: 'details', title: 'Descriptions hold HTML', programs: 'Apple Calendar and Thunderbird show the tags', mend: 'Write plain text into DESCRIPTION, and the HTML into X-ALT-DESC and ALTREP.', before: 'DESCRIPTION:<b>Doors</b> open at eight', after: 'DESCRIPTION:Doors open at eight\nX-ALT-DESC;FMTTYPE=text/html:<b>Doors</b> open at eight', good: 'Descriptions are plain text' },
  // CSV.
  'not-csv-page': { harm: 'unreadable', title: 'This is a web page, not CSV', programs: 'Every importer', mend: 'Give the address of the file itself; a shared sheet must be published to the web as CSV.' },
  'csv-empty': { harm: 'unreadable', title: 'The file is empty', programs: 'Every importer', mend: 'Write a header row at least.' },
  'csv-header': { harm: 'unreadable', title: 'The header names no title or no date', programs: 'Every importer that goes by names', mend: 'Name the columns in the first row.', before: 'A;B;C', after: 'title;start date;start time;venue' },
  'column-gone': { harm: 'lost', title: 'A column is gone', programs: 'Every importer: what the column held is left as it was, or lost', mend: 'Keep the names of columns as they are.' },
  'csv-quote': { ...ROW, title: 'A quotation mark is never closed', mend: 'Write quotation marks inside a quoted cell twice.', before: '"The "Blue" Hall",2027-01-10', after: '"The ""Blue"" Hall",2027-01-10' },
  'csv-record': { ...ROW, title: 'A row cannot be read', mend: 'Write it as RFC 4180 has it: quote cells with commas, quotation marks or line ends.' },
  'csv-stopped': { ...ROW, title: 'Too many rows are damaged: the rest was not read', mend: 'Export the table anew, as UTF-8 with quoted cells, and look whether it is whole.' },
  'row-limit': { ...ROW, title: 'Rows repeat themselves more often than can be read', mend: 'Give the rule an end (UNTIL or COUNT), or write one row for each date.', before: 'Walk,2027-01-10,FREQ=HOURLY', after: 'Walk,2027-01-10,FREQ=WEEKLY;COUNT=10' },
  'row-formula': { ...ROW, title: 'A cell that is needed holds an error of the spreadsheet', mend: 'Mend the formula, or write the value.', before: '#REF!,2027-01-10', after: 'Fair,2027-01-10' },
  'cell-formula': { harm: 'details', title: 'A cell holds an error of the spreadsheet', programs: 'Most importers show the error to the public', mend: 'Mend the formula, or write the value.', before: 'Fair,2027-01-10,#N/A', after: 'Fair,2027-01-10,Main Hall' },
  'row-cut': { ...ROW, title: 'A row ends too early', mend: 'Give each row a cell for each column.' },
  'row-ragged': { harm: 'wrong', title: 'A row has more or fewer cells than the header', programs: 'Cells land in the wrong column', mend: 'Quote cells that hold the separator.', before: 'Fair, with music,2027-01-10', after: '"Fair, with music",2027-01-10' },
  'row-title': { ...ROW, title: 'A row has no title', mend: 'Fill it in, or take the row out.' },
  'row-date': { ...ROW, title: 'A date is none', mend: 'Write dates as 2027-01-10.', before: 'Fair,next Sunday', after: 'Fair,2027-01-10' },
  'row-time': { ...ROW, title: 'A time is none', mend: 'Write times as 19:30.', before: 'Fair,2027-01-10,evening', after: 'Fair,2027-01-10,19:30' },
  'ambiguous-date': { ...ROW, title: 'A date can be read in two ways', mend: 'Write dates as 2027-04-03.', before: 'Fair,03/04/2027', after: 'Fair,2027-04-03' },
  'row-end-before-start': { ...ROW, title: 'An event ends before it begins', mend: 'Write the end\'s own date where it is after midnight.' },
  'row-recurrence': { ...ROW, title: 'A rule of recurrence cannot be used', mend: 'Write a rule such as FREQ=WEEKLY;BYDAY=MO;COUNT=10, or one row for each date.' },
  'nul-bytes': { harm: 'details', title: 'The file holds NUL bytes', programs: 'Spreadsheets and importers stop there', mend: 'Export the file as UTF-8.' },
  'not-csv': { operator: 'the source says another format' }, 'column-field': { operator: 'the columns of the source' }, 'column-missing': { operator: 'the columns of the source' },
};
