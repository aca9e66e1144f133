import { html, type Html, type HtmlPart } from '../../html/template.ts';
import type { Asked } from '../frame/operator.ts';
import { button, linkTo, pathBelow } from '../frame/parts.ts';
import type { EntryPath } from './by-hand.ts';
import type { Edit } from './config-edit.ts';

/** What is wrong with the fields of a form, by the name of the field. */
export type FieldFaults = ReadonlyMap<string, string>;

// Signs of the console have ids of their own, "paused" among them.
const fieldId = (name: string): string => `field-${name}`;
const lineId = (name: string): string => `${fieldId(name)}-fault`;

const nameAt = (where: string | undefined, entry: EntryPath): string | undefined => {
  const above = `${entry.join('.')}.`;
  return where?.startsWith(above) === true ? where.slice(above.length).replace(/\.\d+$/, '') : undefined;
};

/** What the check says of the settings of one entry of the file, whose fields are named as its keys. */
export function fieldFaults(edit: Edit | undefined, entry: EntryPath): FieldFaults {
  const faults = new Map<string, string>();
  for (const { code, message, where } of edit?.kind === 'edit' ? edit.checked.problems : []) {
    // No form has a field for a key that there is not.
    const name = code === 'config-unknown-key' ? undefined : nameAt(where.field, entry);
    if (name !== undefined) faults.set(name, [faults.get(name), message].filter(Boolean).join(' '));
  }
  return faults;
}

/** The id of the field that a problem is about. */
export const fieldAt =
  (entry: EntryPath, faults: FieldFaults) =>
  (where: string): string | undefined => {
    const name = nameAt(where, entry);
    return name !== undefined && faults.has(name) ? fieldId(name) : undefined;
  };

/** The attributes of a field: its place on the page, and whether it cannot stay as it is. */
export const toldBy = (name: string, faults: FieldFaults): HtmlPart =>
  html` id="${fieldId(name)}"${faults.has(name) && html` aria-invalid="true" aria-describedby="${lineId(name)}"`}`;

/** What is wrong with a field, to stand below it. */
export const faultLine = (name: string, faults: FieldFaults): HtmlPart =>
  faults.has(name) && html`<p class="small wrong any-break" id="${lineId(name)}">${faults.get(name)}</p>`;

const CHANGE_ID = 'block';

/** The heading of what a form would write, which stands below the form on a phone and is what its button leads to. */
export const CHANGE_HEADING: Html = html`<h2 id="${CHANGE_ID}" tabindex="-1">What saving writes into the file</h2>`;

/** Shows on this page what the form would write. */
export const showButton = (asked: Asked): Html =>
  button('show', 'Show what that changes', { kind: 'go', to: `${linkTo(asked, pathBelow(asked.url))}#${CHANGE_ID}` });
