/** The forms of values, explained at `form` in `Field`. */
export type ValueForm = 'exact' | 'flag' | 'address' | 'text' | 'html' | 'cost' | 'image' | 'links';

/** Everything that deciding, comparing, sending or showing an event's field needs to know about it. */
interface Field {
  /** Fields of a unit are decided and sent together; without a unit, a field is on its own. */
  readonly unit?: 'when';
  /**
   * How its value is compared with what a site shows:
   * - exact: unchanged; its type is in `EventFields`, as that of links
   * - flag: on or off, unchanged; a full update switches off flags that it does not mention
   * - address: unchanged; a text, like the next four
   * - text, html: sites render it (typographic quotes, paragraphs); HTML here is sanitised
   * - cost: sites format it
   * - image: an absolute URL, of which sites keep their own copy
   * - links: terms or linked posts of `linked`; names and refs here, ids on the site
   */
  readonly form: ValueForm;
  /** Its text is HTML. */
  readonly markup?: true;
  /** Where what it links to is. */
  readonly linked?: 'categories' | 'tags' | 'venues' | 'organizers';
  /** Lists show it even for a password-protected event; other fields are blank there, which says nothing about them. */
  readonly shownProtected?: true;
  /** A real site's trash removes these links for good, so an event restored from it gets them again. */
  readonly cutByTrash?: true;
  /** A real site does not let it be emptied. */
  readonly neverEmpty?: true;
  /** Each site has a default of its own for it, so there is no value that means nothing was said. */
  readonly ownDefault?: true;
  /** Its description for people who configure it. */
  readonly words: string;
}

/** Every field of an event, in the order in which people see them. */
export const FIELDS = {
  title: { form: 'text', shownProtected: true, words: 'Its title' },
  // A time means nothing without its zone, and sites ignore one date alone.
  start_date: { form: 'exact', unit: 'when', shownProtected: true, words: 'When it starts' },
  end_date: { form: 'exact', unit: 'when', shownProtected: true, words: 'When it ends' },
  timezone: { form: 'exact', unit: 'when', shownProtected: true, words: 'The zone of its times' },
  all_day: { form: 'exact', unit: 'when', words: 'Whether it takes whole days' },
  description: { form: 'html', markup: true, neverEmpty: true, words: 'Its description' },
  excerpt: { form: 'text', markup: true, neverEmpty: true, words: 'Its excerpt' },
  status: { form: 'exact', shownProtected: true, words: 'Its status' },
  website: { form: 'address', words: 'Its website' },
  image: { form: 'image', words: 'The address of its picture' },
  cost: { form: 'cost', words: 'Its cost' },
  featured: { form: 'flag', words: 'Whether it is featured' },
  sticky: { form: 'flag', words: 'Whether it stands first in the month' },
  hide_from_listings: { form: 'flag', words: 'Whether lists leave it out' },
  show_map: { form: 'flag', ownDefault: true, words: 'Whether a map is shown' },
  show_map_link: { form: 'flag', ownDefault: true, words: 'Whether a link to a map is shown' },
  categories: { form: 'links', linked: 'categories', words: 'Its categories' },
  tags: { form: 'links', linked: 'tags', words: 'Its tags' },
  venue: { form: 'links', linked: 'venues', cutByTrash: true, neverEmpty: true, words: 'Its venue' },
  organizer: { form: 'links', linked: 'organizers', cutByTrash: true, words: 'Its organizers' },
} as const satisfies Readonly<Record<string, Field>>;

export type FieldName = keyof typeof FIELDS;

/** The fields that have a given column. */
type FieldWith<Column extends keyof Field, Value> = {
  [Name in FieldName]: (typeof FIELDS)[Name] extends Readonly<Record<Column, Value>> ? Name : never;
}[FieldName];

/** The fields that hold terms or linked posts: sent as refs, returned as sorted ids. */
export type LinkedField = FieldWith<'linked', string>;
/** The collections of terms and posts that events link to. */
export type LinkedResource = (typeof FIELDS)[LinkedField]['linked'];

