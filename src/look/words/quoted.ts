import { inLanguage } from './in-language.ts';

/** Puts a text into the quotation marks of a language. */
export const quotedIn: (language: string) => (text: string) => string = inLanguage({
  en: (text: string) => `“${text}”`,
  de: (text: string) => `„${text}“`,
  pl: (text: string) => `„${text}”`,
});
