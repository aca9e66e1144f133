import { inQuotes, isolated } from './in-quotes.ts';
import { inLanguage } from './in-language.ts';

/** Puts text from outside in a language's quotation marks. */
export const quotedIn: (language: string) => (text: string) => string = inLanguage({
  en: inQuotes,
  de: (text: string) => `„${isolated(text)}“`,
  pl: (text: string) => `„${isolated(text)}”`,
});
