import { foldedWords } from '../../ascii.ts';
import { textFromHtml } from '../../html/text.ts';
import type { DraftSettings, EventFields, Rule } from '../model/draft.ts';
import { MARKUP_FIELDS } from '../model/fields.ts';

/** What rules can match apart from an event's own fields. */
export interface RuleTexts {
  readonly uid: string | null;
  readonly url: string | null;
  readonly class: string;
  /** The feed's categories that `unknown: ignore` keeps off the site. */
  readonly ignored: readonly string[];
}

/**
 * Why the source's rules leave an event out; null if they keep it. `only` keeps events that match all of its rules;
 * `skip` drops events that match any of its rules.
 */
export function whyExcludedByRules(
  fields: EventFields,
  texts: RuleTexts,
  { only, skip, everything }: DraftSettings,
): string | null {
  if (everything) return null;
  const missed = only.find((rule) => !isMatch(rule, fields, texts));
  if (missed) return `left out by the rule only ${ruleInWords(missed)}`;
  const hit = skip.find((rule) => isMatch(rule, fields, texts));
  return hit ? `left out by the rule skip ${ruleInWords(hit)}` : null;
}

/**
 * The categories that the site gets: the feed's, mapped by the source's table and without unmapped ones if `unknown` is
 * ignore, and the source's own.
 */
export function categoriesFor(settings: DraftSettings): (names: readonly string[]) => readonly string[] {
  const { map, add } = settings.categories;
  const table = new Map(Object.entries(map).map(([from, to]) => [from.toLowerCase(), to]));
  const isIgnored = ignoredBy(settings);
  return (names) =>
    unique([...names.flatMap((name) => (isIgnored(name) ? [] : (table.get(name.toLowerCase()) ?? name))), ...add]);
}

/** The feed's categories that `unknown: ignore` leaves out, that is, those that no other category setting names. */
export function ignoredCategories(settings: DraftSettings): (names: readonly string[]) => readonly string[] {
  const isIgnored = ignoredBy(settings);
  return (names) => names.filter(isIgnored);
}

function ignoredBy({ categories: { map, add, unknown, words = {} } }: DraftSettings): (name: string) => boolean {
  if (unknown === 'create') return () => false;
  const named = [...Object.entries(map).flat(), ...add, ...Object.keys(words)];
  const known = new Set(named.map((name) => name.toLowerCase()));
  return (name) => !known.has(name.toLowerCase());
}

/** A feed's tags, mapped by the source's table, plus the source's own. */
export function tagsFor({ tags: { map = {}, add } }: DraftSettings): (names: readonly string[]) => readonly string[] {
  const table = new Map(Object.entries(map).map(([from, to]) => [from.toLowerCase(), to]));
  return (names) => unique([...names.map((name) => table.get(name.toLowerCase()) ?? name), ...add]);
}

/**
 * Identifies an event whose feed gives neither a UID nor an address: title, start and place, as a person would compare
 * them.
 */
export const fingerprintOf = (title: string, start: string, place: string): string =>
  fingerprintsOf(title, place)(start);

/** Returns a function from starts to the fingerprints of events that share a title and a place. */
export function fingerprintsOf(title: string, place: string): (start: string) => string {
  const [named, at] = [title, place].map(foldedWords);
  return (start) => `${named}|${foldedWords(start)}|${at}`;
}

/** Trims names and drops repetitions, ignoring case. */
export function unique(names: readonly string[]): readonly string[] {
  const [only, ...more] = names;
  if (only === undefined || (more.length === 0 && only !== '' && only === only.trim())) return names;
  const byName = new Map<string, string>();
  for (const name of names)
    if (name.trim() !== '' && !byName.has(name.trim().toLowerCase()))
      byName.set(name.trim().toLowerCase(), name.trim());
  return [...byName.values()];
}

export const isMatch = (rule: Rule, fields: EventFields, texts: RuleTexts): boolean =>
  matchOf(rule, fields, texts) !== null;

/** The match of a rule with its groups; null if it does not match. */
export function matchOf({ field, matches }: Rule, fields: EventFields, texts: RuleTexts): RegExpExecArray | null {
  const expression = expressionOf(matches);
  return (
    textsOf(field, fields, texts)
      .map((text) => expression.exec(text.slice(0, TEXT_MAX)))
      .find((found) => found !== null) ?? null
  );
}

// A configuration has few rules but many events, so each expression is compiled once.
const compiled = new Map<string, RegExp>();
const TEXT_MAX = 10_000;

function expressionOf(matches: string): RegExp {
  const known = compiled.get(matches);
  if (known) return known;
  const ignoreCase = matches.startsWith('(?i)');
  const expression = new RegExp(ignoreCase ? matches.slice(4) : matches, ignoreCase ? 'iu' : 'u');
  if (compiled.size < 1_000) compiled.set(matches, expression);
  return expression;
}

/** The texts of a field that a rule is matched with; a missing field is an empty text. */
function textsOf(field: string, fields: EventFields, texts: RuleTexts): readonly string[] {
  if (field === 'uid' || field === 'url' || field === 'class') return [texts[field] ?? ''];
  const value: unknown = new Map(Object.entries(fields)).get(field);
  if (Array.isArray(value)) {
    const shown = value.length === 0 ? [''] : value.map(nameOf);
    return field === 'categories' ? [...shown, ...texts.ignored] : shown;
  }
  const text = value === undefined ? '' : String(value);
  return [MARKUP_FIELDS.some((name) => name === field) ? textFromHtml(text) : text];
}

const nameOf = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return String(value);
  const { venue, organizer } = value as { readonly venue?: string; readonly organizer?: string };
  return venue ?? organizer ?? '';
};
/** A rule as written in the configuration. */
export const ruleInWords = ({ field, matches }: Rule): string => `{ field: ${field}, matches: "${matches}" }`;
