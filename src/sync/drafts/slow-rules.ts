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
const IS_REPEATED = /^(?:[*+]|\{\d*,)/;

/** Whether a group that contains repetition or alternatives is itself repeated: `(a+)+`, `(a|b)*`. */
function repeatsRepetition(expression: string): boolean {
  // Escapes and character classes count as one character each.
  let plain = expression
    .replace(/^\(\?i\)/, '')
    .replace(/\\./gs, 'x')
    .replace(/\[[^\]]*\]/g, 'x')
    .replace(/\(\?(?:[:=!]|<[=!]|<\w+>)/g, '(');
  for (;;) {
    const group = INNERMOST_GROUP.exec(plain);
    if (group === null) return false;
    const [whole, inside = ''] = group;
    const after = plain.slice(group.index + whole.length);
    if (VARIES.test(inside) && IS_REPEATED.test(after)) return true;
    // A group that contains a variable one is variable too.
    plain = `${plain.slice(0, group.index)}${VARIES.test(inside) ? '|' : 'x'}${after}`;
  }
}
