import { expect } from 'vitest';
import type { Answer } from '../../support/contract-target.ts';
import { expectBody, expectRefusal, json, type Case, type Refusal } from './case.ts';
import type { Made } from './made.ts';

interface Row {
  readonly endpoint: Case['endpoint'];
  readonly param: string;
  readonly sign: Case['sign'];
  readonly line: string | ((made: Made) => string);
  readonly sent?: (made: Made) => object;
  readonly as?: 'editor';
  readonly shows?: object | ((made: Made, answer: Answer) => void);
  readonly refuses?: Refusal;
  readonly ours?: boolean;
}

const INDEX = { namespaces: expect.arrayContaining(['oembed/1.0']) as string[] };
const page = ({ near }: Made): string => encodeURIComponent((near as unknown as { url: string }).url);
const embed =
  (rest: string) =>
  (made: Made): string =>
    `GET //oembed/1.0/embed?url=${page(made)}${rest}`;
const proxy =
  (rest: string) =>
  (made: Made): string =>
    `GET //oembed/1.0/proxy?url=${page(made)}${rest}`;
const size = (width: number, height: number): object => ({ type: 'rich', width, height });
const NO_PAGE: Refusal = { status: 404, code: 'oembed_invalid_url' };
const isJson = (_: Made, { headers, body }: Answer): void =>
  expect([headers.get('content-type'), body['type']]).toEqual(['application/json; charset=UTF-8', 'rich']);
const isXml = (_: Made, { headers, text }: Answer): void =>
  expect([headers.get('content-type'), text.includes('<oembed><version>1.0</version>')]).toEqual([
    'text/xml; charset=UTF-8',
    true,
  ]);

const index: readonly Row[] = [
  { endpoint: 'siteIndex', param: 'context', sign: 'positive', line: 'GET //', shows: INDEX },
  { endpoint: 'siteIndex', param: 'context', sign: 'positive', line: 'GET //?context=embed', shows: INDEX },
  { endpoint: 'siteIndex', param: 'context', sign: 'negative', line: 'GET //?context[]=view', refuses: {}, ours: true },
  {
    endpoint: 'namespaceIndex',
    param: 'namespace',
    sign: 'positive',
    line: ({ target }) => `GET ?namespace=${target.namespace}`,
    shows: ({ target }, { body }) => expect(body['namespace']).toBe(target.namespace),
  },
  {
    endpoint: 'namespaceIndex',
    param: 'namespace',
    sign: 'negative',
    line: 'GET ?namespace=nothing%2Fv1',
    refuses: { status: 404, code: 'rest_invalid_namespace' },
  },
  { endpoint: 'namespaceIndex', param: 'context', sign: 'positive', line: 'GET ?context=view', shows: { routes: {} } },
  {
    endpoint: 'namespaceIndex',
    param: 'context',
    sign: 'negative',
    line: 'GET ?context[]=view',
    refuses: {},
    ours: true,
  },
  {
    endpoint: 'readDoc',
    param: 'translation_language',
    sign: 'positive',
    line: 'GET /doc?translation_language=pl',
    shows: { openapi: expect.stringMatching(/^3\.0\./) as string },
    ours: true,
  },
  {
    endpoint: 'readDoc',
    param: 'translation_language',
    sign: 'negative',
    line: 'GET /doc?translation_language=de',
    refuses: {},
    ours: true,
  },
];

