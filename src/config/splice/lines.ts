/** The start of the line that contains an offset. */
export const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

/** The start of the next line, or the end of the text. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

/** The line that starts at an offset, without its line break. */
export const lineAt = (text: string, start: number): string =>
  text.slice(start, lineEnd(text, start)).replace(/\r?\n$/, '');

const COMMENT = /^[ \t]*#/;
const indentOf = (line: string): number => /^[ \t]*/.exec(line)?.[0].length ?? 0;

/** The line break that the file uses. */
export const eolOf = (text: string): string => (/\r\n/.test(text) ? '\r\n' : '\n');

/** The start of the comment lines directly above a line that have the same indentation. */
export function commentsAbove(text: string, start: number): number {
  const column = indentOf(lineAt(text, start));
  let top = start;
  while (top > 0) {
    const above = lineStart(text, top - 1);
    const line = lineAt(text, above);
    if (!COMMENT.test(line) || indentOf(line) !== column) break;
    top = above;
  }
  return top;
}

/** The end of the comment lines, indented at least this far, that follow from the start of a line. */
export function commentsBelow(text: string, start: number, column: number): number {
  let [end, at] = [start, start];
  while (at < text.length) {
    const line = lineAt(text, at);
    const isOwn = COMMENT.test(line) && indentOf(line) >= column;
    if (!isOwn && line.trim() !== '') break;
    at = lineEnd(text, at);
    if (isOwn) end = at;
  }
  return end;
}

/** The start of the empty lines above a line. */
export function emptyAbove(text: string, start: number): number {
  let top = start;
  while (top > 0 && lineAt(text, lineStart(text, top - 1)).trim() === '') top = lineStart(text, top - 1);
  return top;
}

/** The length of the line break before a line. */
export const eolLength = (text: string, start: number): number =>
  /\r?\n$/.exec(text.slice(Math.max(0, start - 2), start))?.[0].length ?? 0;

/** Inserts lines at the start of a line, or at the end of a text without a final line break. */
export function linesAt(
  text: string,
  at: number,
  lines: readonly string[],
): { readonly from: number; readonly to: number; readonly text: string } {
  const eol = eolOf(text);
  const whole = lines.join(eol);
  const isOpen = at > 0 && text[at - 1] !== '\n';
  return { from: at, to: at, text: isOpen ? `${eol}${whole}` : `${whole}${eol}` };
}
