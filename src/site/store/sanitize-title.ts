import { asciiFromText } from '../../ascii.ts';

const BYTES_MAX = 200;
// Spaces of any width, dashes and their entities become a hyphen; marks without meaning are removed (WordPress,
// sanitize_title_with_dashes).
const HYPHENS =
  /[\u00a0\u1680\u2000-\u200a\u2010-\u2015\u2028\u2029\u202f\u205f\u3000/]|&(?:nbsp|ndash|mdash|#160|#8209|#8211|#8212);/g;
const DROPPED = new RegExp(
  String.raw`\u0300|\u0301|\u0304|\u030c|\u0341|` +
    String.raw`[\u00a1\u00a3\u00a9\u00ab\u00ad\u00ae\u00b0\u00b4\u00bb\u00bf\u02ca\u2018-\u201f\u2022\u2026` +
    String.raw`\u2039\u203a\u200b-\u200f\u2122\u202a-\u202e\ufeff\ufffc]`,
  'g',
);
// Ends at the semicolon or at the first character that rules one out, so that no match is scanned twice.
const REFERENCES = /&[^;\s]+;?/g;
/** A character of a slug; a percent-encoded one includes all its bytes. */
const CHARACTERS = /%[c-f][0-9a-f](?:%[89ab][0-9a-f])+|%[0-9a-f]{2}|[\s\S]/gu;

/** Text that is already a slug. */
const SLUG = /^[a-z0-9_]+(?:-[a-z0-9_]+)*$/;

/**
 * Makes a slug from any text as WordPress does: lower case, Latin letters reduced to a–z, other scripts
 * percent-encoded, at most 200 bytes; '' if nothing is left.
 */
export function sanitizeTitle(text: string): string {
  if (text.length <= BYTES_MAX && SLUG.test(text)) return text;
  const bare = text
    .toWellFormed()
    .normalize('NFC')
    .replace(/<(?!\s)[^>]*(?:>|$)/g, '')
    .replace(HYPHENS, '-')
    .replace(/\u00d7/g, 'x')
    .replace(/\u20ac/g, 'e')
    .replace(DROPPED, '');
  const latin = bare
    .toLowerCase()
    .normalize('NFC')
    .replace(/[\p{Script=Latin}\u00aa\u00ba]\p{M}*/gu, asciiFromText);
  const kept = latin
    .replace(/%(?![0-9a-f]{2})/g, '')
    .replace(REFERENCES, (found) => (found.endsWith(';') ? '' : found))
    .replace(/\./g, '-')
    .replace(/[^\u0080-\u{10ffff}%a-z0-9 _\-\s]/gu, '');
  return cut(kept.replace(/\s+/g, '-').replace(/-+/g, '-').replace(/^-+/, ''), BYTES_MAX).replace(/-+$/, '');
}

/** A slug as it is stored, in whichever form it is given: `Музыка` is `%d0%bc…`. It stays as written: `C++` is not `c`. */
export const storedSlug = (slug: string): string => encoded(slug.toWellFormed().normalize('NFC').toLowerCase());

/** `slug` for number 1, `slug-2` for 2 …; shortened so that the result has at most 200 bytes. */
export function numberedSlug(slug: string, number: number): string {
  if (number === 1) return slug;
  return `${cut(slug, BYTES_MAX - `-${number}`.length).replace(/-+$/, '')}-${number}`;
}

/** Cuts a slug to at most 200 bytes. */
export const cutSlug = (slug: string): string => cut(slug, BYTES_MAX).replace(/-+$/, '');

/** Percent-encodes non-ASCII characters. */
const encoded = (text: string): string =>
  text.replace(/[^\0-\u007f]+/g, (letters) => encodeURIComponent(letters).toLowerCase());

/** Percent-encodes, and cuts to `bytes` without splitting a character. */
function cut(text: string, bytes: number): string {
  let slug = '';
  for (const character of text.match(CHARACTERS) ?? []) {
    const written = encoded(character);
    if (slug.length + written.length > bytes) break;
    slug += written;
  }
  return slug;
}