const embeds: readonly Row[] = [
  {
    endpoint: 'readEmbed',
    param: 'url',
    sign: 'positive',
    line: embed(''),
    shows: ({ near }, { body }) => expect(body).toMatchObject({ title: near['title'], ...size(600, 338) }),
  },
  {
    endpoint: 'readEmbed',
    param: 'url',
    sign: 'negative',
    line: 'GET //oembed/1.0/embed?url=https%3A%2F%2Fother.example%2F',
    refuses: NO_PAGE,
  },
  {
    endpoint: 'readEmbed',
    param: 'url',
    sign: 'negative',
    line: 'GET //oembed/1.0/embed',
    refuses: { code: 'rest_missing_callback_param' },
  },
  { endpoint: 'readEmbed', param: 'format', sign: 'positive', line: embed('&format=xml'), shows: isXml },
  { endpoint: 'readEmbed', param: 'format', sign: 'positive', line: embed('&format=json'), shows: isJson },
  // Every other value means JSON.
  { endpoint: 'readEmbed', param: 'format', sign: 'negative', line: embed('&format=yaml'), shows: isJson },
  { endpoint: 'readEmbed', param: 'format', sign: 'negative', line: embed('&format[]=xml'), refuses: {}, ours: true },
  { endpoint: 'readEmbed', param: 'maxwidth', sign: 'positive', line: embed('&maxwidth=450'), shows: size(450, 254) },
  { endpoint: 'readEmbed', param: 'maxwidth', sign: 'positive', line: embed('&maxwidth=-300'), shows: size(300, 200) },
  { endpoint: 'readEmbed', param: 'maxwidth', sign: 'negative', line: embed('&maxwidth=wide'), shows: size(200, 200) },
  { endpoint: 'readEmbed', param: 'maxwidth', sign: 'negative', line: embed('&maxwidth=9000'), shows: size(600, 338) },
  {
    endpoint: 'readEmbedProxy',
    param: 'url',
    sign: 'positive',
    as: 'editor',
    line: proxy(''),
    shows: ({ near }, { body }) => expect(body).toMatchObject({ title: near['title'], type: 'rich' }),
  },
  {
    endpoint: 'readEmbedProxy',
    param: 'url',
    sign: 'negative',
    line: proxy(''),
    refuses: { status: 401, code: 'rest_forbidden' },
  },
  {
    endpoint: 'readEmbedProxy',
    param: 'url',
    sign: 'negative',
    as: 'editor',
    line: 'GET //oembed/1.0/proxy',
    refuses: { code: 'rest_missing_callback_param' },
  },
  {
    endpoint: 'readEmbedProxy',
    param: 'format',
    sign: 'positive',
    as: 'editor',
    line: proxy('&format=xml'),
    shows: isJson,
  },
  {
    endpoint: 'readEmbedProxy',
    param: 'format',
    sign: 'negative',
    as: 'editor',
    line: proxy('&format=yaml'),
    refuses: {},
  },
  {
    endpoint: 'readEmbedProxy',
    param: 'maxwidth',
    sign: 'positive',
    as: 'editor',
    line: proxy('&maxwidth=450'),
    shows: size(450, 254),
  },
  {
    endpoint: 'readEmbedProxy',
    param: 'maxwidth',
    sign: 'negative',
    as: 'editor',
    line: proxy('&maxwidth=wide'),
    shows: size(200, 200),
  },
  {
    endpoint: 'readEmbedProxy',
    param: 'maxheight',
    sign: 'positive',
    as: 'editor',
    line: proxy('&maxheight=300'),
    shows: { type: 'rich' },
  },
  {
    endpoint: 'readEmbedProxy',
    param: 'maxheight',
    sign: 'negative',
    as: 'editor',
    line: proxy('&maxheight=high'),
    shows: { type: 'rich' },
  },
  {
    endpoint: 'readEmbedProxy',
    param: 'discover',
    sign: 'positive',
    as: 'editor',
    line: proxy('&discover=false'),
    shows: { type: 'rich' },
  },
  {
    endpoint: 'readEmbedProxy',
    param: 'discover',
    sign: 'negative',
    as: 'editor',
    line: proxy('&discover=maybe'),
    refuses: {},
  },
];

const item = ({ target, near }: Made, more: object = {}): object => ({
  path: `/${target.namespace}/events/${near.id}?_fields=id`,
  method: 'PATCH',
  body: { excerpt: 'Short' },
  ...more,
});
const batch = (
  param: string,
  sign: Case['sign'],
  sent: (made: Made) => object,
  seen: Pick<Row, 'shows' | 'refuses'>,
  ours = false,
): Row => ({
  endpoint: 'sendBatch',
  param,
  sign,
  as: 'editor',
  line: 'POST //batch/v1',
  sent,
  ...seen,
  ...(ours && { ours }),
});
const one =
  (more: object) =>
  (made: Made): object => ({ requests: [item(made, more)] });
