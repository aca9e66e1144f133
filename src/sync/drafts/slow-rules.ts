import type { DraftSettings, Rule } from '../model/draft.ts';
import { ruleInWords } from './rules.ts';

/** The rules of a source whose expressions may take for ever on some texts, in words: those with nested repetition. */
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

/** Whether a group that holds a repetition or alternatives is repeated itself: `(a+)+`, `(a|b)*`. */
function repeatsRepetition(expression: string): boolean {
  // Escaped signs and sets of characters are one sign each.
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
    // What varies inside a group varies in the one around it, too.
    plain = `${plain.slice(0, group.index)}${VARIES.test(inside) ? '|' : 'x'}${after}`;
  }
}
