const INNERMOST_GROUP = /\(([^()]*)\)/;
const VARIES = /[|*+]|\{\d*,/;
const IS_REPEATED = /^(?:[*+]|\{\d*,\d*\}?)/;

const kept = (text: string): string => 'x'.repeat(text.length);

/** Longer expressions are not readable, and would take long just to check. */
const LENGTH_MAX = 20_000;

/**
 * The position in an expression of a repeated group that contains repetition or alternatives; undefined if there is
 * none.
 */
export function nestedRepetition(expression: string): { readonly from: number; readonly to: number } | undefined {
  if (expression.length > LENGTH_MAX) return { from: 0, to: expression.length };
  // Escapes and character classes are replaced by plain characters of the same length, so that positions do not change.
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
    // A group that contains a variable group is variable, too.
    plain = `${plain.slice(0, group.index)}${(VARIES.test(inside) ? '|' : 'x').padEnd(whole.length, 'x')}${plain.slice(end)}`;
  }
}
