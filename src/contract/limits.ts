// What one request may contain. Anything beyond is refused by name: nothing is cut off silently.

/** Characters of a text of one line: a title, a name, a search. */
export const LINE_MAX = 2_500;

/** Characters of a text with markup, a description or an excerpt; also of those in feeds. */
export const HTML_MAX = 200_000;

/** Parameters of a query or a form, as PHP takes them (`max_input_vars`), and items of a list. */
export const PARAMETERS_MAX = 1_000;
