import { html, type Html } from '../html/template.ts';

/** A checkbox in the shape of a chip. */
export const checkChip = (name: string, value: string, shown: Html | string, isChecked: boolean): Html =>
  html`<label class="chip"><input type="checkbox" name="${name}" value="${value}"${isChecked && html` checked`}>${shown}</label>`;
