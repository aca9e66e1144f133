import { grouped } from '../../count-in-words.ts';
import type { Action, EventAction, Json, Plan } from '../model/plan.ts';
import { inFieldOrder, isLinked, type LinkedResource } from '../model/fields.ts';
import { isEmpty } from '../model/json.ts';
import { nameOfRef } from '../links/link.ts';
import { shortened } from '../../html/shortened.ts';

/** One line of `--dry-run --json`. */
export interface PlanLine {
  readonly action: Action['kind'];
  readonly slug: string;
  readonly title: string;
  readonly fields: Readonly<Record<string, { readonly from: Json; readonly to: Json }>>;
  readonly because: string;
}

/** A plan's event actions as JSON, with terms and linked posts by name. */
export function planAsJson({ actions }: Pick<Plan, 'actions'>): readonly PlanLine[] {
  return actions.flatMap((action) =>
    action.resource === 'events'
      ? [
          {
            action: action.kind,
            slug: action.slug,
            title: action.title,
            fields: fieldsOf(action),
            because: action.because,
          },
        ]
      : [],
  );
}

/** A plan for people, one line per action, then conflicts and the reason for a hold. */
export function planInWords(plan: Plan): readonly string[] {
  const linked = plan.actions.flatMap((action) => ('ref' in action ? [`+ ${linkedInWords(action.ref)}`] : []));
  const events = planAsJson(plan).flatMap(({ action, slug, title, fields, because }) => [
    `${SIGN[action]} ${action} "${title}" (${slug}): ${because}`,
    ...(action === 'create'
      ? []
      : Object.entries(fields).map(([name, { from, to }]) => `    ${name}: ${inWords(from)} → ${inWords(to)}`)),
  ]);
  return [...linked, ...events, ...conflictsInWords(plan), ...(plan.held === null ? [] : [`Held: ${plan.held}`])];
}

/** One line for each field that both feed and site have changed. */
export const conflictsInWords = ({ conflicts }: Pick<Plan, 'conflicts'>): readonly string[] =>
  conflicts.map(
    ({ title, slug, field, feed, site }) =>
      `! conflict "${title}" (${slug}): ${field} is ${isLinked(field) ? 'something else' : inWords(site)} on the site and ` +
      `${inWords(isLinked(field) ? namesGiven(feed) : feed)} in the feed; the site's stays`,
  );

/** The names that a feed gives. Of what the site links to, only the ids are known. */
const namesGiven = (value: Json): Json =>
  Array.isArray(value)
    ? value.map((each) => (isMap(each) ? String(each['venue'] ?? each['organizer'] ?? '') : String(each)))
    : value;

const isMap = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A ref in words: `category "Music"`. */
export function linkedInWords(ref: string): string {
  const kind = new Map(Object.entries(KIND)).get(ref.slice(0, ref.indexOf(':')));
  return kind === undefined ? `"${ref}"` : `${kind} "${nameOfRef(ref)}"`;
}

const SIGN: Readonly<Record<Action['kind'], string>> = { create: '+', update: '~', remove: '-' };
const KIND: Readonly<Record<LinkedResource, string>> = {
  categories: 'category',
  tags: 'tag',
  venues: 'venue',
  organizers: 'organizer',
};
const WORDS_MAX = 80;

function fieldsOf(action: EventAction): PlanLine['fields'] {
  if (action.kind === 'update') return named(action.changes);
  const { slug: _slug, ...fields } = action.fields;
  return named(Object.fromEntries(Object.entries(fields).map(([name, to]) => [name, { from: null, to }])));
}

const named = (fields: PlanLine['fields']): PlanLine['fields'] =>
  Object.fromEntries(
    inFieldOrder(fields).map(([name, { from, to }]) => [
      name,
      isLinked(name) ? { from: namesOf(from), to: namesOf(to) } : { from, to },
    ]),
  );
const namesOf = (value: Json): Json => (Array.isArray(value) ? value.map((ref) => nameOfRef(String(ref))) : value);

function inWords(value: Json): string {
  if (isEmpty(value)) return 'nothing';
  if (Array.isArray(value))
    return value.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join(', ');
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > WORDS_MAX ? `${shortened(text, WORDS_MAX)} (${grouped(text.length)} characters)` : text;
}
