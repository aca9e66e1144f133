const INNERMOST_GROUP = /\(([^()]*)\)/;
const VARIES = /[|*+]|\{\d*,/;
const IS_REPEATED = /^(?:[*+]|\{\d*,\d*\}?)/;

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
