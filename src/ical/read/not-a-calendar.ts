import { pageInWords } from './web-page.ts';

/**
 * Why a text is not a complete calendar, as a sentence for the operator; null if it is complete. `addresses` are the
 * requested one and those it redirected to. Such a text counts as a failed fetch, not as an empty feed, so it does not
 * remove any events.
 */
export function notACalendar(text: string, addresses: readonly string[] = []): string | null {
  const head = text
    .slice(0, 20_000)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (head === '') return 'The feed is empty: the address answered without any text.';
  const begins = countOf(text, /^[ \t\uFEFF]*BEGIN:VCALENDAR[ \t]*$/gim);
  const ends = countOf(text, /^[ \t\uFEFF]*END:VCALENDAR[ \t]*$/gim);
  if (begins === 0 && ends === 0 && !isBareComponents(text)) return otherFormat(head, text, addresses);
  if (/^<(?:!doctype|html|\?xml|head|body)/i.test(head)) return otherFormat(head, text, addresses);
  if (ends < begins) return 'The calendar is cut off: it has no END:VCALENDAR. The download was probably incomplete.';
  return null;
}

// In multiline mode, CR ends a line, too.
const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Complete events without a calendar around them, as some tools write them. */
function isBareComponents(text: string): boolean {
  const begins = countOf(text, /^BEGIN:VEVENT[ \t]*$/gim);
  return (
    begins > 0 &&
    begins === countOf(text, /^END:VEVENT[ \t]*$/gim) &&
    /END:[A-Z-]+\s*$/i.test(text.trimEnd().slice(-80))
  );
}

const ICS_ADDRESS = 'Look for an address that ends in .ics.';
/** How other formats begin; for XML, the first element. The first match counts. */
const OTHER_FORMATS: readonly (readonly [start: RegExp, is: string])[] = [
  [/^BEGIN:VCARD/i, 'a vCard (an address book entry), not a calendar.'],
  [
    /^\[\s*(?:\[\s*)?"vcalendar"/i,
    'jCal (RFC 7265), a calendar written as JSON, which is not read here. Most servers have the same calendar as ' +
      'iCalendar: leave "accept=jcal" out of the address, or look for one that ends in .ics.',
  ],
  [/^[{[]/, `JSON, not an iCalendar feed. ${ICS_ADDRESS}`],
  [
    /^<(?:\w+:)?icalendar\b/i,
    `xCal (RFC 6321), a calendar written as XML, which is not read here. Most servers have the same calendar as iCalendar. ${ICS_ADDRESS}`,
  ],
  [/^<(?:rss|rdf:rdf|feed)\b/i, `a feed of news (RSS or Atom), which does not say when events are. ${ICS_ADDRESS}`],
];

function otherFormat(head: string, text: string, addresses: readonly string[]): string {
  const start = head.startsWith('<') ? head.slice(Math.max(0, head.search(/<[a-z]/i))) : head;
  const known = OTHER_FORMATS.find(([begins]) => begins.test(start));
  if (known) return `This is ${known[1]}`;
  if (/^<\?xml/i.test(head) && !/^<html\b/i.test(start)) return `This is XML, not an iCalendar feed. ${ICS_ADDRESS}`;
  if (/^<|<html|<body/i.test(head)) return pageInWords(text, addresses);
  return 'This is not a calendar: it has no BEGIN:VCALENDAR.';
}
