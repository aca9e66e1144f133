import { whenAsked } from '../remembered.ts';

// Takes 15 ms to create, and most configurations name no language.
const english = whenAsked(() => new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }));
const nameOf = (code: string): string | undefined => english().of(code);

/** Whether a language code is known (ISO 639, according to the runtime); regions and scripts after it are ignored. */
export function isLanguage(code: string): boolean {
  const [primary = ''] = code.split(/[-_]/);
  return /^[A-Za-z]{2,3}$/.test(primary) && nameOf(primary) !== undefined;
}

/**
 * The code of a language by its name in English or in the language itself: "English", "polski"; undefined if there is
 * none.
 */
export function languageNamed(name: string): string | undefined {
  const wanted = name.trim().toLowerCase();
  return twoLetters().find((code) => names(code).includes(wanted));
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const twoLetters = (): readonly string[] =>
  LETTERS.flatMap((one) => LETTERS.map((other) => one + other)).filter((code) => nameOf(code) !== undefined);

const names = (code: string): readonly string[] =>
  [nameOf(code), new Intl.DisplayNames(code, { type: 'language', fallback: 'none' }).of(code)].flatMap((name) =>
    name === undefined ? [] : [name.toLowerCase()],
  );