/** Whether a name is a field of an event that a feed can set. */
export const isFieldName = (name: string): name is FieldName => Object.hasOwn(FIELDS, name);

// The type of FIELDS makes its keys field names.
export const FIELD_NAMES = Object.keys(FIELDS) as readonly FieldName[];

const rankOf = (name: string): number => (isFieldName(name) ? FIELD_NAMES.indexOf(name) : FIELD_NAMES.length);

/** Values by field in the order in which people see fields: the database stores them in an order of its own. */
export const inFieldOrder = <Value>(values: Readonly<Record<string, Value>>): readonly (readonly [string, Value])[] =>
  Object.entries(values).toSorted(([one], [other]) => rankOf(one) - rankOf(other));

const columnsOf = (field: FieldName): Field => FIELDS[field];

/** Every field of an event, grouped into units. */
export const UNITS: readonly (readonly FieldName[])[] = [
  ...Map.groupBy(FIELD_NAMES, (field) => columnsOf(field).unit ?? field).values(),
];

const hasLinks = (name: FieldName): name is LinkedField => columnsOf(name).linked !== undefined;
export const LINKED_FIELDS: readonly LinkedField[] = FIELD_NAMES.filter(hasLinks);
const LINKED: ReadonlySet<string> = new Set(LINKED_FIELDS);
export const isLinked = (name: string): name is LinkedField => LINKED.has(name);

/** Fields that are on or off. */
export type FlagField = FieldWith<'form', 'flag'>;
const isFlag = (field: FieldName): field is FlagField => columnsOf(field).form === 'flag';
export const FLAGS = FIELD_NAMES.filter(isFlag);

const TEXT_FORMS = ['address', 'text', 'html', 'cost', 'image'] as const satisfies readonly ValueForm[];
/** Fields whose values are text. */
export type TextField = FieldWith<'form', (typeof TEXT_FORMS)[number]>;
const isText = (field: FieldName): field is TextField => TEXT_FORMS.some((form) => form === columnsOf(field).form);
/** Fields that hold text of any length and form. */
export const TEXTS = FIELD_NAMES.filter(isText);

type MarkupField = FieldWith<'markup', true>;
const isMarkup = (field: FieldName): field is MarkupField => columnsOf(field).markup === true;
/** Fields whose texts are HTML. */
export const MARKUP_FIELDS = FIELD_NAMES.filter(isMarkup);

type LineField = Exclude<FieldWith<'form', 'text' | 'cost'>, MarkupField>;
const isLine = (field: FieldName): field is LineField =>
  !isMarkup(field) && ['text', 'cost'].includes(columnsOf(field).form);
/** Fields whose texts are a line of plain words. */
export const LINE_FIELDS = FIELD_NAMES.filter(isLine);

/** Short texts besides the title: each has a column of its own in tables, and a property of its own in calendars. */
export const SHORT_TEXTS = LINE_FIELDS.filter((field) => field !== 'title');
export type ShortText = (typeof SHORT_TEXTS)[number];

const isCutByTrash = (field: FieldName): field is FieldWith<'cutByTrash', true> => columnsOf(field).cutByTrash === true;
/** Links that a real site's trash removes for good. */
export const CUT_BY_TRASH = FIELD_NAMES.filter(isCutByTrash);

/** The fields that an event in the trash does not show as they were. */
export const HIDDEN_BY_TRASH: readonly FieldName[] = ['status', ...CUT_BY_TRASH];

/** Fields that a real site does not let us empty. */
export const NEVER_EMPTY: readonly FieldName[] = FIELD_NAMES.filter((field) => columnsOf(field).neverEmpty);

/** Whether lists show a field of a password-protected event. */
export const isShownProtected = (field: FieldName): boolean => columnsOf(field).shownProtected === true;

/** The value of a field of which nothing is said; undefined where that is for the site to say. */
export function emptyValueOf(field: FieldName): '' | false | readonly [] | undefined {
  const { form, ownDefault } = columnsOf(field);
  if (ownDefault) return undefined;
  if (form === 'links') return [];
  return form === 'flag' ? false : '';
}
