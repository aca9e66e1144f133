import { html, type Html } from '../../html/template.ts';
import { isRawList, isRawMap, rawAt, type Raw, type RawMap } from '../../config/splice/raw.ts';
import type { RulePath } from '../../sync/drafts/rule-trial.ts';

/** The keys of a source that contain rules and mappings. */
export const RULE_KEYS = ['categories', 'tags', 'venue', 'organizer', 'set', 'only', 'skip'] as const;

/**
 * How a rule is edited: as two names, a name with words, a single name, fields to set, a filter, or by its mere
 * presence.
 */
export type RuleForm = 'pair' | 'words' | 'name' | 'set' | 'filter' | 'flag';

/** A kind of rule: where in the file its rules are, how they read, and how they are edited. */
export interface RuleKind {
  readonly at: readonly [string] | readonly [string, string];
  readonly holds: 'map' | 'list' | 'value';
  readonly form: RuleForm;
  /** The label of the button that adds one. */
  readonly adds: string;
  readonly sentence: (rule: RuleEntry) => Html;
  readonly labels: readonly string[];
}

/** A rule of a source, saved or not. */
export interface RuleEntry {
  readonly path: RulePath;
  readonly kind: RuleKind;
  /** Its key if it is in a map. */
  readonly key: string;
  readonly value: Raw;
}

const name = (text: string): Html => html`<var>${text}</var>`;
const textOf = (value: Raw | undefined): string =>
  value === undefined || value === null || typeof value === 'object' ? '' : String(value);

/** The items of a list; a single value counts as a list of one, as everywhere in the file. */
export const listOf = (value: Raw | undefined): readonly Raw[] => {
  if (isRawList(value)) return value;
  return value === undefined || value === null ? [] : [value];
};

const orWords = (value: Raw): Html =>
  html`${listOf(value).map((word, index) => html`${index > 0 && ' or '}${name(textOf(word))}`)}`;

const matching = (rule: Raw | undefined): Html =>
  isRawMap(rule) ? html`whose ${textOf(rule['field'])} matches ${name(textOf(rule['matches']))}` : html`(unreadable)`;

/** Labels of what rules can set besides fields of events. */
export const SET_LABELS: Readonly<Record<string, string>> = {
  add_categories: 'Further categories',
  add_tags: 'Further tags',
  address: 'Venue’s address',
  zip: 'Venue’s postal code',
  city: 'Venue’s town',
  country: 'Venue’s country',
};
const setWords = (field: string): string => {
  const label = SET_LABELS[field];
  return label === undefined ? field : `the ${label[0]?.toLowerCase()}${label.slice(1)}`;
};

function setSentence({ value }: RuleEntry): Html {
  const { when, only_where_empty: onlyEmpty, ...fields } = isRawMap(value) ? value : {};
  const rules = listOf(when);
  const set = Object.entries(fields).map(
    ([field, each], index) =>
      html`${index > 0 && ' and '}${setWords(field)} ${name(listOf(each).map(textOf).join(', '))}`,
  );
  return html`${
    rules.length === 0
      ? 'Every event'
      : html`Events ${rules.map((rule, index) => html`${index > 0 && ' and '}${matching(rule)}`)}`
  }
  ${rules.length === 0 ? 'gets' : 'get'}
  ${set.length > 0 ? set : 'nothing yet'}${onlyEmpty === true && ', where that is empty'}`;
}

