import * as fc from 'fast-check';
import { api } from '../../src/contract/api.ts';
import type { Arg } from '../../src/contract/arg.ts';
import { pathParams, type Endpoint } from '../../src/contract/endpoint.ts';
import type { Role } from '../../src/site/roles.ts';
import { pairsOf } from './cases/writes.ts';
import { anyText } from '../support/any-text.ts';

/** A random request. */
export interface Fuzzed {
  readonly endpoint: string;
  readonly as: Role | null;
  readonly method: string;
  /** The path below the root of the interface, with the query. */
  readonly path: string;
  readonly body?: string;
  readonly type?: string;
  /**
   * Whether the answer is not in the endpoint's own form, but reduced to some fields, in an envelope, or as a script.
   */
  readonly isReshaped: boolean;
}

type Schema = Readonly<Record<string, unknown>>;
type Value = fc.Arbitrary<unknown>;
/** Ids and slugs that exist on the site. */
export interface Pool {
  readonly ids: Readonly<Record<string, readonly number[]>>;
  readonly slugs: readonly string[];
}

const NAMESPACE = 'calendar/events/v1';
const ROLES = [null, 'subscriber', 'contributor', 'author', 'editor', 'administrator'] as const;
const NASTY_TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1e309',
  'NaN',
  '\0',
  'a\0b',
  '\ud800',
  '%',
  '_',
  '\\',
  "'; drop table site.events; --",
  '<script>alert(1)</script>',
  '&amp;&#0;&',
  '__proto__',
  'constructor',
  '2147483648',
  '99999999999999999999',
  '0000-00-00',
  '-0001-01-01',
  '10000-01-01',
  '2027-02-29',
  '9999-12-31 23:59:59',
  '0001-01-01',
  '+9999 years',
  '-9999 years -9999 years',
  'next friday',
  '@99999999999',
  'UTC+14',
  '+15:00',
  '[]',
  '{"a":1}',
  '../..',
  '%00',
  '😀',
  'İ',
  'x'.repeat(3000),
  ',',
  'a,b',
  'http://[',
  'https://x.example/\u202e',
  '"',
  '"a',
  '-"',
  '- -',
  '1,234.56 – 7',
  '$'.repeat(300),
];
const nasty: Value = fc.oneof(
  fc.constantFrom<unknown>(...NASTY_TEXTS),
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    2 ** 31,
    2 ** 53,
    1e308,
    [],
    {},
    [[]],
    [null],
    { id: null },
    { id: {} },
    { venue: '' },
  ),
  anyText({ maxLength: 20 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.array(fc.constantFrom<unknown>(...NASTY_TEXTS, 5, null), { maxLength: 4 }),
);
const DATES = [
  '2027-01-10 18:00:00',
  '2027-01-10',
  '2027-03-28 02:30',
  '2027-10-31T02:30:00+02:00',
  '2026-12-01T10:00:00Z',
  'tomorrow 9am',
  '10 January 2027',
  '1796550000',
  '2030-06-01 12:00',
];
const WORDS = [
  'Jazz',
  'Rock & Roll',
  'Łódź',
  'a b',
  '<p>Text</p>',
  '25 zł',
  'https://x.example/?a=1',
  'jazz',
  '日本',
  'a@b.example',
];

/** The existing ids that suit an argument; `own` are those of the endpoint's collection. */
function idsFor(name: string, own: readonly number[], { ids }: Pool): readonly number[] {
  const found = ids[NAMES_OF_KINDS[name] ?? ''] ?? own;
  return found.length > 0 ? found : [1];
}
const NAMES_OF_KINDS: Readonly<Record<string, string>> = {
  categories: 'categories',
  parent: 'categories',
  tags: 'tags',
  venue: 'venues',
  organizer: 'organizers',
  event: 'events',
  post: 'events',
  post_parent: 'events',
  author: 'users',
};

/** A value that the argument's schema usually allows. */
function allowed(name: string, schema: Schema, own: readonly number[], pool: Pool): Value {
  const ids = idsFor(name, own, pool);
  const branches = (schema['oneOf'] ?? schema['anyOf']) as readonly Schema[] | undefined;
  if (branches) return fc.oneof(...branches.map((branch) => allowed(name, branch, own, pool)));
  if (Array.isArray(schema['enum'])) return fc.constantFrom<unknown>(...(schema['enum'] as unknown[]));
  if (/(?:^|_)(?:date|before|after|start|end)(?:_utc)?$|^date/.test(name)) return fc.constantFrom(...DATES);
  switch (schema['type']) {
    case 'integer':
      return fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...(/page/.test(name) ? [1, 2, 10] : ids)) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }) },
      );
    case 'number':
      return fc.double({ min: -90, max: 90, noNaN: true });
    case 'boolean':
      return fc.constantFrom<unknown>(true, false, 'true', '0', 'yes');
    case 'array':
      return fc.array(allowed(name, (schema['items'] ?? {}) as Schema, own, pool), { maxLength: 3 });
    case 'object':
      return fc.oneof(
        fc.record({ id: fc.constantFrom(...ids) }),
        fc.dictionary(fc.constantFrom(name, 'city', 'email', 'a'), fc.constantFrom<unknown>(...WORDS), {
          maxKeys: 3,
          noNullPrototype: true,
        }),
      );
    default:
      return NAMED[name] ? fc.constantFrom(...NAMED[name]) : fc.constantFrom<unknown>(...WORDS, ...pool.slugs);
  }
}

