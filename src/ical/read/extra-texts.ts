import { textOf } from './calendar.ts';
import type { ComponentValues } from './values.ts';

/** A short text of an event for which RFC 5545 has no property. */
interface ExtraText {
  /**
   * The properties that may hold it. In feeds, the first one that has a value counts; we write the first of the list.
   */
  readonly properties: readonly [string, ...string[]];
  /** Its name among Trumba's own fields (X-TRUMBA-CUSTOMFIELD;NAME=…). */
  readonly trumba?: RegExp;
}

/** These texts by their names in a calendar's content: we read them from feeds and write them into our own. */
const EXTRA_TEXTS = {
  // X-COST is written by The Events Calendar and All-in-One Event Calendar.
  cost: {
    properties: ['X-COST', 'X-BEDEWORK-COST'],
    trumba: /^(?:cost|price|admission|fee|ticket price)s?$/i,
  },
} as const satisfies Readonly<Record<string, ExtraText>>;

export type ExtraTextName = keyof typeof EXTRA_TEXTS;
// Object.keys returns plain strings, although the names are those of the table.
export const EXTRA_TEXT_NAMES = Object.keys(EXTRA_TEXTS) as readonly ExtraTextName[];

/** An extra text on one line, as a feed gives it; '' if it gives none. */
export function extraTextOf(texts: ComponentValues['texts'], name: ExtraTextName): string {
  const { properties, trumba }: ExtraText = EXTRA_TEXTS[name];
  const written = properties.map((property) => textOf(texts, property)).find((text) => text !== '');
  const custom = texts['X-TRUMBA-CUSTOMFIELD']?.find(({ parameters }) => trumba?.test(parameters['NAME'] ?? ''));
  const text = written ?? custom?.text ?? '';
  return text === '' ? '' : text.trim().replace(/\s+/g, ' ');
}

/** The property that holds an extra text in our own calendars. */
export const propertyOf = (name: ExtraTextName): string => EXTRA_TEXTS[name].properties[0];

/** The properties that may hold an extra text in feeds. */
export const propertiesOf = (name: ExtraTextName): readonly string[] => EXTRA_TEXTS[name].properties;