const pair = (at: RuleKind['at'], adds: string, words: string): RuleKind => ({
  at,
  holds: 'map',
  form: 'pair',
  adds,
  labels: [words, 'is'],
  sentence: ({ key, value }) => html`${words} ${name(key)} is ${name(textOf(value))}`,
});
const added = (at: RuleKind['at'], what: string): RuleKind => ({
  at,
  holds: 'list',
  form: 'name',
  adds: `every event gets the ${what}…`,
  labels: [`Every event also gets the ${what}`],
  sentence: ({ value }) => html`Every event also gets the ${what} ${name(textOf(value))}`,
});
const byWords = (at: RuleKind['at'], what: string): RuleKind => ({
  at,
  holds: 'map',
  form: 'words',
  adds: `events with a word get the ${what}…`,
  labels: [`The ${what}`, 'for events with one of these words (with commas between them)'],
  sentence: ({ key, value }) => html`Events with ${orWords(value)} get the ${what} ${name(key)}`,
});
const byDefault = (at: RuleKind['at'], what: string): RuleKind => ({
  at,
  holds: 'value',
  form: 'name',
  adds: `events without ${what} have the ${what}…`,
  labels: [`Events without ${what} have the ${what}`],
  sentence: ({ value }) => html`Events without ${what} have the ${what} ${name(textOf(value))}`,
});

/** All kinds of rules, in the order in which they are applied. */
export const KINDS: readonly RuleKind[] = [
  pair(['categories', 'map'], 'rename a category…', 'Category'),
  added(['categories', 'add'], 'category'),
  {
    at: ['categories', 'unknown'],
    holds: 'value',
    form: 'flag',
    adds: 'no categories besides those named in these rules',
    labels: ['What the feed calls otherwise becomes no category'],
    sentence: ({ value }) =>
      value === 'ignore'
        ? html`A category that is neither mapped nor given here is left out`
        : html`A category that is neither mapped nor given here is kept`,
  },
  pair(['tags', 'map'], 'rename a tag…', 'Tag'),
  added(['tags', 'add'], 'tag'),
  byDefault(['venue', 'default'], 'venue'),
  pair(['venue', 'aliases'], 'rename a venue…', 'The venue'),
  pair(['organizer', 'aliases'], 'rename an organizer…', 'The organizer'),
  byDefault(['organizer', 'default'], 'organizer'),
  byWords(['categories', 'words'], 'category'),
  byWords(['tags', 'words'], 'tag'),
  {
    at: ['set'],
    holds: 'list',
    form: 'set',
    adds: 'change a field…',
    labels: [],
    sentence: setSentence,
  },
  {
    at: ['only'],
    holds: 'list',
    form: 'filter',
    adds: 'only events that…',
    labels: ['Only events'],
    sentence: ({ value }) => html`Only events ${matching(value)}`,
  },
  {
    at: ['skip'],
    holds: 'list',
    form: 'filter',
    adds: 'leave out…',
    labels: ['Leave out events'],
    sentence: ({ value }) => html`Leave out events ${matching(value)}`,
  },
];

/**
 * The kinds as offered for adding, the most wanted first. The order of `KINDS` is the one in which they are applied.
 */
export const SHELVES: readonly (readonly [title: string, keys: readonly (typeof RULE_KEYS)[number][]])[] = [
  ['Which events', ['skip', 'only']],
  ['Categories', ['categories']],
  ['Tags', ['tags']],
  ['Venue and organizer', ['venue', 'organizer']],
  ['Any field', ['set']],
];

/** A string that identifies a rule's path. */
export const pathKey = (path: RulePath): string => JSON.stringify(path);

/** The rules of a source, in the order in which they are applied. */
export const rulesIn = (rules: RawMap): readonly RuleEntry[] =>
  KINDS.flatMap((kind) => {
    return entriesAt(kind, rawAt(rules, kind.at));
  });

function entriesAt(kind: RuleKind, place: Raw | undefined): readonly RuleEntry[] {
  if (place === undefined || place === null) return [];
  if (kind.holds === 'value') return [{ path: kind.at, kind, key: '', value: place }];
  if (kind.holds === 'list')
    return listOf(place).map((value, index) => ({ path: [...kind.at, index], kind, key: '', value }));
  return isRawMap(place)
    ? Object.entries(place).map(([key, value]) => ({ path: [...kind.at, key], kind, key, value }))
    : [];
}
