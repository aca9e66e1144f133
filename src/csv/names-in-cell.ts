/**
 * The names in a cell. A semicolon at its end, as our own exports write it, says that only semicolons separate, that
 * `\;` is a semicolon
 * in a name and `\\` a backslash; elsewhere whatever is in `separators` (a character class) does, and a backslash is
 * itself.
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
