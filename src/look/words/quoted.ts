import { inQuotes, isolated } from './in-quotes.ts';
import { inLanguage } from './in-language.ts';

/** Returns a function that puts text from outside in the quotation marks of a language. */
export const quotedIn: (language: string) => (text: string) => string = inLanguage({
  en: inQuotes,
  de: (text: string) => `„${isolated(text)}“`,
  pl: (text: string) => `„${isolated(text)}”`,
});