const NAMED: Readonly<Record<string, readonly unknown[]>> = {
  timezone: ['Europe/Warsaw', 'America/New_York', 'UTC+5.5', 'Asia/Kathmandu'],
  translation_language: ['en', 'pl'],
  image: ['1', 'https://x.example/a.png'],
  status: ['publish', 'draft', 'trash', 'private', 'future'],
  website: ['https://x.example/?a=1', ''],
  maxwidth: ['300'],
  strict_dates: ['true', 'false'],
  slug: ['jazz', 'fuzz-1', 'Łódź'],
  url: ['https://site.example/event/fuzz-1/', 'https://other.example/'],
  orderby: ['id', 'slug', 'count', 'include'],
  order: ['asc', 'desc'],
};

const schemaOf = ({ schema, about }: Arg): Schema =>
  (schema ?? { ...about, enum: Array.isArray(about.enum) ? about.enum : undefined }) as Schema;

/** Values for some of the arguments: all valid, or some of them broken. */
function values(endpoint: Endpoint, pool: Pool): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const inPath = pathParams(endpoint.path);
  const args = Object.entries(endpoint.args).filter(([name]) => !inPath.includes(name));
  const some = (value: (name: string, arg: Arg) => Value) =>
    fc.record(Object.fromEntries(args.map(([name, arg]) => [name, value(name, arg)])), { requiredKeys: [] });
  const chosen = fc.uniqueArray(fc.constantFrom(...args.map(([name]) => name), ''), { maxLength: 5 });
  const needed = args.filter(([, { presence }]) => presence === 'required').map(([name]) => name);
  const own = ownIds(endpoint, pool);
  const good = (name: string, arg: Arg): Value => allowed(name, schemaOf(arg), own, pool);
  const full = (value: (name: string, arg: Arg) => Value) =>
    fc
      .tuple(fc.record(Object.fromEntries(args.map(([name, arg]) => [name, value(name, arg)]))), chosen)
      .map(([all, names]) =>
        Object.fromEntries(
          Object.entries(all as object).filter(([name]) => names.includes(name) || needed.includes(name)),
        ),
      );
  return fc.oneof(
    { weight: 5, arbitrary: full(good) },
    {
      weight: 4,
      arbitrary: full((name, arg) =>
        fc.oneof({ weight: 3, arbitrary: good(name, arg) }, { weight: 1, arbitrary: nasty }),
      ),
    },
    { weight: 1, arbitrary: some(() => nasty) },
  );
}

const ownIds = ({ path }: Endpoint, { ids }: Pool): readonly number[] => ids[path.split('/')[1] ?? ''] ?? [1];

const keyed = (endpoint: Endpoint, pool: Pool): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom<unknown>(...ownIds(endpoint, pool)) },
        { weight: 1, arbitrary: nasty },
      ),
      fc.oneof({ weight: 8, arbitrary: fc.constantFrom<unknown>(...pool.slugs) }, { weight: 1, arbitrary: nasty }),
    )
    .map(([id, slug]) => endpoint.path.replace('{id}', () => encoded(id)).replace('{slug}', () => encoded(slug)));
// An empty segment would change the path, so it is replaced.
const encoded = (value: unknown): string =>
  encodeURIComponent(String(typeof value === 'object' ? JSON.stringify(value) : value).toWellFormed())
    .slice(0, 1000)
    .replace(/%.?$/, '')
    .replace(/^\.{0,2}$/, '0');

