import { html, type Html } from '../../html/template.ts';
import { textFromHtml } from '../../html/text.ts';
import { FIELDS, type FieldName } from '../../sync/model/fields.ts';
import { isEmpty } from '../../sync/model/json.ts';
import type { Json } from '../../sync/model/plan.ts';
import { marked } from '../frame/marked.ts';
import { dayIn } from './days.ts';
import { startOf } from '../../html/shortened.ts';

/** Whether an event was all-day before a change, and is after it. */
export interface AllDay {
  readonly was: boolean;
  readonly is: boolean;
}

/** Statuses whose word for people differs from their value. */
const STATUSES: Readonly<Record<string, string>> = { publish: 'published' };

const NEVER: AllDay = { was: false, is: false };

/**
 * A value as text, with names for linked items; '' if there is none. With `allDay`, times are shortened to their day.
 */
export function valueText(field: string, value: Json | undefined, allDay = false): string {
  if (isEmpty(value)) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map((one) => valueText(field, one)).join(', ');
  if (typeof value === 'object') return nameIn(value);
  const text = String(value);
  if (field === 'status') return STATUSES[text] ?? text;
  if (/^\d{4}-\d\d-\d\d \d\d:\d\d/.test(text))
    return `${dayIn('shortDay', text.slice(0, 10))} ${text.slice(0, 4)}${allDay ? '' : `, ${text.slice(11, 16)}`}`;
  return isMarkup(field) ? textFromHtml(text).trim() : text;
}

/** The name of a venue or organizer as a feed gives it. */
function nameIn(value: Json): string {
  const named = value as { readonly venue?: string; readonly organizer?: string };
  return named.venue ?? named.organizer ?? JSON.stringify(value);
}

const isMarkup = (field: string): boolean => Object.hasOwn(FIELDS, field) && 'markup' in FIELDS[field as FieldName];

/** Longer texts are cut, with a note. */
const SHOWN_MAX = 1_200;

function cut(text: string): string {
  const start = startOf(text, SHOWN_MAX);
  return start === text ? text : `${start} … (${text.length - start.length} more characters)`;
}

/** A value as shown on a page. */
export function shownValue(field: string, value: Json | undefined, allDay = false): Html {
  const text = valueText(field, value, allDay);
  return text === '' ? html`<span class="dim">nothing</span>` : html`${cut(text)}`;
}

/** A value compared with the one before, with the differing words marked. */
export function markedValue(
  field: string,
  before: Json | undefined,
  after: Json | undefined,
  allDay: AllDay = NEVER,
): Html {
  const [was, is] = [cut(valueText(field, before, allDay.was)), cut(valueText(field, after, allDay.is))];
  if (was === is) return shownValue(field, after, allDay.is);
  if (is === '') return html`<del>${was}</del> <span class="dim">nothing</span>`;
  return marked(was, is);
}
