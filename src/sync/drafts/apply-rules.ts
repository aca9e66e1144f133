import { foldedWords } from '../../ascii.ts';
import { htmlFromText, textFromHtml } from '../../html/text.ts';
import {
  VENUE_PARTS,
  type DraftSettings,
  type EventDraft,
  type EventFields,
  type SetRule,
  type VenueDraft,
} from '../model/draft.ts';
import type { FieldName } from '../model/fields.ts';
import { isEmpty } from '../model/json.ts';
import { isMatch, matchOf, unique, type RuleTexts } from './rules.ts';

/** An event's fields after the source's rules, and, in words, which rules changed what. */
export interface FieldsAfterRules {
  readonly fields: EventFields;
  readonly rules: readonly string[];
}

/** Lists the fields of a draft that come from rules, which are those for which `isSaid` is false. */
export function fromRules(ruled: EventFields, isSaid: (field: FieldName) => boolean): Pick<EventDraft, 'fromRules'> {
  // The keys of EventFields are field names.
  const names = (Object.keys(ruled) as FieldName[]).filter((field) => ruled[field] !== undefined && !isSaid(field));
  return names.length === 0 ? {} : { fromRules: names };
}

/** Whether a source has rules that change events. */
export const hasRules = (settings: DraftSettings): boolean => stepsOf(settings).length > 0;

/**
 * Compiles a source's rules that change events: aliases for venues and organizers, then words for categories and tags,
 * then `set`, each in the order of the configuration.
 */
export function rulesOf(settings: DraftSettings): (fields: EventFields, texts: RuleTexts) => FieldsAfterRules {
  const steps = stepsOf(settings);
  return (fields, texts) =>
    steps.reduce<FieldsAfterRules>(
      (ruled, step) => {
        const { values, said } = step(ruled.fields, texts);
        return said.length === 0 ? ruled : { fields: { ...ruled.fields, ...values }, rules: [...ruled.rules, ...said] };
      },
      { fields, rules: [] },
    );
}

const stepsOf = (settings: DraftSettings): readonly Step[] =>
  [
    aliasStep('venue', settings.venueAliases),
    aliasStep('organizer', settings.organizerAliases),
    organizerStep(settings.defaultOrganizer),
    wordStep('categories', settings.categories.words),
    wordStep('tags', settings.tags.words),
    ...(settings.set ?? []).map(setStep),
  ].filter((step) => step !== undefined);

interface Touched {
  readonly values: Partial<EventFields>;
  readonly said: readonly string[];
}
type Step = (fields: EventFields, texts: RuleTexts) => Touched;
const UNTOUCHED: Touched = { values: {}, said: [] };

function aliasStep(field: 'venue' | 'organizer', aliases: Readonly<Record<string, string>> = {}): Step | undefined {
  const table = new Map(Object.entries(aliases).map(([alias, name]) => [foldedWords(alias), name]));
  if (table.size === 0) return undefined;
  return (fields) => {
    const said: string[] = [];
    // The alias stands for a place or person that the site knows, so the feed's other details about it are dropped.
    const named = <T extends object>(one: T, name: string): T | { [key: string]: string } => {
      const known = table.get(foldedWords(name));
      if (known === undefined || known === name) return one;
      said.push(`${field}.aliases: "${name}" is "${known}"`);
      return { [field]: known };
    };
    const values =
      field === 'venue'
        ? { venue: (fields.venue ?? []).map((one) => named(one, one.venue)) }
        : { organizer: (fields.organizer ?? []).map((one) => named(one, one.organizer)) };
    return { values: values as Partial<EventFields>, said };
  };
}

const organizerStep = (name: string | undefined): Step | undefined =>
  name === undefined
    ? undefined
    : (fields) =>
        (fields.organizer ?? []).length > 0
          ? UNTOUCHED
          : { values: { organizer: [{ organizer: name }] }, said: [`organizer.default: "${name}"`] };

