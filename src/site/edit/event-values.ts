import { isBlank } from '../../ascii.ts';
import type { Event } from '../../contract/representation.ts';
import { encodedAddress, isWebAddress } from '../../contract/post-args.ts';
import { HTML_MAX, LINE_MAX } from '../../contract/limits.ts';
import type { Sent } from '../../request-bytes.ts';
import { withLoneAmpersands, withoutReferences } from '../../html/references.ts';
import { safeHtml } from '../../html/sanitize.ts';
import { textFromHtml } from '../../html/text.ts';
import { endOfGap, isDay, type Wall } from '../../time.ts';
import type { EventRow } from '../store/tables.ts';

/** The text fields of an event's form, in order. */
export const TEXT_FIELDS = [
  'title',
  'startDay',
  'startTime',
  'endDay',
  'endTime',
  'venue',
  'organizer',
  'tags',
  'cost',
  'website',
  'description',
  'language',
] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

/** The contents of an event's form. */
export interface EventValues extends Readonly<Record<TextField, string>> {
  readonly allDay: boolean;
  /** Ids. */
  readonly categories: readonly string[];
}

export type EditField = keyof EventValues | 'image';

/** What is wrong with a field, by the name of the message. */
export type Fault =
  | 'missing'
  | 'noDay'
  | 'noTime'
  | 'endsBefore'
  | 'afterMidnight'
  | 'noAddress'
  | 'tooLong'
  | 'refused'
  | 'noPicture'
  | 'newTag';
/** A local time that clocks being put forward skip, and the first one after the gap. */
export interface SkippedTime {
  readonly skippedTo: string;
}
export type Faults = Readonly<Partial<Record<EditField, Fault | SkippedTime>>>;

export const NO_VALUES: EventValues = {
  title: '',
  startDay: '',
  startTime: '',
  endDay: '',
  endTime: '',
  venue: '',
  organizer: '',
  tags: '',
  cost: '',
  website: '',
  description: '',
  language: '',
  allDay: false,
  categories: [],
};

const NAMES = ' | ';

/** Fills the form from a stored event. */
export function valuesOf(row: EventRow, event: Event): EventValues {
  const venues = 'id' in event.venue ? [event.venue] : event.venue;
  return {
    title: typedText(row.title),
    allDay: row.all_day,
    startDay: row.start_wall.slice(0, 10),
    startTime: row.all_day ? '' : row.start_wall.slice(11, 16),
    endDay: row.end_wall.slice(0, 10),
    endTime: row.all_day ? '' : row.end_wall.slice(11, 16),
    venue: venues.map(({ venue }) => typedText(venue)).join(NAMES),
    organizer: event.organizer.map(({ organizer }) => typedText(organizer)).join(NAMES),
    categories: event.categories.map(({ id }) => String(id)),
    tags: event.tags.map(({ name }) => typedText(name)).join(', '),
    cost: typedText(event.cost),
    website: row.website ?? '',
    description: row.description,
    language: row.language,
  };
}

/** Reads the form as sent. */
export function valuesSent({ field, all }: Sent): EventValues {
  const texts = Object.fromEntries(TEXT_FIELDS.map((name) => [name, field(name).replace(/\r\n?/g, '\n').trim()]));
  // TEXT_FIELDS has all the names.
  return {
    ...(texts as unknown as Record<TextField, string>),
    allDay: field('allDay') !== '',
    categories: all('categories').filter((id) => /^\d{1,9}$/.test(id)),
  };
}

/** Checks a form before the interface is called. `zone` is that of its times. */
export function faultsIn(values: EventValues, zone: string): Faults {
  const { title, website, description, ...rest } = values;
  return {
    ...(isBlank(title) && { title: 'missing' as const }),
    ...timeFaults(values, zone),
    ...(website !== '' && !isWebAddress(encodedAddress(website)) && { website: 'noAddress' as const }),
    ...Object.fromEntries(
      (['venue', 'organizer', 'tags', 'cost'] as const).flatMap((name) =>
        rest[name].length > LINE_MAX ? [[name, 'tooLong']] : [],
      ),
    ),
    ...(title.length > LINE_MAX && { title: 'tooLong' as const }),
    ...(description.length > HTML_MAX && { description: 'tooLong' as const }),
  };
}

function timeFaults(values: EventValues, zone: string): Faults {
  const { startDay, startTime, endDay, endTime, allDay } = values;
  const said: readonly (readonly [EditField, Fault | undefined])[] = [
    ['startDay', isDay(startDay) ? undefined : faultOfEmpty(startDay, 'noDay')],
    ['startTime', allDay || isTime(startTime) ? undefined : faultOfEmpty(startTime, 'noTime')],
    ['endDay', endDay === '' || isDay(endDay) ? undefined : 'noDay'],
    ['endTime', allDay || endTime === '' || isTime(endTime) ? undefined : 'noTime'],
  ];
  const faults = said.filter(([, fault]) => fault !== undefined);
  return faults.length > 0 ? Object.fromEntries(faults) : { ...skippedFaults(values, zone), ...orderFaults(values) };
}

