import type { DraftSettings, EventDraft, EventFields } from '../model/draft.ts';
import { rulesOf } from './apply-rules.ts';
import { joinedVenues } from './joined-venues.ts';
import {
  nameCounter,
  touched,
  type RulePath,
  type RuleTouch,
  type RuleTrial,
  type TouchedEvent,
} from './rule-trial.ts';
import { categoriesFor, ignoredCategories, isMatch, whyExcludedByRules, tagsFor, type RuleTexts } from './rules.ts';

const FIRST = 10;

/** The settings for reading a feed as if the source had no rules. */
export const withoutRules = (settings: DraftSettings): DraftSettings => ({
  ...settings,
  categories: { map: {}, add: [], unknown: 'create' },
  tags: { add: [] },
  defaultVenue: undefined,
  defaultOrganizer: undefined,
  venueAliases: {},
  organizerAliases: {},
  set: [],
  only: [],
  skip: [],
});

type Change = (fields: EventFields, texts: RuleTexts) => EventFields;

/** Rules that apply to the same state of an event, each alone and all together. */
interface Group {
  readonly rules: readonly { readonly path: RulePath; readonly alone: Change }[];
  readonly all: Change;
}

/** The rule of which more than the first ten events are returned, and how many. */
interface Shown {
  readonly path: RulePath;
  readonly max: number;
}

/** Tries a source's rules on the events of its feed, which were read without rules. */
export function tryRules(drafts: readonly EventDraft[], settings: DraftSettings, shown?: Shown): RuleTrial {
  const groups = groupsOf(settings);
  const ignoredOf = ignoredCategories(settings);
  const tally = tallyOf(
    [...groups.flatMap(({ rules }) => rules.map(({ path }) => path)), ...filterPaths(settings)],
    shown,
  );
  const [categories, venues, joined] = [nameCounter(), nameCounter(), joinedVenues()];
  const mapped = new Set(Object.keys(settings.categories.map).map((name) => name.toLowerCase()));
  const found = drafts.map(({ rungs, uid, fields }) => {
    const texts: RuleTexts = {
      uid: uid ?? rungs.uid,
      url: rungs.url,
      class: 'PUBLIC',
      ignored: ignoredOf(fields.categories ?? []),
    };
    const { after, isTouched } = applied(groups, fields, texts, tally.touch);
    const out = leftOutBy(settings, after, texts);
    for (const path of out) tally.touch(path, after, after);
    categories.add((fields.categories ?? []).filter((name) => !mapped.has(name.toLowerCase())));
    venues.add(ownVenues(fields, after));
    joined.add(fields.venue ?? [], after.venue ?? []);
    return { isThrough: whyExcludedByRules(after, texts, settings) === null, isTouched: isTouched || out.length > 0 };
  });
  return {
    events: drafts.length,
    through: found.filter(({ isThrough }) => isThrough).length,
    untouched: found.filter(({ isTouched }) => !isTouched).length,
    rules: tally.rules(),
    categories: categories.names(),
    venues: venues.names(),
    joined: joined.found(),
  };
}

/** The venues of an event that no rule has renamed. */
function ownVenues({ venue: before = [] }: EventFields, { venue: after = [] }: EventFields): readonly string[] {
  const own = new Set(before.map(({ venue }) => venue));
  return after.map(({ venue }) => venue).filter((name) => own.has(name));
}

interface Tally {
  readonly touch: (path: RulePath, before: EventFields, after: EventFields) => void;
  readonly rules: () => readonly RuleTouch[];
}

/** Counts each rule's events, and keeps the first of them. */
function tallyOf(paths: readonly RulePath[], shown: Shown | undefined): Tally {
  const entries = new Map(
    paths.map((path) => [keyOf(path), { path, leavesOut: isFilter(path), count: 0, first: [] as TouchedEvent[] }]),
  );
  const wanted = shown && keyOf(shown.path);
  return {
    touch: (path, before, after) => {
      const entry = entries.get(keyOf(path));
      if (!entry) return;
      entry.count += 1;
      const most = keyOf(path) === wanted && shown ? shown.max : FIRST;
      if (entry.first.length < most) entry.first.push(touched(before, after));
    },
    rules: () => [...entries.values()],
  };
}

const keyOf = (path: RulePath): string => JSON.stringify(path);
const isFilter = ([field]: RulePath): boolean => field === 'only' || field === 'skip';

/** Applies all rules that change events, and counts the event for each rule that changes it. */
function applied(
  groups: readonly Group[],
  fields: EventFields,
  texts: RuleTexts,
  touch: Tally['touch'],
): { readonly after: EventFields; readonly isTouched: boolean } {
  let [now, isTouched] = [fields, false];
  for (const { rules, all } of groups) {
    const before = now;
    for (const { path, alone } of rules) {
      const after = alone(before, texts);
      if (after === before) continue;
      isTouched = true;
      touch(path, before, after);
    }
    now = all(before, texts);
  }
  return { after: now, isTouched };
}