/** Adds each name with one of its words in the title, the description or the feed's own categories, as a whole word. */
function wordStep(
  field: 'categories' | 'tags',
  words: Readonly<Record<string, readonly string[]>> = {},
): Step | undefined {
  const wanted = Object.entries(words).map(([name, list]) => ({
    name,
    list: list.map((word) => ({ word, text: ` ${foldedWords(word)} ` })),
  }));
  if (wanted.length === 0) return undefined;
  let last = { key: '', text: '' };
  return (fields, { ignored }) => {
    const categories = [...(fields.categories ?? []), ...ignored];
    // Occurrences of a series are consecutive and share their text, so the last result is reused.
    const key = [fields.title, fields.description, ...categories].join('\n');
    if (last.key !== key)
      last = {
        key,
        text: ` ${foldedWords([fields.title, textFromHtml(fields.description ?? ''), ...categories].join(' ').slice(0, 50_000))} `,
      };
    const before = fields[field] ?? [];
    const found = wanted.flatMap(({ name, list }) => {
      const hit = before.some((one) => one.toLowerCase() === name.toLowerCase())
        ? undefined
        : list.find(({ text }) => text !== '  ' && last.text.includes(text));
      return hit ? [{ name, word: hit.word }] : [];
    });
    return {
      values: { [field]: unique([...before, ...found.map(({ name }) => name)]) },
      said: found.map(({ name, word }) => `${field}.words: "${name}" for "${word}"`),
    };
  };
}

function setStep(rule: SetRule, index: number): Step {
  const { when, only_where_empty: onlyWhereEmpty, venue } = rule;
  // The parts of a venue are checked one by one.
  const isWhole = (field: string): boolean => field !== 'venue' || venue !== undefined;
  return (fields, texts) => {
    if (!when.every((each) => isMatch(each, fields, texts))) return UNTOUCHED;
    const groups = when[0] ? matchOf(when[0], fields, texts) : null;
    const set = Object.entries(fieldsFrom(rule, fields, groups)).filter(([field, value]) => {
      const before: unknown = new Map(Object.entries(fields)).get(field);
      return (
        JSON.stringify(before) !== JSON.stringify(value) &&
        !(onlyWhereEmpty && isWhole(field) && !isEmpty(before)) &&
        !(field === 'title' && value === '')
      );
    });
    return { values: Object.fromEntries(set), said: set.map(([field]) => `set ${index + 1}: ${field}`) };
  };
}

type Fill = (text: string) => string;

/**
 * The fields that a rule sets. `{1}` in a text stands for the first group of the first `when`, `{0}` for its whole
 * match.
 */
function fieldsFrom(rule: SetRule, fields: EventFields, groups: RegExpExecArray | null): Partial<EventFields> {
  const filled: Fill = (text) =>
    text
      .replace(/\{(\d)\}/g, (_, group: string) => groups?.[Number(group)] ?? '')
      .replace(/[ \t]+/g, ' ')
      .trim();
  const { add_categories: addCategories, add_tags: addTags, organizer, description } = rule;
  const plain = Object.entries(rule).flatMap(([field, value]) => {
    if (APART.has(field) || value === undefined) return [];
    return [[field, typeof value === 'string' ? filled(value) : value] as const];
  });
  const added = (field: 'categories' | 'tags', names: readonly string[] = []): Partial<EventFields> =>
    names.length === 0 ? {} : { [field]: unique([...(rule[field] ?? fields[field] ?? []), ...names.map(filled)]) };
  return {
    ...Object.fromEntries(plain),
    ...(description === undefined ? {} : { description: htmlFromText(filled(description)) }),
    ...added('categories', addCategories),
    ...added('tags', addTags),
    ...venueFrom(rule, fields, filled),
    ...(organizer === undefined
      ? {}
      : { organizer: filled(organizer) === '' ? [] : [{ organizer: filled(organizer) }] }),
  };
}

/** Keys of a rule whose values do not have the form of the field with the same name. */
const APART: ReadonlySet<string> = new Set([
  'when',
  'only_where_empty',
  'add_categories',
  'add_tags',
  'venue',
  'organizer',
  'description',
  ...VENUE_PARTS,
] satisfies readonly (keyof SetRule)[]);

/**
 * The venue that a rule names, with the parts that it gives; without a name, the parts go to the event's own venues.
 */
function venueFrom(rule: SetRule, { venue: venues = [] }: EventFields, filled: Fill): Pick<EventFields, 'venue'> {
  const parts = Object.fromEntries(
    VENUE_PARTS.flatMap((part) => {
      const text = filled(rule[part] ?? '');
      return text === '' ? [] : [[part, text]];
    }),
  );
  if (rule.venue !== undefined) {
    const name = filled(rule.venue);
    return { venue: name === '' ? [] : [{ venue: name, ...parts }] };
  }
  if (venues.length === 0 || Object.keys(parts).length === 0) return {};
  return {
    venue: venues.map((one): VenueDraft => (rule.only_where_empty ? { ...parts, ...one } : { ...one, ...parts })),
  };
}
