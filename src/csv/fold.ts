import { asciiFromText } from '../ascii.ts';

/** Headers and words of cells as they are compared: lower case, Latin letters without accents, no signs. */
export const fold = (text: string): string =>
  asciiFromText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
