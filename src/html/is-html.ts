/**
 * Whether a text from outside is HTML: it has an element that is often written without an end tag, a picture, a
 * comment, or any other tag that is closed. Anything else in angle brackets (`<jim@example.org>`,
 * `<https://example.org>`, `<under 6>`) is text.
 */
export function isHtml(text: string): boolean {
  if (!text.includes('<')) return false;
  if (PICTURE.test(text)) return true;
  const opened = new Set<string>();
  for (const [, opening, closing = '', comment] of text.toLowerCase().matchAll(MARKUP)) {
    if (comment !== undefined || opened.has(closing) || (opening && STANDING.test(opening))) return true;
    if (opening !== undefined) opened.add(opening);
  }
  return false;
}

const PICTURE = /<img\s[^<>]*\bsrc=/i;
const STANDING = /^(?:body|br|div|h[1-6]|hr|html|li|ol|p|table|ul)$/;
/** A tag, whose name is followed by a blank, a slash or its end, or a comment without tags in it. */
const MARKUP = /<([a-z][\w:-]*)(?=[\s/>])[^<>]*>|<\/([a-z][\w:-]*)\s*>|<!--([^<>]*)-->/g;
