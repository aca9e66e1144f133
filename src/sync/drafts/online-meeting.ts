import { decodeEntities } from '../../html/references.ts';
import { isWebAddress } from './web-address.ts';

/** Longer texts hold no address of a meeting beyond this point. */
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

/** Words of an aside that tells where to find the meeting, and no place: "Webex (info below)". */
const ASIDES =
  'below|above|info|link|details|description|online|virtual|unten|beschreibung|virtuell|lien|enlace|beneden';

/** What Outlook and others add to a place, or write instead of one, for a meeting: the service, as a part of its own. */
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

/** Whether a place is called like an online meeting, or has one beside it. */
export const namesMeeting = (place: string): boolean => place.search(MEETING_NAMES) >= 0;

/**
 * A place without the online meeting in it: without its address, and, where that is known, without what a program calls
 * it, which tells nobody anything beside the address.
 */
export function withoutMeeting(text: string, isAddressKnown: () => boolean): string {
  const place = withoutAddress(text);
  return namesMeeting(place) && isAddressKnown()
    ? place.replace(MEETING_NAMES, '').replace(SEPARATORS, '').replace(FIRST_SEPARATORS, '')
    : place;
}

/** What stands in a field that must not stay empty: a dash, question marks. */
const NO_NAME = /^(?:[^\p{L}\p{N}]*|n\/a)$/iu;

/** Whether a text is the name of no place: it is empty, an address, or a sign for nothing. */
export const isNoPlace = (name: string): boolean => NO_NAME.test(name) || isWebAddress(name);

/** A place without the address of a meeting: "Main Hall or https://zoom.us/j/1" is the Main Hall. */
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
