import { decodeEntities } from '../../html/references.ts';
import { isWebAddress } from './web-address.ts';

/** Longer texts hold no meeting address beyond this point. */
const TEXT_MAX = 20_000;

// Addresses for joining a meeting, not the services' own pages about downloads or dial-in numbers.
const MEETING = new RegExp(
  String.raw`https:\/\/(?:${[
    String.raw`(?:[\w-]+\.)?zoom(?:gov)?\.us\/(?:j|w|s|my|webinar\/register|meeting\/register)\/`,
    String.raw`teams\.(?:microsoft|live)\.com\/(?:l\/meetup-join|meet)\/`,
    String.raw`meet\.google\.com\/[a-z]{3}-`,
    String.raw`[\w-]+\.webex\.com\/(?:meet\/|join\/|[\w-]+\/j\.php\?)`,
    String.raw`(?:app\.)?gotomeet(?:ing)?\.(?:com|me)\/`,
    String.raw`whereby\.com\/`,
    String.raw`meet\.jit\.si\/`,
  ].join('|')})[^\s"'<>\\)\]]+`,
  'i',
);

/** The address of a meeting in a text; '' if there is none. */
export const meetingIn = (text: string): string =>
  text.includes('://')
    ? decodeEntities(MEETING.exec(text.slice(0, TEXT_MAX))?.[0] ?? '').replace(/[.,;:!?]+$/, '')
    : '';

/** Words in an aside that says where to find the meeting: "Webex (info below)". */
const ASIDES =
  'below|above|info|link|details|description|online|virtual|unten|beschreibung|virtuell|lien|enlace|beneden';

/** The name of a meeting service on its own, which Outlook and others add to a place or write in its place. */
const MEETING_NAMES = new RegExp(
  String.raw`(?<=^|[;,|/\n]\s{0,9})(?:${[
    String.raw`(?:microsoft |ms )?teams[ -]{1,2}(?:meeting|besprechung|vergadering|møde|møte|möte|kokous|értekezlet)`,
    String.raw`(?:réunion|reunión(?: de)?|riunione(?: di)?|reunião(?: do)?|spotkanie(?: w aplikacji)?|schůzka(?: v)?) microsoft teams`,
    '(?:microsoft|ms) teams',
    'google (?:meet|hangouts)',
    'zoom(?: meeting| webinar)?',
    '(?:cisco )?webex(?: meeting)?',
    'skype(?: for business)?(?: meeting)?',
  ].join('|')})(?:\s*\([^()]{0,80}\b(?:${ASIDES})\b[^()]{0,80}\))?(?=\s*(?:$|[;,|/\n]))`,
  'giu',
);

/** Whether a place is named like an online meeting, or has one beside it. */
export const namesMeeting = (place: string): boolean => place.search(MEETING_NAMES) >= 0;

/**
 * A place without the online meeting in it. The address is removed and, if it is known from elsewhere, so is the
 * service's name, which says nothing more.
 */
export function withoutMeeting(text: string, isAddressKnown: () => boolean): string {
  const place = withoutAddress(text);
  return namesMeeting(place) && isAddressKnown()
    ? place.replace(MEETING_NAMES, '').replace(SEPARATORS, '').replace(FIRST_SEPARATORS, '')
    : place;
}

/** Fillers for a field that must not be empty: a dash, question marks. */
const NO_NAME = /^(?:[^\p{L}\p{N}]*|n\/a)$/iu;

/** Whether a text does not name a place: it is empty, an address, or a filler. */
export const isNoPlace = (name: string): boolean => NO_NAME.test(name) || isWebAddress(name);

/** Removes the address of a meeting from a place: "Main Hall or https://zoom.us/j/1" becomes Main Hall. */
function withoutAddress(text: string): string {
  const meeting = MEETING.exec(text);
  if (!meeting) return text;
  const before = text.slice(0, meeting.index).trimEnd();
  const after = text.slice(meeting.index + meeting[0].length);
  const isBracketed = ['()', '[]', '<>'].includes(`${before.at(-1)}${after.trimStart().at(0)}`);
  const [place, more] = isBracketed ? [before.slice(0, -1), after.trimStart().slice(1)] : [before, after];
  return `${place.replace(SEPARATORS, '').replace(OR, '')}${more}`.replace(SEPARATORS, '').trim();
}

const FIRST_SEPARATORS = /^[\s:;,/|–-]+/;
const SEPARATORS = /(?<![\s:;,/|–-])[\s:;,/|–-]+$/;
const OR = /\s(?:or|and|oder|lub|ou|o|of)$/i;
