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

/** Whether a group that holds a repetition or alternatives is repeated itself: `(a+)+`, `(a|b)*`. */
function repeatsRepetition(expression: string): boolean {
  // Escaped signs and sets of characters are one sign each.
  const plain = expression
    .replace(/^\(\?i\)/, '')
    .replace(/\\./gs, 'x')
    .replace(/\[[^\]]*\]/g, 'x')
    .replace(/\(\?(?:[:=!]|<[=!]|<\w+>)/g, '(');
  const open: { varies: boolean }[] = [{ varies: false }];
  for (let at = 0; at < plain.length; at += 1) {
    const sign = plain[at]!;
    if (sign === '(') open.push({ varies: false });
    else if (sign === ')') {
      const inner = open.length > 1 ? open.pop() : undefined;
      const isRepeated = /^(?:[*+]|\{\d*,)/.test(plain.slice(at + 1, at + 8));
      if (isRepeated && inner?.varies) return true;
      if (inner?.varies || isRepeated) open.at(-1)!.varies = true;
    } else if (sign === '|' || sign === '*' || sign === '+' || /^\{\d*,/.test(plain.slice(at, at + 8)))
      open.at(-1)!.varies = true;
  }
  return false;
}
