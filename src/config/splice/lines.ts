/** Where the line begins that this offset is in. */
export const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

/** Where the next line begins, or the text ends. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

/** The line that begins here, without its end. */
export const lineAt = (text: string, start: number): string =>
  text.slice(start, lineEnd(text, start)).replace(/\r?\n$/, '');

const COMMENT = /^[ \t]*#/;
const indentOf = (line: string): number => /^[ \t]*/.exec(line)?.[0].length ?? 0;

/** The line end that the file has. */
export const eolOf = (text: string): string => (/\r\n/.test(text) ? '\r\n' : '\n');

/** Where the comment lines begin that stand right above a line, as far indented as this is. */
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

/** Behind the comment lines, at least this far indented, that follow a line which begins here. */
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

/** Before the empty lines that stand above a line. */
export function emptyAbove(text: string, start: number): number {
  let top = start;
  while (top > 0 && lineAt(text, lineStart(text, top - 1)).trim() === '') top = lineStart(text, top - 1);
  return top;
}

/** How long the end of the line before is. */
export const eolLength = (text: string, start: number): number =>
  /\r?\n$/.exec(text.slice(Math.max(0, start - 2), start))?.[0].length ?? 0;

/** Lines put in at the beginning of a line, or behind a text that ends without one. */
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
