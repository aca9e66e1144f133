import type { DraftSettings, Rule } from '../model/draft.ts';
import { nestedRepetition } from './nested-repetition.ts';
import { ruleInWords } from './rules.ts';

/**
 * The source's rules whose regular expressions have nested repetition and may run practically for ever on some texts,
 * in words.
 */
export function slowRules({ only, skip, set = [] }: Pick<DraftSettings, 'only' | 'skip' | 'set'>): readonly string[] {
  const named = (name: string, rules: readonly Rule[]): readonly string[] =>
    rules.filter(({ matches }) => repeatsRepetition(matches)).map((rule) => `${name} ${ruleInWords(rule)}`);
  return [
    ...named('only', only),
    ...named('skip', skip),
    ...set.flatMap(({ when }, index) => named(`set ${index + 1}, when`, when)),
  ];
}

/** Whether a group that contains repetition or alternatives is itself repeated: `(a+)+`, `(a|b)*`. */
const repeatsRepetition = (expression: string): boolean => nestedRepetition(expression) !== undefined;
