import { assumeSafeHtml, html, type Html } from './template.ts';

const INVALID = ' aria-invalid="true"';

/**
 * The fields of a form, which come back with the focus in the first one that is said to be wrong: it may be far below.
 * Templates write quotation marks in texts as references, so only an attribute reads like this.
 */
export const atFirstFault = (fields: Html): Html =>
  assumeSafeHtml(fields.markup.replace(INVALID, `${INVALID} autofocus`));

/** What readers say with a field, where a note that stands elsewhere is about it: the note, and whether the field is wrong. */
export const noteOf = (noteId: string, isWrong = true): Html =>
  html`${isWrong && html` aria-invalid="true"`} aria-describedby="${noteId}"`;
