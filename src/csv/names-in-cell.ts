/**
 * The names in a cell. If it ends with a semicolon, as in our own exports, only semicolons separate, `\;` is a
 * semicolon in a name and `\\` a backslash; otherwise any of `separators` (a character class) separates, and a
 * backslash is literal.
 */
export function namesInCell(text: string, separators: RegExp): readonly string[] {
  const isEnded = /(?:^|[^\\])(?:\\\\)*;\s*$/.test(text);
  const parts = isEnded
    ? [...text.matchAll(/((?:\\[;\\]|\\(?![;\\])|[^;\\])*);/g)].map(([, part = '']) =>
        part.trim().replace(/\\([;\\])/g, '$1'),
      )
    : text.split(separators);
  return [...new Set(parts.map((name) => name.trim()).filter((name) => name !== ''))];
}
