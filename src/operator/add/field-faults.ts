import { html, type Html, type HtmlPart } from '../../html/template.ts';
import type { Asked } from '../frame/operator.ts';
import { button, linkTo, pathBelow } from '../frame/parts.ts';
import type { EntryPath } from './manual-change.ts';
import type { Edit } from './config-edit.ts';

/** Problems of the fields of a form, by the name of the field. */
export type FieldFaults = ReadonlyMap<string, string>;

// The prefix keeps these ids apart from those of the console's icons, such as "paused".
const fieldId = (name: string): string => `field-${name}`;
const lineId = (name: string): string => `${fieldId(name)}-fault`;

const nameAt = (where: string | undefined, entry: EntryPath): string | undefined => {
  const above = `${entry.join('.')}.`;
  return where?.startsWith(above) === true ? where.slice(above.length).replace(/\.\d+$/, '') : undefined;
};

/** The check's problems with one entry of the file. Form fields are named after the entry's keys. */
export function fieldFaults(edit: Edit | undefined, entry: EntryPath): FieldFaults {
  const faults = new Map<string, string>();
  for (const { code, message, where } of edit?.kind === 'edit' ? edit.checked.problems : []) {
    // An unknown key has no field in any form.
    const name = code === 'config-unknown-key' ? undefined : nameAt(where.field, entry);
    if (name !== undefined) faults.set(name, [faults.get(name), message].filter(Boolean).join(' '));
  }
  return faults;
}

/** Finds the id of the field a problem is about. */
export const fieldIdAt =
  (entry: EntryPath, faults: FieldFaults) =>
  (where: string): string | undefined => {
    const name = nameAt(where, entry);
    return name !== undefined && faults.has(name) ? fieldId(name) : undefined;
  };

/** A field's id, and the attributes that mark it as invalid. */
export const fieldAttributes = (name: string, faults: FieldFaults): HtmlPart =>
  html` id="${fieldId(name)}"${faults.has(name) && html` aria-invalid="true" aria-describedby="${lineId(name)}"`}`;

/** The message below an invalid field. */
export const faultLine = (name: string, faults: FieldFaults): HtmlPart =>
  faults.has(name) && html`<p class="small wrong any-break" id="${lineId(name)}">${faults.get(name)}</p>`;

const CHANGE_ID = 'block';

/** The heading of what the form would write. On a phone this is below the form, and the form's button leads to it. */
export const CHANGE_HEADING: Html = html`<h2 id="${CHANGE_ID}" tabindex="-1">What saving writes into the file</h2>`;

/** A button that shows on the same page what the form would write. */
export const showButton = (asked: Asked): Html =>
  button('show', 'Show what that changes', { kind: 'go', to: `${linkTo(asked, pathBelow(asked.url))}#${CHANGE_ID}` });
