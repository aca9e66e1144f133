import { decodedPart } from '../../ascii.ts';
import { decodeEntities } from '../../html/references.ts';
import type { CalendarEvent } from '../../ical/read/calendar.ts';
import type { TextValue } from '../../ical/read/values.ts';
import { isPicture } from './calendar-places.ts';
import { webAddressFrom } from './web-address.ts';
import { shortened } from '../../html/shortened.ts';

/** A link for visitors. */
export interface AttachedLink {
  readonly address: string;
  readonly label: string;
}

/** The most links added to a description; more would be a catalogue. */
export const LINKS_MAX = 10;
const LABEL_MAX = 200;

/**
 * Documents and pages that come with an event, such as a programme in PDF: ATTACH unless it is a picture (RFC 5545,
 * 3.8.1.1), and LINK (RFC 9253, 8.2). Each address occurs once.
 */
export function linksFromEvent({ texts: { ATTACH = NONE, LINK = NONE } }: CalendarEvent): readonly AttachedLink[] {
  const found = [...ATTACH.filter((value) => !isPicture(value)), ...LINK].flatMap((value) => {
    const address = addressOf(value);
    return address === undefined ? [] : [[address, { address, label: labelOf(value, address) }] as const];
  });
  return [...new Map(found).values()];
}

/** How many attachments and pictures visitors cannot open, because they are embedded in the feed or not on the web. */
export const countUnlinkable = ({ texts: { ATTACH = NONE, IMAGE = NONE } }: CalendarEvent): number =>
  [...ATTACH, ...IMAGE].filter((value) => value.text.trim() !== '' && addressOf(value) === undefined).length;

const NONE: readonly TextValue[] = [];

const addressOf = ({ text, parameters }: TextValue): string | undefined =>
  parameters['VALUE']?.toUpperCase() === 'BINARY' ? undefined : webAddressFrom(text);

/** The label of a link: the feed's, else the file's name, else the host. */
function labelOf({ parameters }: TextValue, address: string): string {
  const named = ['LABEL', 'FILENAME', 'X-FILENAME', 'X-LABEL', 'TITLE']
    .map((name) => decodeEntities(parameters[name] ?? '').trim())
    .find((text) => text !== '');
  const { pathname = '', hostname = '' } = URL.parse(address) ?? {};
  const label = named ?? (decodedPart(pathname.split('/').at(-1) ?? '') || hostname);
  return shortened(label.replace(/\s+/g, ' '), LABEL_MAX);
}
