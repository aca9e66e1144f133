import { html, type Html } from '../../html/template.ts';
import { LOOKED_AT } from '../../config/declaration.ts';
import { isRawMap, type Raw, type RawMap } from '../../config/splice/raw.ts';
import { VENUE_PARTS } from '../../sync/model/draft.ts';
import { FIELD_NAMES, FLAGS, isFieldName } from '../../sync/model/fields.ts';
import { FIELD_LABELS } from '../frame/field-labels.ts';
import type { Sent } from '../frame/operator.ts';
import { listOf, SET_LABELS, type RuleEntry, type RuleKind } from './rule-kinds.ts';
import type { EditedRule } from './rule-state.ts';

const NOT_SET = ['start_date', 'end_date', 'timezone', 'all_day'];
const LISTS = ['categories', 'tags', 'add_categories', 'add_tags'];
const SETTABLE: readonly string[] = [
  ...FIELD_NAMES.filter((field) => !NOT_SET.includes(field)),
  'add_categories',
  'add_tags',
  ...VENUE_PARTS,
];

/** The label of a field. Fields known only to feeds and rules are shown by their own names. */
const labelOf = (field: string): string => (isFieldName(field) ? FIELD_LABELS[field] : (SET_LABELS[field] ?? field));

const choice = (name: string, label: string, choices: readonly string[], chosen: string, none = ''): Html =>
  html`<select class="find" name="${name}" aria-label="${label}">
    ${none !== '' && html`<option value="">${none}</option>`}${choices.map(
      (each) => html`<option value="${each}" ${each === chosen && html` selected`}>${labelOf(each)}</option>`,
    )}
  </select>`;
const input = (name: string, label: string, value: string): Html =>
  html`<input
    class="find"
    name="${name}"
    aria-label="${label}"
    value="${value}"
    autocapitalize="none"
    spellcheck="false"
  />`;
const textOf = (value: Raw | undefined): string =>
  value === undefined || value === null || typeof value === 'object' ? '' : String(value);

/** The inputs to edit a rule. */
export function ruleFields({ kind, key, value }: RuleEntry): Html {
  const [first = '', second = ''] = kind.labels;
  if (kind.form === 'pair')
    return html`<div class="row">
        <span class="nb">${first}</span
        >${input('key', first, key)}<span>${second}</span>${input('value', second, textOf(value))}
      </div>
      <p class="small dim">Case, accents and signs do not matter.</p>`;
  if (kind.form === 'words')
    return html`<label class="field">${first}<input name="key" value="${key}" /></label
      ><label class="field">${second}<input name="value" value="${listOf(value).map(textOf).join(', ')}" /></label>`;
  if (kind.form === 'name')
    return html`<label class="field">${first}<input name="value" value="${textOf(value)}" /></label>`;
  if (kind.form === 'flag') return html`<p>${first}.</p>`;
  if (kind.form === 'filter')
    return html`<div class="row"><span class="nb">${first} whose</span>${filterFields(value)}</div>
      ${EXPRESSIONS}`;
  return setFields(isRawMap(value) ? value : {});
}

const EXPRESSIONS = html`<p class="small dim">
  A regular expression: <code>(?i)jazz</code> finds “Jazz” anywhere, <code>^Staff</code> at the beginning,
  <code>quiz|game</code> one of two.
</p>`;

const filterFields = (value: Raw | undefined): Html =>
  html`${choice(
    'field',
    'Field to check',
    LOOKED_AT,
    isRawMap(value) ? textOf(value['field']) : '',
    'field…',
  )}<span>matches</span>${input('expression', 'Expression', isRawMap(value) ? textOf(value['matches']) : '')}`;

function setFields({ when, only_where_empty: onlyEmpty, ...fields }: RawMap): Html {
  const set = [...Object.entries(fields), ['', ''] as const];
  return html`<p class="nb">Events</p>
    ${[...listOf(when), null].map((rule) => html`<div class="row"><span>whose</span>${filterFields(rule)}</div>`)}
    <p class="nb">get</p>
    ${set.map(
      ([field, value]) =>
        html`<div class="row">
          ${choice('set', 'Field that is set', SETTABLE, field, 'field…')}${input('to', 'Its value', listOf(value).map(textOf).join(', '))}
        </div>`,
    )}<label class="row"
      ><input type="checkbox" name="empty" value="yes" ${onlyEmpty === true && html` checked`} /> only where that is
      empty</label
    >
    <p class="small dim">
      Several names with commas between them. In a text, <code>{1}</code> is what the first group of the first
      expression has found. An empty row adds nothing.
    </p>`;
}

/** Whether a form includes the inputs of a rule. */
export const hasRuleFields = (sent: Sent): boolean =>
  ['key', 'value', 'field', 'set'].some((name) => sent.all(name).length > 0);

/** The rule that the inputs of a form describe. */
export function ruleSent(kind: RuleKind, sent: Sent, before: Raw): EditedRule {
  const [key, value] = [sent.field('key').trim(), sent.field('value').trim()];
  if (kind.form === 'pair' || kind.form === 'name') return { key, value };
  if (kind.form === 'words') return { key, value: namesIn(value) };
  if (kind.form === 'flag') return { key, value: before };
  const filters = filtersIn(sent);
  return { key, value: kind.form === 'filter' ? (filters[0] ?? before) : setSent(sent, filters) };
}

const namesIn = (text: string): readonly string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');

function filtersIn(sent: Sent): readonly RawMap[] {
  const expressions = sent.all('expression');
  return sent.all('field').flatMap((field, index) => {
    const matches = expressions[index] ?? '';
    return field === '' || matches === '' ? [] : [{ field, matches }];
  });
}

function setSent(sent: Sent, when: readonly RawMap[]): RawMap {
  const values = sent.all('to');
  const set = sent.all('set').flatMap((field, index): [string, Raw][] => {
    const text = values[index]?.trim() ?? '';
    return field === '' ? [] : [[field, setValue(field, text)]];
  });
  return {
    ...(when.length > 0 ? { when } : {}),
    ...(sent.field('empty') === 'yes' ? { only_where_empty: true } : {}),
    ...Object.fromEntries(set),
  };
}

function setValue(field: string, text: string): Raw {
  if (LISTS.includes(field)) return namesIn(text);
  return FLAGS.some((flag) => flag === field) ? text === 'true' || text === 'yes' : text;
}
