/** Joins words as a language does: "Monday, Wednesday and Friday". */
export function listIn(locale: string): (words: readonly (string | undefined)[]) => string {
  // Few pages need one, and to make it takes Intl some time.
  let format: Intl.ListFormat | undefined;
  return (words) => (format ??= new Intl.ListFormat(locale)).format(words.filter((word) => word !== undefined));
}
