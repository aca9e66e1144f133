/** The forms that values can take; see `form` in `Field`. */
export type ValueForm = 'exact' | 'flag' | 'address' | 'text' | 'html' | 'cost' | 'image' | 'links';

/** Everything that deciding, comparing, sending or showing an event's field needs to know about it. */
interface Field {
  /** Fields of one unit are decided and sent together; a field without a unit stands alone. */
  readonly unit?: 'when';
  /**
   * How its value is compared with what a site shows:
   * - exact: unchanged; `EventFields` declares its type, as it does for links
   * - flag: on or off, unchanged; a full update switches off flags that it does not mention
   * - address: text, unchanged; the next four are text, too
   * - text, html: sites render it (typographic quotes, paragraphs); we sanitise HTML
   * - cost: sites format it
   * - image: an absolute URL; sites keep a copy of their own
   * - links: terms or linked posts of `linked`; names and refs here, ids on the site
   */
  readonly form: ValueForm;
  /** Whether the text is HTML. */
  readonly markup?: true;
  /** The collection that it links to. */
  readonly linked?: 'categories' | 'tags' | 'venues' | 'organizers';
  /**
   * Lists show it even for a password-protected event. Other fields are blank there, which does not mean they are
   * empty.
   */
  readonly shownProtected?: true;
  /** A real site's trash removes these links for good, so an event restored from it gets them again. */
  readonly cutByTrash?: true;
  /** Real sites do not let it be emptied. */
  readonly neverEmpty?: true;
  /** Each site has its own default, so no value can stand for "not given". */
  readonly ownDefault?: true;
  /** A description for the people who configure it. */
  readonly words: string;
}

/** All fields of an event, in the order in which they are shown to people. */
export const FIELDS = {
  title: { form: 'text', shownProtected: true, words: 'Its title' },
  // A time is meaningless without its zone, and sites ignore a single date.
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

/** The names of the fields with this value in a column. */
type FieldWith<Column extends keyof Field, Value> = {
  [Name in FieldName]: (typeof FIELDS)[Name] extends Readonly<Record<Column, Value>> ? Name : never;
}[FieldName];

/** Fields that hold terms or linked posts: sent as refs, returned as sorted ids. */
export type LinkedField = FieldWith<'linked', string>;
/** The collections of terms and posts that events link to. */
export type LinkedResource = (typeof FIELDS)[LinkedField]['linked'];

/** Whether a name is a field of an event that a feed can set. */
export const isFieldName = (name: string): name is FieldName => Object.hasOwn(FIELDS, name);

// The type of FIELDS guarantees that its keys are field names.
export const FIELD_NAMES = Object.keys(FIELDS) as readonly FieldName[];

const rankOf = (name: string): number => (isFieldName(name) ? FIELD_NAMES.indexOf(name) : FIELD_NAMES.length);

/** Sorts values by field, in the order in which fields are shown to people; the database keeps an order of its own. */
export const inFieldOrder = <Value>(values: Readonly<Record<string, Value>>): readonly (readonly [string, Value])[] =>
  Object.entries(values).toSorted(([one], [other]) => rankOf(one) - rankOf(other));

const columnsOf = (field: FieldName): Field => FIELDS[field];

/** All fields of an event, grouped into units. */
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
/** Fields that hold free text, of any length and form. */
export const TEXTS = FIELD_NAMES.filter(isText);

type MarkupField = FieldWith<'markup', true>;
const isMarkup = (field: FieldName): field is MarkupField => columnsOf(field).markup === true;
/** Fields whose texts are HTML. */
export const MARKUP_FIELDS = FIELD_NAMES.filter(isMarkup);

type LineField = Exclude<FieldWith<'form', 'text' | 'cost'>, MarkupField>;
const isLine = (field: FieldName): field is LineField =>
  !isMarkup(field) && ['text', 'cost'].includes(columnsOf(field).form);
/** Fields whose texts are a single line of plain words. */
export const LINE_FIELDS = FIELD_NAMES.filter(isLine);

/** Short texts other than the title: each has its own column in tables and its own property in calendars. */
export const SHORT_TEXTS = LINE_FIELDS.filter((field) => field !== 'title');
export type ShortText = (typeof SHORT_TEXTS)[number];

const isCutByTrash = (field: FieldName): field is FieldWith<'cutByTrash', true> => columnsOf(field).cutByTrash === true;
/** Links that a real site's trash removes for good. */
export const CUT_BY_TRASH = FIELD_NAMES.filter(isCutByTrash);

/** Fields that an event in the trash does not show as they were before. */
export const HIDDEN_BY_TRASH: readonly FieldName[] = ['status', ...CUT_BY_TRASH];

/** Fields that real sites do not let us empty. */
export const NEVER_EMPTY: readonly FieldName[] = FIELD_NAMES.filter((field) => columnsOf(field).neverEmpty);

/** Whether lists show a field of a password-protected event. */
export const isShownProtected = (field: FieldName): boolean => columnsOf(field).shownProtected === true;

/** The value of a field that nothing is said about; undefined if the site has its own default. */
export function emptyValueOf(field: FieldName): '' | false | readonly [] | undefined {
  const { form, ownDefault } = columnsOf(field);
  if (ownDefault) return undefined;
  if (form === 'links') return [];
  return form === 'flag' ? false : '';
}