const OPTIONS = [
  '_fields=id,title',
  '_fields=events.id',
  '_envelope',
  '_envelope=1',
  '_jsonp=cb',
  '_jsonp=a(b',
  '_embed',
  '_embed=up',
  '_method=GET',
  '_method=PATCH',
  '_method=delete',
  '_method=nope',
  '_fields[]=id&_fields[]=a.b.c',
  '_embed[]=x',
  '%',
  'a[b[c]=1',
  'a[][][b]=1',
];

/** A request to an endpoint, as a random user. */
function requestTo(name: string, endpoint: Endpoint, pool: Pool): fc.Arbitrary<Fuzzed> {
  const below =
    endpoint.namespace === 'calendar' ? `/${NAMESPACE}` : endpoint.namespace === '' ? '' : `/${endpoint.namespace}`;
  const method = fc.oneof(
    { weight: 30, arbitrary: fc.constantFrom<string>(...endpoint.methods) },
    { weight: 1, arbitrary: fc.constantFrom('HEAD', 'OPTIONS', 'GET', 'POST', 'DELETE') },
  );
  const options = fc.oneof(
    { weight: 10, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.constantFrom(...OPTIONS) },
  );
  const encoding = fc.constantFrom('json', 'json', 'json', 'form', 'query');
  const args = name === 'sendBatch' ? batchValues(pool) : values(endpoint, pool);
  return fc
    .tuple(
      fc.constantFrom<Role | null>(...ROLES, 'editor', 'editor', 'editor', 'administrator', 'administrator'),
      method,
      keyed(endpoint, pool),
      args,
      options,
      encoding,
    )
    .map(([as, verb, path, given, option, form]): Fuzzed => {
      const inQuery = verb === 'GET' || verb === 'HEAD' || (verb === 'DELETE' && form !== 'json') || form === 'query';
      const pairs = new URLSearchParams(
        Object.entries(given).flatMap(([key, value]) => pairsOf(key, value)),
      ).toString();
      const query = [inQuery ? pairs : '', option].filter((part) => part !== '').join('&');
      const body = inQuery
        ? {}
        : form === 'json'
          ? { body: JSON.stringify(given), type: 'application/json' }
          : { body: pairs, type: 'application/x-www-form-urlencoded' };
      return {
        endpoint: name,
        as,
        method: verb,
        path: `${below}${path}${query === '' ? '' : `?${query}`}`,
        ...body,
        isReshaped:
          option !== '' || 'xml' in given || given['format'] === 'xml' || !endpoint.methods.includes(verb as never),
      };
    });
}

const writes = Object.values(api).filter(({ batch }) => batch) as readonly Endpoint[];
/** A batch with a few writes. */
function batchValues(pool: Pool): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const item = fc.constantFrom(...writes).chain((endpoint) =>
    fc.record({
      method: fc.constantFrom<unknown>(...endpoint.methods),
      path: keyed(endpoint, pool).map((path) => `/${NAMESPACE}${path}`),
      body: values(endpoint, pool),
    }),
  );
  const broken = fc.record(
    {
      method: nasty,
      path: fc.oneof(
        nasty,
        fc.constantFrom('/batch/v1', '//', '///', 'http://', '/a?%', `/${NAMESPACE}/events?_method=GET`),
      ),
      body: nasty,
      headers: nasty,
    },
    { requiredKeys: [] },
  );
  return fc.record(
    {
      requests: fc.oneof(
        {
          weight: 12,
          arbitrary: fc.array(fc.oneof({ weight: 12, arbitrary: item }, { weight: 1, arbitrary: broken }), {
            maxLength: 5,
          }),
        },
        { weight: 1, arbitrary: nasty },
      ),
      validation: fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom<unknown>('normal', 'require-all-validate') },
        { weight: 1, arbitrary: nasty },
      ),
    },
    { requiredKeys: ['requests'] },
  );
}

/** Requests to every endpoint of the contract, valid and broken, anonymous and by each role. */
export const requests = (pool: Pool): fc.Arbitrary<Fuzzed> =>
  fc.oneof(
    ...Object.entries(api).map(([name, endpoint]) => ({
      weight: name === 'sendBatch' ? 6 : 1,
      arbitrary: requestTo(name, endpoint as Endpoint, pool),
    })),
  );
