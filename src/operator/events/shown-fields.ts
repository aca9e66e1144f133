import { html, type Html } from '../../html/template.ts';
import type { Explanation } from '../../run/decisions/explain-event.ts';
import { unitOf } from '../../sync/decisions/settle.ts';
import { FIELD_NAMES, type FieldName } from '../../sync/model/fields.ts';
import type { Sent } from '../frame/operator.ts';
import { markOf } from './conflict-marks.ts';

// A form about fields carries what the event's page has shown of them.

/**
 * The named field with those decided together with it; without a name, all edited fields that the feed has a value for.
 */
export const namedOrEdited = ({ edits, fields }: Explanation, field: FieldName | undefined): readonly FieldName[] =>
  unitOf(
    field,
    edits.filter((each) => (fields[each]?.feed ?? null) !== null),
  );

const NAME = 'shown';

/** A digest of the named field and those decided together with it, or else of the whole event. */
const markIn = ({ fields }: Explanation, field: FieldName | undefined): string =>
  markOf({
    fields: unitOf(field, FIELD_NAMES).map((name) => ({
      field: name,
      site: fields[name]?.site,
      feed: fields[name]?.feed ?? null,
    })),
  });

/** The hidden input for a form that decides about a field, or the whole event. */
export const shownField = (explanation: Explanation, field?: FieldName): Html =>
  html`<input type="hidden" name="${NAME}" value="${markIn(explanation, field)}" />`;

/** Whether site and feed still have the values that the form has shown. */
export const isAsShown = (sent: Sent, explanation: Explanation, field: FieldName | undefined): boolean =>
  sent.field(NAME) === markIn(explanation, field);
