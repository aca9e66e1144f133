import { isNothing, isRawMap, rawAt, withRaw, type Raw, type RawMap } from '../../config/splice/raw.ts';
import { nestedRepetition } from '../../sync/drafts/nested-repetition.ts';
import type { RulePath } from '../../sync/drafts/rule-trial.ts';
import { KINDS, listOf, pathKey, RULE_KEYS, rulesIn, type RuleEntry, type RuleKind } from './rule-kinds.ts';

/** The rules of a source, without its other settings. */
export const onlyRules = (source: RawMap): RawMap =>
  Object.fromEntries(Object.entries(source).filter(([key]) => RULE_KEYS.some((name) => name === key)));

/** A source with its rules replaced. */
export function withRules(source: RawMap, rules: RawMap): RawMap {
  const others = Object.entries(source).filter(([key]) => !RULE_KEYS.some((name) => name === key));
  // Keeps the order of keys, so that the file changes as little as possible.
  const kept = Object.entries(source).map(([key, value]): [string, Raw] => [
    key,
    rules[key] ?? (others.some(([name]) => name === key) ? value : null),
  ]);
  const fresh = Object.entries(rules).filter(([key]) => !Object.hasOwn(source, key));
  return Object.fromEntries([...kept, ...fresh].filter(([, value]) => value !== null));
}

/** Parses the rules that a form has sent; undefined if they are not what this page sends. */
export function rulesFromText(text: string): RawMap | undefined {
  try {
    const rules = JSON.parse(text) as Raw;
    return isRawMap(rules) ? onlyRules(rules) : undefined;
  } catch {
    return undefined;
  }
}

export const pathFromText = (text: string): RulePath | undefined => {
  try {
    const path = JSON.parse(text) as unknown;
    const isPath = Array.isArray(path) && path.every((key) => typeof key === 'string' || typeof key === 'number');
    return isPath ? (path as RulePath) : undefined;
  } catch {
    return undefined;
  }
};

export const ruleAt = (rules: RawMap, path: RulePath | undefined): RuleEntry | undefined =>
  path && rulesIn(rules).find((rule) => pathKey(rule.path) === pathKey(path));

/** A rule after an edit: its key, if it is in a map, and its value. */
export interface EditedRule {
  readonly key: string;
  readonly value: Raw;
}

/** The rules with one of them changed, and its path afterwards. */
export function withRuleChanged(
  rules: RawMap,
  { path, kind, key }: RuleEntry,
  next: EditedRule,
): { readonly rules: RawMap; readonly path: RulePath } {
  if (kind.holds === 'value') return { rules: put(rules, kind, next.value), path };
  if (kind.holds === 'list') {
    const list = placeOf(rules, kind);
    return {
      rules: put(
        rules,
        kind,
        listOf(list).map((value, index) => (index === path.at(-1) ? next.value : value)),
      ),
      path,
    };
  }
  const map = placeOf(rules, kind);
  const entries = Object.entries(isRawMap(map) ? map : {}).filter(([other]) => other === key || other !== next.key);
  const renamed = entries.map(([other, value]): [string, Raw] =>
    other === key ? [next.key, next.value] : [other, value],
  );
  return { rules: put(rules, kind, Object.fromEntries(renamed)), path: [...kind.at, next.key] };
}

/** The rules with one removed. */
export function withoutRule(rules: RawMap, { path, kind, key }: RuleEntry): RawMap {
  const place = placeOf(rules, kind);
  if (kind.holds === 'value') return put(rules, kind, undefined);
  if (kind.holds === 'list')
    return put(
      rules,
      kind,
      listOf(place).filter((_, index) => index !== path.at(-1)),
    );
  return put(
    rules,
    kind,
    Object.fromEntries(Object.entries(isRawMap(place) ? place : {}).filter(([other]) => other !== key)),
  );
}

/** The rules with one moved up or down in its list, and its path afterwards. */
export function withRuleMoved(
  rules: RawMap,
  { path, kind }: RuleEntry,
  by: -1 | 1,
): { readonly rules: RawMap; readonly path: RulePath } {
  const list = [...listOf(placeOf(rules, kind))];
  const from = Number(path.at(-1));
  const to = from + by;
  const [one, other] = [list[from], list[to]];
  if (kind.holds !== 'list' || one === undefined || other === undefined) return { rules, path };
  list[from] = other;
  list[to] = one;
  return { rules: put(rules, kind, list), path: [...kind.at, to] };
}

/** The rules with a new, unedited one of a kind, and its path. */
export function withNewRule(
  rules: RawMap,
  kind: RuleKind,
  next: EditedRule = FIRST[kind.form],
): { readonly rules: RawMap; readonly path: RulePath } {
  const place = placeOf(rules, kind);
  if (kind.holds === 'value') return { rules: put(rules, kind, next.value), path: kind.at };
  if (kind.holds === 'list') {
    const list = [...listOf(place), next.value];
    return { rules: put(rules, kind, list), path: [...kind.at, list.length - 1] };
  }
  return {
    rules: put(rules, kind, { ...(isRawMap(place) ? place : {}), [next.key]: next.value }),
    path: [...kind.at, next.key],
  };
}

// A new rule has sample text in each place, so that it can be read.
const FIRST: Readonly<Record<RuleKind['form'], EditedRule>> = {
  pair: { key: 'Name in the feed', value: 'Name on the site' },
  words: { key: 'Name', value: ['word'] },
  name: { key: '', value: 'Name' },
  set: { key: '', value: { when: [{ field: 'title', matches: '(?i)word' }], add_tags: ['tag'] } },
  filter: { key: '', value: { field: 'title', matches: '(?i)word' } },
  flag: { key: '', value: 'ignore' },
};

const placeOf = (rules: RawMap, { at }: RuleKind): Raw | undefined => rawAt(rules, at);

/** Containers that become empty are removed. */
function put(rules: RawMap, { at: [first, second] }: RuleKind, value: Raw | undefined): RawMap {
  const wanted = isNothing(value) ? undefined : value;
  const next = withRaw(rules, second === undefined ? [first] : [first, second], wanted) as RawMap;
  return isNothing(next[first]) ? (withRaw(next, [first], undefined) as RawMap) : next;
}

export const kindNamed = (name: string): RuleKind | undefined => KINDS.find(({ at }) => at.join('.') === name);

/** A rule's regular expression that may take practically for ever on some texts. */
export interface SlowExpression {
  readonly path: RulePath;
  readonly expression: string;
  readonly from: number;
  readonly to: number;
}

export const slowExpressions = (rules: RawMap): readonly SlowExpression[] =>
  rulesIn(rules).flatMap(({ path, kind, value }) => {
    const filters = filtersOf(kind, value);
    return filters.flatMap((filter) => {
      const expression = isRawMap(filter) ? String(filter['matches'] ?? '') : '';
      const found = nestedRepetition(expression);
      return found ? [{ path, expression, ...found }] : [];
    });
  });

function filtersOf({ form }: RuleKind, value: Raw): readonly Raw[] {
  if (form === 'filter') return [value];
  return form === 'set' && isRawMap(value) ? listOf(value['when']) : [];
}
