import type { DraftSettings, Rule } from '../model/draft.ts';
import { nestedRepetition } from './nested-repetition.ts';
import { ruleInWords } from './rules.ts';

/** In words, the source's rules whose regular expressions have nested repetition and may never end on some texts. */
export const slowRules = (rules: RulesOf): readonly string[] => rulesLike(rules, repeatsRepetition);

/**
 * The rules that repeat any group. Some of these may never end either, such as `(a?a?)*` or `(a|a){50}`, which only
 * running them shows.
 */
export const groupRepeatingRules = (rules: RulesOf): readonly string[] =>
  rulesLike(rules, (text) => REPEATED_GROUP.test(text));

type RulesOf = Pick<DraftSettings, 'only' | 'skip' | 'set'>;

const REPEATED_GROUP = /[^\\]\)(?:[*+]|\{\d)/;

function rulesLike({ only, skip, set = [] }: RulesOf, isLike: (expression: string) => boolean): readonly string[] {
  const named = (name: string, rules: readonly Rule[]): readonly string[] =>
    rules.filter(({ matches }) => isLike(matches)).map((rule) => `${name} ${ruleInWords(rule)}`);
  return [
    ...named('only', only),
    ...named('skip', skip),
    ...set.flatMap(({ when }, index) => named(`set ${index + 1}, when`, when)),
  ];
}

/** Whether a group that contains repetition or alternatives is itself repeated: `(a+)+`, `(a|b)*`. */
const repeatsRepetition = (expression: string): boolean => nestedRepetition(expression) !== undefined;
