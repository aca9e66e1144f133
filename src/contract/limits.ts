// What one request may contain. Anything larger is refused with a message; nothing is silently cut.

/** Characters in a single-line text: a title, a name, a search. */
export const LINE_MAX = 2_500;

/** Characters in the name of a category or a tag, as stored, with everything but markup escaped for HTML. */
export const TERM_NAME_MAX = 200;

/** Characters in a text with markup, such as a description or an excerpt; also applies to feeds. */
export const HTML_MAX = 200_000;

/** Parameters of a query or a form, as PHP takes them (`max_input_vars`), and items of a list. */
export const PARAMETERS_MAX = 1_000;

/**
 * The largest whole number that a site can store, and so the largest id. A request may name a larger one, but that must
 * not reach the database, which cannot compare it with an id.
 */
export const INTEGER_MAX = 2_147_483_647;
