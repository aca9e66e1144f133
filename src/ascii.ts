// Letters that Unicode does not decompose, written like remove_accents() of WordPress does (in lower case here).
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ĸ: 'k',
  ŋ: 'n',
  ŧ: 't',
  ŀ: 'l',
  ſ: 's',
  ə: 'e',
};

/** In other scripts than these, a mark is as important as a letter: कला is art, कील a nail. */
const ACCENTED = /([\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}])\p{M}+/gu;

/** The text in lower case and without accents, its Latin letters reduced to a–z; other scripts stay as they are. */
export function asciiFromText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(ACCENTED, '$1')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\0-\u007f]/g, (letter) => LETTERS[letter] ?? letter);
}

const isAscii = (text: string): boolean => !/[^\0-\u007f]/.test(text);

/** A text for comparisons: without case, accents and punctuation, words separated by single spaces. */
export const foldedWords = (text: string): string => (asciiFromText(text).match(WORDS) ?? []).join(' ');

/** Letters with their marks, and numbers. */
const WORDS = /(?:\p{L}\p{M}*|\p{N})+/gu;

/** Whether a text is invisible, like a title of zero-width characters. */
export const isBlank = (text: string): boolean => /^[\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]*$/u.test(text);

const ESCAPES =
  /%[0-7][0-9a-f]|%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-4](?:%[89ab][0-9a-f]){3}/gi;

/**
 * A slug as a part of an address. WordPress keeps the "%41" of "50%41" in slugs as literal text, so its percent sign is
 * encoded; its percent-encoding of letters beyond ASCII stays.
 */
export const addressPart = (slug: string): string => slug.replace(/%(?=[0-7][0-9a-f])/gi, '%25');

/**
 * Decodes the percent-encoding in a part of an address. Anything else stays unchanged: WordPress keeps the "%de" of
 * "50%de" in the addresses that it makes from titles, and so do we.
 */
export function decodedPart(text: string, decode = decodeURIComponent): string {
  return text.replace(ESCAPES, (escape) => {
    try {
      return decode(escape);
    } catch {
      // It has the right form but is not a character.
      return escape;
    }
  });
}

/** A slug in readable form: `%e6%88%8f%e5%89%a7` is 戏剧, and "50%41" stays as it is. */
export const readableSlug = (slug: string): string => decodedPart(addressPart(slug));
