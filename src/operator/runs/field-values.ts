import { textFromHtml } from '../../html/text.ts';
import { html, type Html } from '../../html/template.ts';
import { nameOfRef } from '../../sync/links/link.ts';
import { isFieldName, isLinked } from '../../sync/model/fields.ts';
import type { Json } from '../../sync/model/plan.ts';
import { markedWords } from '../../sync/review/marked-words.ts';
import { dayInWords, dayOf, weekdayOf } from '../../sync/review/days.ts';
import { FIELD_LABELS } from '../events/field-words.ts';

/** A field as people call it. */
export const labelOfField = (field: string): string => (isFieldName(field) ? FIELD_LABELS[field] : field);

/** The clock of a wall time: "19:00". */
export const clockOf = (wall: string): string => wall.slice(11, 16);

/** "Sat 6 March, 19:00". */
export const whenInWords = (wall: string, today: string): string =>
  wall === '' ? '' : `${weekdayOf(dayOf(wall)).slice(0, 3)} ${dayInWords(dayOf(wall), today)}, ${clockOf(wall)}`;

/** Long texts are cut around what differs. */
const TEXT_MAX = 300;

/** A value as plain text. */
export function plainValue(field: string, value: Json | undefined): string {
  if (value === null || value === undefined || value === '') return '';
  if (Array.isArray(value))
    return value.map((each) => (isLinked(field) ? nameOfRef(String(each)) : String(each))).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return field === 'description' || field === 'excerpt' ? textFromHtml(String(value)) : String(value);
}

/** What of a text is marked as gone and as new; `from` and `to` as plain texts. */
export function markedHtml(from: string, to: string): Html {
  const pieces = markedWords(from, to);
  const cut = (text: string, isFirst: boolean, isLast: boolean): string => {
    if (text.length <= TEXT_MAX / 2) return text;
    if (isFirst) return `…${text.slice(-TEXT_MAX / 4)}`;
    if (isLast) return `${text.slice(0, TEXT_MAX / 4)}…`;
    return `${text.slice(0, TEXT_MAX / 6)} … ${text.slice(-TEXT_MAX / 6)}`;
  };
  return html`${pieces.map(({ kind, text }, index) => {
    if (kind === 'same') return html`${cut(text, index === 0, index === pieces.length - 1)}`;
    const shown = text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
    return kind === 'gone' ? html`<del>${shown}</del> ` : html`<ins>${shown}</ins>`;
  })}`;
}