function groupsOf(settings: DraftSettings): readonly Group[] {
  const bare = withoutRules(settings);
  const compiled = (some: Partial<DraftSettings>): Change => {
    const rules = rulesOf({ ...bare, ...some });
    return (fields, texts) => rules(fields, texts).fields;
  };
  const { categories, tags, venueAliases = {}, organizerAliases = {}, defaultVenue, defaultOrganizer } = settings;
  const group = (
    all: Partial<DraftSettings>,
    rules: readonly (readonly [RulePath, Partial<DraftSettings>])[],
  ): Group => ({
    all: compiled(all),
    rules: rules.map(([path, alone]) => ({ path, alone: compiled(alone) })),
  });
  const aliases = (
    field: 'venue' | 'organizer',
    key: 'venueAliases' | 'organizerAliases',
    table: Readonly<Record<string, string>>,
  ): Group =>
    group(
      { [key]: table },
      Object.entries(table).map(([alias, name]) => [[field, 'aliases', alias], { [key]: { [alias]: name } }]),
    );
  const words = (field: 'categories' | 'tags', table: Readonly<Record<string, readonly string[]>> = {}): Group =>
    group(
      { [field]: { ...bare[field], words: table } },
      Object.entries(table).map(([name, list]) => [
        [field, 'words', name],
        { [field]: { ...bare[field], words: { [name]: list } } },
      ]),
    );
  return [
    categoryGroup(settings),
    tagGroup(tags),
    venueGroup(defaultVenue),
    aliases('venue', 'venueAliases', venueAliases),
    aliases('organizer', 'organizerAliases', organizerAliases),
    group(
      { defaultOrganizer },
      defaultOrganizer === undefined ? [] : [[['organizer', 'default'], { defaultOrganizer }]],
    ),
    words('categories', categories.words),
    words('tags', tags.words),
    ...(settings.set ?? []).map((rule, index) => group({ set: [rule] }, [[['set', index], { set: [rule] }]])),
  ];
}

const withNames =
  (field: 'categories' | 'tags', namesOf: (names: readonly string[]) => readonly string[]): Change =>
  (fields) => {
    const [before, after] = [fields[field] ?? [], namesOf(fields[field] ?? [])];
    const isSame = before.length === after.length && before.every((name, index) => name === after[index]);
    return isSame ? fields : { ...fields, [field]: after };
  };

function categoryGroup(settings: DraftSettings): Group {
  const { categories } = settings;
  const { map, add, unknown } = categories;
  const only = (some: Partial<DraftSettings['categories']>): Change =>
    withNames(
      'categories',
      categoriesFor({ ...settings, categories: { map: {}, add: [], unknown: 'create', ...some } }),
    );
  const all = categoriesFor(settings);
  const isKept = (name: string): boolean => all([name]).length > all([]).length || all([]).includes(name);
  return {
    all: withNames('categories', all),
    rules: [
      ...Object.entries(map).map(([from, to]) => ({
        path: ['categories', 'map', from],
        alone: only({ map: { [from]: to } }),
      })),
      ...add.map((name, index) => ({ path: ['categories', 'add', index], alone: only({ add: [name] }) })),
      ...(unknown === 'ignore'
        ? [{ path: ['categories', 'unknown'], alone: withNames('categories', (names) => names.filter(isKept)) }]
        : []),
    ],
  };
}

function tagGroup(tags: DraftSettings['tags']): Group {
  const only = (some: Partial<DraftSettings['tags']>): Change =>
    withNames('tags', (names) => tagsFor({ tags: { add: [], ...some } } as DraftSettings)(names));
  const { map = {}, add } = tags;
  return {
    all: only({ map, add }),
    rules: [
      ...Object.entries(map).map(([from, to]) => ({
        path: ['tags', 'map', from],
        alone: only({ map: { [from]: to } }),
      })),
      ...add.map((name, index) => ({ path: ['tags', 'add', index], alone: only({ add: [name] }) })),
    ],
  };
}

function venueGroup(name: string | undefined): Group {
  const set: Change = (fields) =>
    name === undefined || (fields.venue ?? []).length > 0 ? fields : { ...fields, venue: [{ venue: name }] };
  return { all: set, rules: name === undefined ? [] : [{ path: ['venue', 'default'], alone: set }] };
}

const filterPaths = ({ only, skip }: DraftSettings): readonly RulePath[] => [
  ...only.map((_, index) => ['only', index]),
  ...skip.map((_, index) => ['skip', index]),
];

/** The rules that leave an event out. */
function leftOutBy(
  { only, skip, everything }: DraftSettings,
  fields: EventFields,
  texts: RuleTexts,
): readonly RulePath[] {
  if (everything) return [];
  return [
    ...only.flatMap((rule, index) => (isMatch(rule, fields, texts) ? [] : [['only', index]])),
    ...skip.flatMap((rule, index) => (isMatch(rule, fields, texts) ? [['skip', index]] : [])),
  ];
}