const done = (status: number): object => ({ responses: [{ status }] });
const refused = { refuses: { names: 'requests' } };
const batches: readonly Row[] = [
  batch(
    'validation',
    'positive',
    (made) => ({ validation: 'normal', requests: [item(made)] }),
    { shows: done(200) },
    true,
  ),
  batch(
    'validation',
    'positive',
    ({ target }) => ({
      validation: 'require-all-validate',
      requests: [{ path: `/${target.namespace}/tags`, body: {} }],
    }),
    { shows: { failed: 'validation', ...done(400) } },
    true,
  ),
  batch('validation', 'negative', () => ({ validation: 'some', requests: [] }), { refuses: {} }),
  batch('requests', 'positive', () => ({ requests: [] }), { shows: { responses: [] } }),
  batch(
    'requests',
    'positive',
    (made) => ({ requests: Array.from({ length: 25 }, () => item(made)) }),
    { shows: { responses: Array.from({ length: 25 }, () => ({ status: 200 })) } },
    true,
  ),
  batch('requests', 'negative', () => ({}), { refuses: { code: 'rest_missing_callback_param' } }),
  batch('requests', 'negative', (made) => ({ requests: Array.from({ length: 26 }, () => item(made)) }), refused),
  batch('requests', 'negative', () => ({ requests: 'all' }), refused),
  batch('requests', 'negative', () => ({ requests: ['all'] }), refused),
  batch('requests.method', 'positive', one({ method: 'PUT' }), { shows: done(200) }, true),
  batch(
    'requests.method',
    'positive',
    (made) => ({ requests: [{ ...item(made), method: undefined }] }),
    { shows: done(200) },
    true,
  ),
  batch('requests.method', 'negative', one({ method: 'GET' }), refused),
  batch('requests.method', 'negative', one({ method: 5 }), refused),
  batch('requests.path', 'positive', one({}), { shows: done(200) }, true),
  batch('requests.path', 'negative', (made) => ({ requests: [{ ...item(made), path: undefined }] }), refused),
  batch('requests.path', 'negative', one({ path: 5 }), refused),
  batch('requests.body', 'positive', one({ body: { excerpt: 'Shorter' } }), { shows: done(200) }, true),
  batch('requests.body', 'negative', one({ body: 'excerpt' }), refused),
  batch(
    'requests.body',
    'negative',
    one({ body: { status: 'nonsense' } }),
    { shows: { responses: [{ status: 400, body: { code: 'rest_invalid_param' } }] } },
    true,
  ),
  batch(
    'requests.headers',
    'positive',
    one({ headers: { 'X-One': 'a', 'X-Many': ['a', 'b'] } }),
    { shows: done(200) },
    true,
  ),
  batch('requests.headers', 'negative', one({ headers: { 'X-One': 5 } }), refused),
  batch('requests.headers', 'negative', one({ headers: 'X-One: a' }), refused),
];

/** The indexes, oEmbed and batches (interface.md, 4.1 and 4.6 to 4.8). */
export const siteCases: readonly Case[] = [...index, ...embeds, ...batches].map(
  ({ endpoint, param, sign, line, sent, as, shows, refuses, ours }): Case => ({
    endpoint,
    method: endpoint === 'sendBatch' ? 'POST' : 'GET',
    param,
    sign,
    about: JSON.stringify(typeof line === 'string' ? line : (shows ?? refuses)),
    ...(ours && { ours }),
    run: async (made) => {
      const answer = await made.target.send(typeof line === 'string' ? line : line(made), {
        ...(sent && json(sent(made))),
        as: as ?? null,
      });
      if (refuses) expectRefusal(answer, param, refuses);
      else if (typeof shows === 'function') shows(made, answer);
      else expectBody(answer, endpoint === 'sendBatch' ? 207 : 200, shows ?? {});
    },
  }),
);
