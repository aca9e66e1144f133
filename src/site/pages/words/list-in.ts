/** Joins words as a language does: "Monday, Wednesday and Friday". */
export function listIn(locale: string): (words: readonly (string | undefined)[]) => string {
  // Few pages need a formatter, and creating one takes time.
  let format: Intl.ListFormat | undefined;
  return (words) => (format ??= new Intl.ListFormat(locale)).format(words.filter((word) => word !== undefined));
}
