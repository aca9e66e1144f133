import type { DraftSettings, Rule } from '../model/draft.ts';
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

const INNERMOST_GROUP = /\(([^()]*)\)/;
const VARIES = /[|*+]|\{\d*,/;
const IS_REPEATED = /^(?:[*+]|\{\d*,\d*\}?)/;

/** Whether a group that contains repetition or alternatives is itself repeated: `(a+)+`, `(a|b)*`. */
const repeatsRepetition = (expression: string): boolean => nestedRepetition(expression) !== undefined;

const kept = (text: string): string => 'x'.repeat(text.length);

/** Nobody reads a longer expression, and looking at it alone would take long. */
const LENGTH_MAX = 20_000;

/** Where in an expression a group is repeated that contains repetition or alternatives. */
export function nestedRepetition(expression: string): { readonly from: number; readonly to: number } | undefined {
  if (expression.length > LENGTH_MAX) return { from: 0, to: expression.length };
  // Escapes and character classes count as plain characters, and every place stays where it is.
  let plain = expression
    .replace(/^\(\?i\)/, kept)
    .replace(/\\./gs, kept)
    .replace(/\[[^\]]*\]/g, kept)
    .replace(/\(\?(?:[:=!]|<[=!]|<\w+>)/g, (opening) => `(${kept(opening.slice(1))}`);
  for (;;) {
    const group = INNERMOST_GROUP.exec(plain);
    if (group === null) return undefined;
    const [whole, inside = ''] = group;
    const end = group.index + whole.length;
    const repetition = IS_REPEATED.exec(plain.slice(end))?.[0];
    if (VARIES.test(inside) && repetition !== undefined) return { from: group.index, to: end + repetition.length };
    // A group that contains a variable one is variable too.
    plain = `${plain.slice(0, group.index)}${(VARIES.test(inside) ? '|' : 'x').padEnd(whole.length, 'x')}${plain.slice(end)}`;
  }
}
