/** The query of a link to somebody else's page: blanks are %20, as not all of them read "+" as a blank. */
export const linkQuery = (parameters: Readonly<Record<string, string>>): string =>
  new URLSearchParams(parameters).toString().replaceAll('+', '%20');
