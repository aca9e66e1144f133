import { html, type Html, type HtmlPart } from '../../html/template.ts';
import type { AskedEdit } from './editor.ts';

/** A form of these pages, which bears the token of its browser. */
export const editForm = (
  { browser }: Pick<AskedEdit, 'browser'>,
  inner: Html,
  { kind = 'form', hasFiles = false } = {},
): Html =>
  html`<form class="${kind}" method="post"${hasFiles && html` enctype="multipart/form-data"`}>
<input type="hidden" name="token" value="${browser.token}">
${inner}
</form>`;

/** What a field looks like. */
interface FieldLook {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly type?: 'text' | 'date' | 'time' | 'url' | 'email' | 'tel' | undefined;
  readonly hint?: string | undefined;
  readonly fault?: string | undefined;
  readonly required?: boolean | undefined;
  readonly max?: number | undefined;
  /** The id of a list of values to choose from. */
  readonly list?: string | undefined;
  /** As a text of several lines. */
  readonly lines?: number | undefined;
  readonly autocomplete?: string | undefined;
}

/** A field with its name, a line that helps, and what is wrong with it. */
export function editField(look: FieldLook): Html {
  const { name, label, value, type = 'text', hint, fault, required, max, list, lines, autocomplete = 'off' } = look;
  const told = [fault !== undefined && `${name}-fault`, hint !== undefined && `${name}-hint`].filter(Boolean).join(' ');
  const all = html` id="${name}" name="${name}" autocomplete="${autocomplete}"${max !== undefined && html` maxlength="${max}"`}${
    required === true && html` required`
  }${fault !== undefined && html` aria-invalid="true"`}${told !== '' && html` aria-describedby="${told}"`}`;
  const control =
    lines === undefined
      ? html`<input type="${type}"${all} value="${value}"${list !== undefined && html` list="${list}"`}>`
      : html`<textarea${all} rows="${lines}">
${value}</textarea>`;
  return html`<div class="field"><label for="${name}">${label}</label>${control}${faultLine(name, fault)}${hintLine(name, hint)}</div>`;
}

const faultLine = (name: string, fault: string | undefined): HtmlPart =>
  fault !== undefined && html`<p class="no" id="${name}-fault">${fault}</p>`;
const hintLine = (name: string, hint: string | undefined): HtmlPart =>
  hint !== undefined && html`<p class="dim" id="${name}-hint"><small>${hint}</small></p>`;

/** A button that does something by its name. */
export const doButton = (name: string, label: HtmlPart, { isMain = false, skipsChecks = false } = {}): Html =>
  html`<button name="do" value="${name}"${isMain && html` class="btn main"`}${skipsChecks && html` formnovalidate`}>${label}</button>`;

export const editNote = (text: HtmlPart, kind: 'good' | 'bad' = 'good'): Html =>
  html`<div class="note ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}">${text}</div>`;

/** A page of one sentence. */
export const noted = (title: string, text: string): Html => html`<h1>${title}</h1>
<p>${text}</p>`;
