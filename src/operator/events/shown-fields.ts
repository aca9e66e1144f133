import { html, type Html } from '../../html/template.ts';
import type { Explanation } from '../../run/decisions/explain-event.ts';
import { unitOf } from '../../sync/decisions/settle.ts';
import { FIELD_NAMES, type FieldName } from '../../sync/model/fields.ts';
import type { Sent } from '../frame/operator.ts';
import { markOf } from './conflict-marks.ts';

// What the page of an event has shown of the fields that a button decides about goes along with the form.

/** The named field with what is decided together with it, else all edits about which the feed says something. */
export const namedOrEdited = ({ edits, fields }: Explanation, field: FieldName | undefined): readonly FieldName[] =>
  unitOf(
    field,
    edits.filter((each) => (fields[each]?.feed ?? null) !== null),
  );

const NAME = 'shown';

/** Of the named field with what is decided together with it, else of the whole event. */
const markIn = ({ fields }: Explanation, field: FieldName | undefined): string =>
  markOf({
    fields: unitOf(field, FIELD_NAMES).map((name) => ({
      field: name,
      site: fields[name]?.site,
      feed: fields[name]?.feed ?? null,
    })),
  });

/** Goes into a form that decides about a field, or the whole event. */
export const shownField = (explanation: Explanation, field?: FieldName): Html =>
  html`<input type="hidden" name="${NAME}" value="${markIn(explanation, field)}" />`;

/** Whether site and feed still say what the form has shown. */
export const isAsShown = (sent: Sent, explanation: Explanation, field: FieldName | undefined): boolean =>
  sent.field(NAME) === markIn(explanation, field);
