import { randomUUID } from 'node:crypto';
import { focusFirstInvalid } from '../../html/invalid-fields.ts';
import { html, type Html, type HtmlPart } from '../../html/template.ts';
import type { AskedEdit } from './editor.ts';
import type { Fault, SkippedTime } from './event-values.ts';
import type { EditWords } from './words/edit-words.ts';
import { shortened } from '../../html/shortened.ts';

/** A form with the token of its browser and a unique name for this rendering. */
export const editForm = (
  { browser }: Pick<AskedEdit, 'browser'>,
  inner: Html,
  { kind = 'form', hasFiles = false, action = '' } = {},
): Html =>
  html`<form class="${kind}" method="post"${action !== '' && html` action="${action}"`}${hasFiles && html` enctype="multipart/form-data"`}>
<input type="hidden" name="token" value="${browser.token}"><input type="hidden" name="once" value="${randomUUID()}">
${focusFirstInvalid(inner)}
</form>`;

/** The properties of a field. */
interface FieldLook {
  readonly name: string;
  /** Needed if several forms of a page have a field with this name. */
  readonly id?: string | undefined;
  readonly label: string;
  readonly value: string;
  readonly type?: 'text' | 'date' | 'time' | 'url' | 'email' | 'tel' | undefined;
  readonly hint?: string | undefined;
  readonly fault?: string | undefined;
  readonly required?: boolean | undefined;
  readonly max?: number | undefined;
  /** The id of a list of values to choose from. */
  readonly list?: string | undefined;
  /** Makes it a multi-line text field with this many rows. */
  readonly lines?: number | undefined;
  /** Never "off": browsers would then forget what was typed when people leave the page and come back. */
  readonly autocomplete?: string | undefined;
}

/** A field with its label, its hint and what is wrong with it. */
export function editField(look: FieldLook): Html {
  const { name, label, value, type = 'text', hint, fault, required, max, list, lines, autocomplete } = look;
  const id = look.id ?? name;
  const limits = html`${max !== undefined && html` maxlength="${max}"`}${required === true && html` required`}`;
  const filling = html`${autocomplete !== undefined && html` autocomplete="${autocomplete}"`}`;
  const all = html` id="${id}" name="${name}"${filling}${limits}${toldBy(id, fault, hint)}${type === 'text' && html` dir="auto"`}`;
  const control =
    lines === undefined
      ? html`<input type="${type}"${all} value="${value}"${list !== undefined && html` list="${list}"`}>`
      : html`<textarea${all} rows="${lines}">
${value}</textarea>`;
  return html`<div class="field"><label for="${id}">${label}</label>${control}${faultLine(id, fault)}${hintLine(id, hint)}</div>`;
}

function toldBy(id: string, fault: string | undefined, hint: string | undefined): Html {
  const by = [fault !== undefined && `${id}-fault`, hint !== undefined && `${id}-hint`].filter(Boolean).join(' ');
  return html`${fault !== undefined && html` aria-invalid="true"`}${by !== '' && html` aria-describedby="${by}"`}`;
}

const faultLine = (name: string, fault: string | undefined): HtmlPart =>
  fault !== undefined && html`<p class="no" id="${name}-fault">${fault}</p>`;
const hintLine = (name: string, hint: string | undefined): HtmlPart =>
  hint !== undefined && html`<p class="dim" id="${name}-hint"><small>${hint}</small></p>`;

/** The message for a field's fault. */
export const faultInWords = ({ faults, skipped }: EditWords, fault: Fault | SkippedTime): string =>
  typeof fault === 'string' ? faults[fault] : skipped(fault.skippedTo);

/** A button that triggers an action by name. */
export const doButton = (name: string, label: HtmlPart, { isMain = false, skipsChecks = false } = {}): Html =>
  html`<button name="do" value="${name}"${isMain && html` class="btn main"`}${skipsChecks && html` formnovalidate`}>${label}</button>`;

/** A note, which fields may reference by its id. */
export const editNote = (text: HtmlPart, kind: 'good' | 'bad' = 'good', id?: string): Html =>
  html`<div class="note ${kind}" role="${kind === 'bad' ? 'alert' : 'status'}"${id !== undefined && html` id="${id}"`}>${text}</div>`;

/** A page of one sentence. */
export const noted = (title: string, text: string): Html => html`<h1>${title}</h1>
<p>${text}</p>`;

/** The note that a form was refused, with the interface's message if it belongs to no field. */
export const refusedNote = (words: EditWords, refusal: string | undefined): Html =>
  editNote(
    html`<p><strong>${words.notTaken}</strong></p>${refusal !== undefined && html`<p>${words.refusal(refusal)}</p>`}`,
    'bad',
  );

/** A field whose stored value differs from the form's. */
export interface Difference {
  readonly label: string;
  readonly theirs: string;
  readonly yours: string;
}

const COMPARED_MAX = 400;

/** Shows the stored values beside what was typed. */
export function conflictNote(words: EditWords, differences: readonly Difference[]): Html {
  const shown = (text: string): string => (text === '' ? words.empty : shortened(text, COMPARED_MAX));
  const rows = differences.map(
    ({ label, theirs, yours }) =>
      html`<tr><th scope="row">${label}</th><td>${shown(theirs)}</td><td>${shown(yours)}</td></tr>`,
  );
  return editNote(
    html`<p><strong>${words.conflict}</strong></p>
${
  rows.length === 0
    ? html`<p>${words.conflictSame}</p>`
    : html`<p>${words.conflictText}</p>
<div class="scroll" tabindex="0" role="group" aria-label="${words.theirs}, ${words.yours}"><table class="plain">
<thead><tr><td></td><th scope="col">${words.theirs}</th><th scope="col">${words.yours}</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}`,
    'bad',
  );
}
