import { html, type Html } from '../../html/template.ts';
import type { Explanation } from '../../run/decisions/explain-event.ts';
import { unitOf } from '../../sync/decisions/settle.ts';
import { FIELD_NAMES, type FieldName } from '../../sync/model/fields.ts';
import type { Sent } from '../frame/operator.ts';
import { markOf } from './conflict-marks.ts';

// What the page of an event has shown of the fields that a button decides about goes along with the form.

/** The fields that a button decides about. */
export type DecidedFields = (explanation: Explanation, field: FieldName | undefined) => readonly FieldName[];

/** Of an event that goes back to its source, all. */
export const wholeEvent: DecidedFields = () => FIELD_NAMES;

/** The named one with what is decided together with it, else all edits about which the feed says something. */
export const namedOrEdited: DecidedFields = ({ edits, fields }, field) =>
  unitOf(
    field,
    edits.filter((each) => (fields[each]?.feed ?? null) !== null),
  );

const NAME = 'shown';

const markIn = ({ fields }: Explanation, names: readonly FieldName[]): string =>
  markOf({
    fields: names.map((field) => ({ field, site: fields[field]?.site, feed: fields[field]?.feed ?? null })),
  });

export const shownField = (explanation: Explanation, names: readonly FieldName[]): Html =>
  html`<input type="hidden" name="${NAME}" value="${markIn(explanation, names)}" />`;

/** Whether site and feed still say what the form has shown. */
export const isAsShown = (sent: Sent, explanation: Explanation, names: readonly FieldName[]): boolean =>
  sent.field(NAME) === markIn(explanation, names);
