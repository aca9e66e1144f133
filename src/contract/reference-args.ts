import {
  arg,
  invalid,
  readingOf,
  tooMany,
  value,
  type Arg,
  type ArgAbout,
  type ArgContext,
  type Args,
  type ArgsOf,
  type Mismatch,
  type Reading,
  type Refusal,
} from './arg.ts';
import { positive } from './arg-kinds.ts';
import { LINE_MAX, PARAMETERS_MAX } from './limits.ts';

/**
 * A term as a caller names it. `text` is a slug, or else a name (ignoring case) or, if it consists of digits and
 * neither matches, an id. A write creates a missing name, but refuses an unknown id, even one given as digits.
 */
export type TermRef = { readonly kind: 'id'; readonly id: number } | { readonly kind: 'text'; readonly text: string };

/** A venue or organizer as a caller names it: an existing one, or the data of a new one. */
export type LinkedRef<F> = { readonly kind: 'id'; readonly id: number } | { readonly kind: 'data'; readonly data: F };

type About = Omit<ArgAbout, 'type' | 'items'>;
const ITEMS = { items: { type: 'integer' } };

/** Terms by id, slug or name: a list, a single one, or comma-separated text. [], '' and null mean none. */
export const termRefs = (about: About): Arg<readonly TermRef[], 'optional'> =>
  arg(
    { ...ITEMS, ...about },
    (raw) => all(listed(raw), termRef),
    oneOrMany({ oneOf: [{ type: 'integer' }, { type: 'string' }] }),
  );

/** Ids: a list, a single one, or comma-separated text. */
export const ids = (about: About): Arg<readonly number[], 'optional'> =>
  arg({ ...ITEMS, ...about }, (raw) => all(listed(raw), positive), oneOrMany({ type: 'integer' }));

/**
 * Venues or organizers: an id, `{id}`, the fields of a new one, or a list of these, for ids also with commas. null, [],
 * '', 0 and false mean none.
 */
export const linkedRefs = <A extends Args>(
  fields: A,
  name: keyof A & string,
  about: About,
): Arg<readonly LinkedRef<ArgsOf<A>>[], 'optional'> =>
  arg(
    { ...ITEMS, ...about },
    (raw, context) => {
      if (raw === 0 || raw === '0' || raw === false) return value([]);
      if (isNone(raw)) return value([]);
      const given = typeof raw === 'string' ? raw.split(',') : raw;
      return all(Array.isArray(given) ? given : [given], (one) => linkedRef(one, fields, name, context));
    },
    oneOrMany({
      oneOf: [
        { type: 'integer' },
        {
          type: 'object',
          description: `{ "id" } of an existing one, or the fields of a new one, \`${name}\` at least`,
        },
      ],
    }),
  );

const oneOrMany = (one: object): object => ({
  anyOf: [{ type: 'array', items: one }, { type: 'string', nullable: true }, one],
});
const isNone = (raw: unknown): boolean => raw === null || raw === '';

function listed(raw: unknown): readonly unknown[] {
  if (isNone(raw)) return [];
  if (Array.isArray(raw)) return raw.filter((one) => !isNone(one));
  return typeof raw === 'string'
    ? raw
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '')
    : [raw];
}

function all<T>(raws: readonly unknown[], read: (raw: unknown) => Reading<T>): Reading<readonly T[]> {
  if (raws.length > PARAMETERS_MAX) return tooMany(PARAMETERS_MAX);
  const values: T[] = [];
  for (const raw of raws) {
    const reading = read(raw);
    if (reading.kind !== 'value') return refusalOf(reading);
    values.push(reading.value);
  }
  return value(values);
}

const NO_TERM = invalid('Expected ids, slugs or names.');

function termRef(raw: unknown): Reading<TermRef> {
  if (typeof raw === 'string')
    return raw.trim() === '' || raw.length > LINE_MAX ? NO_TERM : value({ kind: 'text', text: raw.trim() });
  if (isRecord(raw)) return termRef(raw['id'] ?? raw['slug'] ?? raw['name']);
  return idRef(raw, NO_TERM);
}

function linkedRef<A extends Args>(
  raw: unknown,
  fields: A,
  name: keyof A & string,
  context: ArgContext,
): Reading<LinkedRef<ArgsOf<A>>> {
  const neither = invalid(`Expected an id, or the fields of a new one, ${name} at least.`);
  if (!isRecord(raw)) return idRef(raw, neither);
  if (raw['id'] !== undefined) return idRef(raw['id'], neither);
  if (raw[name] === undefined || raw[name] === null) return neither;
  const data: Record<string, unknown> = {};
  for (const [field, arg] of Object.entries(fields)) {
    // Inside an event, a venue's flags may be true as well as "true".
    const reading = readingOf(arg, typeof raw[field] === 'boolean' ? String(raw[field]) : raw[field], context);
    if (!reading) continue;
    if (reading.kind !== 'value') return refusalOf(reading, field);
    data[field] = reading.value;
  }
  // Every value came from the parser of its own field.
  return value({ kind: 'data', data: data as ArgsOf<A> });
}

function idRef(raw: unknown, refusal: Refusal): Reading<{ readonly kind: 'id'; readonly id: number }> {
  const reading = positive(raw);
  return reading.kind === 'value' ? value({ kind: 'id', id: reading.value }) : refusal;
}

/** A problem inside a value refuses the whole value, naming the field. */
function refusalOf(reading: Refusal | Mismatch, field?: string): Refusal {
  if (reading.kind === 'mismatch') return invalid(reading.message(field ?? 'An item'));
  return field === undefined ? reading : invalid(`${field}: ${reading.why}`);
}

const isRecord = (raw: unknown): raw is Readonly<Record<string, unknown>> =>
  typeof raw === 'object' && raw !== null && !Array.isArray(raw);
