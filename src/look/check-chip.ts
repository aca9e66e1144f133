import { html, type Html } from '../html/template.ts';

/** Something that can be chosen together with others: a box to check, in the shape of a chip. */
export const checkChip = (name: string, value: string, shown: Html | string, isChecked: boolean): Html =>
  html`<label class="chip"><input type="checkbox" name="${name}" value="${value}"${isChecked && html` checked`}>${shown}</label>`;
