// What one request may hold. What is beyond is refused, and named: nothing is cut in silence.

/** Characters of a text of one line: a title, a name, a search. */
export const LINE_MAX = 2_500;

/** Characters of a text with markup, a description or an excerpt; also of what feeds bring. */
export const HTML_MAX = 200_000;

/** Parameters of a query or a form, as PHP takes them (`max_input_vars`), and items of a list. */
export const PARAMETERS_MAX = 1_000;
