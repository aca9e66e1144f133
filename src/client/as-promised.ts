import { eventFieldArgs } from '../contract/event-fields.ts';

/**
 * The JSON of an answer, in the types that the interface promises. Plugins and PHP itself deliver others: numbers and
 * flags as text, `false` or null for empty values, and an object instead of a list from which an item was removed.
 */
export const asPromised = (body: unknown): unknown => withTypes(body, '');

const NUMBERS: ReadonlySet<string> = new Set(['id', 'parent', 'term_id', 'total', 'total_pages']);
const LISTS: ReadonlySet<string> = new Set([
  'events',
  'venues',
  'organizers',
  'categories',
  'tags',
  'venue',
  'organizer',
  'responses',
]);
/** Venues have some of these flags, under the same names. */
const FLAGS: ReadonlySet<string> = new Set(
  Object.entries(eventFieldArgs).flatMap(([name, { about }]) => (about.type === 'boolean' ? [name] : [])),
);
const TEXTS: ReadonlySet<string> = new Set(['description', 'excerpt', 'cost', 'website']);

function withTypes(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return withTypesInside(value);
  if (typeof value === 'object' && value !== null)
    return LISTS.has(name) && Object.keys(value).every(isPlace)
      ? withTypesInside(Object.values(value))
      : withTypesOf(value as Readonly<Record<string, unknown>>);
  if (NUMBERS.has(name)) return numberOf(value);
  if (FLAGS.has(name)) return flagOf(value);
  if (LISTS.has(name)) return isNothing(value) ? [] : value;
  return TEXTS.has(name) && isNothing(value) ? '' : value;
}

const withTypesInside = (list: readonly unknown[]): unknown[] => list.map((one) => withTypes(one, ''));

const withTypesOf = (object: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, withTypes(value, name)]));

/** Whether a key is an index of a PHP list; such indexes need not start at 0 or be consecutive. */
const isPlace = (key: string): boolean => /^\d+$/.test(key);

const numberOf = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;

/** null stays: it means that a password protects the event. */
function flagOf(value: unknown): unknown {
  if (value === 1 || value === '1' || value === 'true') return true;
  return value === 0 || value === '0' || value === 'false' || value === '' ? false : value;
}

const isNothing = (value: unknown): boolean => value === false || value === null || value === '';
