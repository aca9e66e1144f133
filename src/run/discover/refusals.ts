import type { Problem } from '../../problem.ts';

/** What to do if an address gives no feed, by problem code. */
const ADVICE: Partial<Record<Problem['code'], string>> = {
  'feed-not-found':
    'Private calendars give the same answer: make it public first, or copy its secret address. Check the address in a browser.',
  'feed-gone': 'Ask the publisher for the new address.',
  'feed-unauthorized':
    'Ask for the public address. If there is none, add the source by hand, with auth: and the password in the environment.',
  'feed-forbidden':
    'Open it in a private window of your browser. If it is refused there, too, it is not public; otherwise ask the publisher to let programs read it.',
  'feed-address-refused': 'Only the person who runs calsyncd can allow that.',
  'feed-own': 'Paste the address of the calendar that these events come from.',
  'feed-unknown-host': 'Check the spelling of the address.',
  'feed-not-tls': 'If its server has no https, begin the address with http://.',
  'feed-timeout': 'Try again later; some servers are slow to answer the first request.',
  'feed-busy': 'Try again in a few minutes.',
  'feed-server-error': 'The server has a problem. Try again later.',
  'feed-too-large': 'Ask for a calendar with fewer years in it.',
};

/** How to make a private calendar of a well-known service public. */
const BY_SERVICE: readonly (readonly [host: RegExp, codes: RegExp, advice: string])[] = [
  [
    /(?:^|\.)google\.com$/,
    /not-found|unauthorized|forbidden/,
    'In Google Calendar: Settings, your calendar, "Make available to public"; or copy its "Secret address in iCal format" there.',
  ],
  [
    /(?:^|\.)(?:outlook\.(?:live|office|office365)\.com|outlook\.com)$/,
    /not-found|unauthorized|forbidden|bad-request/,
    'In Outlook: Settings, Calendar, Shared calendars, "Publish a calendar", and copy the ICS link.',
  ],
  [
    /(?:^|\.)icloud\.com$/,
    /not-found|unauthorized|forbidden/,
    "In Apple's Calendar: share the calendar as a public one, and copy the address that begins with webcal://.",
  ],
];

/** What a person can do about an address that gives no feed; undefined if the problem itself says enough. */
export function adviceOn(code: Problem['code'], address: string): string | undefined {
  const host = URL.parse(address.replace(/^webcal(s?):/i, 'http$1:'))?.hostname ?? '';
  const service = BY_SERVICE.find(([hosts, codes]) => hosts.test(host) && codes.test(code));
  return service?.[2] ?? ADVICE[code];
}
