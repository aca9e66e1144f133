import { assumeSafeHtml, html, type Html } from './template.ts';

const INVALID = ' aria-invalid="true"';

/**
 * Sets the focus to the first invalid field of a form, which may be far below. Templates escape quotation marks in
 * texts, so only an attribute can match.
 */
export const focusFirstInvalid = (fields: Html): Html =>
  assumeSafeHtml(fields.markup.replace(INVALID, `${INVALID} autofocus`));

/** Attributes that make screen readers announce a note together with a field, and whether the field is invalid. */
export const describedByNote = (noteId: string, isWrong = true): Html =>
  html`${isWrong && html` aria-invalid="true"`} aria-describedby="${noteId}"`;