/** Times in the hour skipped in spring, which would be stored as other times than typed. */
function skippedFaults(values: EventValues, zone: string): Faults {
  if (values.allDay) return {};
  const { start, end } = wallsOf(values);
  const fault = (wall: Wall): SkippedTime | undefined => {
    const next = endOfGap(wall, zone);
    return next === undefined ? undefined : { skippedTo: next.slice(11, 16) };
  };
  const [startTime, endTime] = [fault(start), end === start ? undefined : fault(end)];
  return { ...(startTime && { startTime }), ...(endTime && { endTime }) };
}

const faultOfEmpty = (text: string, otherwise: Fault): Fault => (text === '' ? 'missing' : otherwise);

function orderFaults(values: EventValues): Faults {
  const { start, end } = wallsOf(values);
  if (end >= start) return {};
  return values.endDay !== '' && values.endDay < values.startDay
    ? { endDay: 'endsBefore' }
    : { endTime: 'afterMidnight' };
}

const isTime = (text: string): boolean => /^(?:[01]\d|2[0-3]):[0-5]\d(?::00)?$/.test(text);

/** The start and end; what is missing of the end is taken from the start. */
function wallsOf({ allDay, startDay, startTime, endDay, endTime }: EventValues): {
  readonly start: Wall;
  readonly end: Wall;
} {
  const lastDay = endDay || startDay;
  return allDay
    ? { start: `${startDay} 00:00:00`, end: `${lastDay} 23:59:59` }
    : { start: `${startDay} ${startTime.slice(0, 5)}:00`, end: `${lastDay} ${(endTime || startTime).slice(0, 5)}:00` };
}

/** Splits a field with the names of several places or people. */
export const typedNames = (text: string): readonly string[] =>
  text
    .split('|')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** Escapes plain text for a parameter that accepts markup. */
export const plainText = (text: string): string =>
  withoutReferences(text).replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Recovers what was typed from such a parameter. */
export const typedText = (stored: string): string => textFromHtml(withLoneAmpersands(stored));

/** Cleans markup that was typed among addresses and other text. */
export const typedMarkup = (typed: string): string => safeHtml(withLoneAmpersands(typed));

type Params = Readonly<Record<string, unknown>>;

// The interface's parameters for each group of fields. Places and people are looked up first, elsewhere.
const PARAMS: readonly (readonly [fields: readonly (keyof EventValues)[], params: (values: EventValues) => Params])[] =
  [
    [['title'], ({ title }) => ({ title: plainText(title) })],
    [
      ['allDay', 'startDay', 'startTime', 'endDay', 'endTime'],
      (values) => {
        const { start, end } = wallsOf(values);
        return { all_day: values.allDay, start_date: start, end_date: end };
      },
    ],
    [['categories'], ({ categories }) => ({ categories: categories.map(Number) })],
    [
      ['tags'],
      ({ tags }) => ({
        tags: tags
          .split(',')
          .map((tag) => plainText(tag.trim()))
          .filter((tag) => tag !== ''),
      }),
    ],
    [['cost'], ({ cost }) => ({ cost: cost === '' ? [] : [plainText(cost)] })],
    [['website'], ({ website }) => ({ website: encodedAddress(website) })],
    [['description'], ({ description }) => ({ description: typedMarkup(description) })],
    [['language'], ({ language }) => (language === '' ? {} : { translation_language: language })],
  ];

/** Whether a field differs between two forms. */
export const isOther = (name: keyof EventValues, one: EventValues, other: EventValues): boolean =>
  String(one[name]) !== String(other[name]);

/** The parameters to send: only what differs from `stored`. */
export const paramsOf = (values: EventValues, stored: EventValues): Params =>
  Object.assign(
    {},
    ...PARAMS.filter(([fields]) => fields.some((name) => isOther(name, values, stored))).map(([, params]) =>
      params(values),
    ),
  ) as Params;

// Maps the interface's parameters to the form's fields.
const FIELD_OF: Readonly<Record<string, EditField>> = {
  title: 'title',
  start_date: 'startDay',
  end_date: 'endDay',
  all_day: 'allDay',
  venue: 'venue',
  organizer: 'organizer',
  categories: 'categories',
  tags: 'tags',
  cost: 'cost',
  website: 'website',
  description: 'description',
  image: 'image',
  translation_language: 'language',
};

/** The interface's refusals by field; parameters without a field are left out. */
export const faultsOf = (params: unknown): Faults =>
  Object.fromEntries(
    Object.keys(typeof params === 'object' && params !== null ? params : {}).flatMap((name) => {
      const field = Object.hasOwn(FIELD_OF, name) ? FIELD_OF[name] : undefined;
      return field === undefined ? [] : [[field, 'refused']];
    }),
  );
