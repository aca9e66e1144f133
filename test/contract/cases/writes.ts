import { expect } from 'vitest';
import { api } from '../../../src/contract/api.ts';
import type { Answer, Json, Sent } from '../../support/contract-target.ts';
import {
  expectBody,
  expectRefusal,
  json,
  known,
  type Case,
  type EndpointName,
  type Field,
  type Fields,
  type Refusal,
} from './case.ts';
import { categoryFields, eventFields, organizerFields, required, tagFields, venueFields } from './fields.ts';
import type { Collection, Made } from './made.ts';

interface Kind {
  readonly thing: string;
  readonly collection: Collection;
  readonly fields: Fields;
  readonly name: string;
  readonly hasSlugs: boolean;
  readonly unknownId: Refusal;
}
const WRONG_ID: Refusal = { names: 'id' };
const KINDS: readonly Kind[] = [
  {
    thing: 'Event',
    collection: 'events',
    fields: eventFields,
    name: 'title',
    hasSlugs: true,
    unknownId: { status: 404, code: 'rest-event-not-found' },
  },
  { thing: 'Venue', collection: 'venues', fields: venueFields, name: 'venue', hasSlugs: true, unknownId: WRONG_ID },
  {
    thing: 'Organizer',
    collection: 'organizers',
    fields: organizerFields,
    name: 'organizer',
    hasSlugs: true,
    unknownId: WRONG_ID,
  },
  {
    thing: 'Category',
    collection: 'categories',
    fields: categoryFields,
    name: 'name',
    hasSlugs: false,
    unknownId: WRONG_ID,
  },
  { thing: 'Tag', collection: 'tags', fields: tagFields, name: 'name', hasSlugs: false, unknownId: WRONG_ID },
];
const UPDATES = ['POST', 'PUT', 'PATCH'] as const;
const UNKNOWN_ID = 2_000_000_001;

/** Create, read, update and delete for every kind, by id and by slug. */
export const writeCases = (): Case[] =>
  KINDS.flatMap((kind) => [
    ...creates(kind),
    ...updates(kind, 'id'),
    ...reads(kind, 'id'),
    ...deletes(kind, 'id'),
    ...(kind.hasSlugs ? [...updates(kind, 'slug'), ...reads(kind, 'slug'), ...deletes(kind, 'slug')] : []),
  ]);

const makeOne = (made: Made, { collection }: Kind, fields: object = {}): Promise<Json> =>
  made.make(collection, { ...known(required[collection], made), ...fields });
const nameOf = (verb: string, { thing }: Kind, by: 'id' | 'slug'): EndpointName =>
  `${verb}${thing}${by === 'slug' ? 'BySlug' : ''}` as EndpointName;
const pathOf = ({ collection }: Kind, by: 'id' | 'slug', key: string | number): string =>
  `/${collection}/${by === 'slug' ? 'by-slug/' : ''}${key}`;

const ENCODINGS = ['JSON', 'a form', 'the query'] as const;
/** Sends fields as JSON, as a form with brackets, or in the query. */
function sendFields(made: Made, line: string, fields: object, encoding: (typeof ENCODINGS)[number]): Promise<Answer> {
  if (encoding === 'JSON') return made.target.send(line, json(fields));
  const pairs = new URLSearchParams(Object.entries(fields).flatMap(([name, value]) => pairsOf(name, value))).toString();
  return encoding === 'a form' ? made.target.send(line, { form: pairs }) : made.target.send(`${line}?${pairs}`);
}

/** A value in PHP's bracket notation. */
export function pairsOf(name: string, value: unknown): string[][] {
  if (Array.isArray(value)) return value.flatMap((one) => pairsOf(`${name}[]`, one));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, one]) => pairsOf(`${name}[${key}]`, one));
  return [[name, String(value)]];
}

function creates(kind: Kind): Case[] {
  const endpoint = nameOf('create', kind, 'id');
  const base = { endpoint, method: 'POST' };
  const needed = Object.keys(api[endpoint].args).filter(
    (param) => (api[endpoint].args as Record<string, { presence: string }>)[param]?.presence === 'required',
  );
  return [
    ...Object.entries(kind.fields).flatMap(([param, field]) => [
      ...ENCODINGS.map((encoding): Case => ({
        ...base,
        param,
        sign: 'positive',
        about: `in ${encoding}`,
        ...needs(param, field),
        run: (made) => takesOnCreate(made, kind, param, field, encoding),
      })),
      negative({ ...base, param }, field, async (made) =>
        made.target.send(
          `POST /${kind.collection}`,
          json({
            ...known(required[kind.collection], made),
            ...known(field.beside ?? {}, made),
            [param]: known(field.refuses, made),
          }),
        ),
      ),
    ]),
    ...(kind.thing === 'Event' ? passwordOnCreate() : []),
    ...needed.map((param): Case => ({
      ...base,
      param,
      sign: 'negative',
      about: 'missing',
      run: async (made) => {
        const { [param]: _, ...rest } = known(required[kind.collection], made);
        const answer = await made.target.send(`POST /${kind.collection}`, json(rest));
        expect([answer.status, answer.body.code, answer.body.data?.['params']]).toEqual([
          400,
          'rest_missing_callback_param',
          [param],
        ]);
      },
    })),
  ];
}

async function takesOnCreate(
  made: Made,
  kind: Kind,
  param: string,
  field: Field,
  encoding: (typeof ENCODINGS)[number],
): Promise<void> {
  const value = known(field.takes, made);
  const answer = await sendFields(
    made,
    `POST /${kind.collection}`,
    {
      ...known(required[kind.collection], made),
      ...known(field.beside ?? {}, made),
      [param]: unique(kind, param, value),
    },
    encoding,
  );
  if (answer.status === 201) made.keep(kind.collection, answer.body.id);
  expectBody(answer, 201, unseen(kind, param) ? {} : known(field.shows, made));
  await expectKept(made, kind, answer.body);
}

// Names of terms and slugs are unique, so the exact value is only checked on updates.
const unique = (kind: Kind, param: string, value: unknown): unknown =>
  unseen(kind, param) ? `${String(value)} ${Math.random()}` : value;
const unseen = (kind: Kind, param: string): boolean => kind.name === 'name' && param === 'name';

/** Checks that a read gives what the write answered. */
async function expectKept(made: Made, { collection }: Kind, { id, ...shown }: Json): Promise<void> {
  const { body } = await made.target.send(`GET /${collection}/${id}`);
  expect(body).toMatchObject({ id, ...shown });
}

function updates(kind: Kind, by: 'id' | 'slug'): Case[] {
  const endpoint = nameOf('update', kind, by);
  const fields = Object.entries(kind.fields).filter(([param]) => !(by === 'slug' && param === 'slug'));
  return UPDATES.flatMap((method, index): Case[] => [
    ...fields.flatMap(([param, field]) => [
      {
        endpoint,
        method,
        param,
        sign: 'positive' as const,
        about: `in ${encodingOf(param, index)}`,
        ...needs(param, field),
        run: (made: Made) => takesOnUpdate(made, kind, by, method, param, field, encodingOf(param, index)),
      },
      refusesOnUpdate(kind, by, method, param, field),
    ]),
    ...keyCases(kind, by, endpoint, method),
    ...(kind.thing === 'Event' ? passwordOnUpdate(method, by) : []),
  ]);
}

const needs = (param: string, { ours }: Field): Pick<Case, 'ours' | 'needsImage'> => ({
  ...(ours && { ours }),
  ...(param === 'image' && { needsImage: true }),
});

// In the query, this parameter is the language of the request itself.
const encodingOf = (param: string, index: number): (typeof ENCODINGS)[number] =>
  param === 'translation_language' ? 'JSON' : (ENCODINGS[index] ?? 'JSON');

async function takesOnUpdate(
  made: Made,
  kind: Kind,
  by: 'id' | 'slug',
  method: string,
  param: string,
  field: Field,
  encoding: (typeof ENCODINGS)[number],
): Promise<void> {
  const value = known(field.takes, made);
  const former = await makeOne(made, kind);
  const answer = await sendFields(
    made,
    `${method} ${pathOf(kind, by, former[by])}`,
    { ...known(field.beside ?? {}, made), [param]: unique(kind, param, value) },
    encoding,
  );
  expectBody(answer, 200, unseen(kind, param) ? {} : known(field.shows, made));
  expect(answer.body.id).toBe(former.id);
  await expectKept(made, kind, answer.body);
}

function refusesOnUpdate(kind: Kind, by: 'id' | 'slug', method: string, param: string, field: Field): Case {
  return negative({ endpoint: nameOf('update', kind, by), method, param }, field, async (made) => {
    const former = await makeOne(made, kind);
    const answer = await made.target.send(
      `${method} ${pathOf(kind, by, former[by])}`,
      json({
        [kind.name]: `${made.caseKey} never`,
        ...known(field.beside ?? {}, made),
        [param]: known(field.refuses, made),
      }),
    );
    const { body } = await made.target.send(`GET /${kind.collection}/${former.id}`);
    const { _links: __, ...shown } = former as unknown as Record<string, unknown>;
    expect(body).toMatchObject(shown);
    return answer;
  });
}

const negative = (
  base: Pick<Case, 'endpoint' | 'method' | 'param'>,
  field: Field,
  send: (made: Made) => Promise<Answer>,
): Case => ({
  ...base,
  sign: 'negative',
  about: 'refused',
  ...((field.ours || field.oursRefuses) && { ours: true }),
  run: async (made) => expectRefusal(await send(made), base.param, field.refusal),
});

/** The key in the path: an existing one, an unknown one and a malformed one. */
function keyCases(kind: Kind, by: 'id' | 'slug', endpoint: EndpointName, method: string): Case[] {
  const sent = method === 'GET' || method === 'DELETE' ? {} : json({ description: 'Words' });
  const unknownSlug: Refusal =
    kind.thing === 'Event' && endpoint.startsWith('update')
      ? { status: 404, code: 'rest-event-not-found' }
      : { names: 'slug' };
  return [
    {
      endpoint,
      method,
      param: by,
      sign: 'positive',
      about: 'existing',
      run: async (made) => {
        const one = await makeOne(made, kind);
        const answer = await made.target.send(`${method} ${pathOf(kind, by, one[by])}`, sent);
        expectBody(answer, 200, { id: one.id });
      },
    },
    {
      endpoint,
      method,
      param: by,
      sign: 'negative',
      about: 'unknown',
      run: async (made) =>
        expectRefusal(
          await made.target.send(
            `${method} ${pathOf(kind, by, by === 'id' ? UNKNOWN_ID : `${made.key}-unknown`)}`,
            sent,
          ),
          by,
          by === 'id' ? kind.unknownId : unknownSlug,
        ),
    },
    {
      endpoint,
      method,
      param: by,
      sign: 'negative',
      about: 'malformed',
      run: async (made) => {
        const answer = await made.target.send(`${method} ${pathOf(kind, by, by === 'id' ? '4.5' : 'a%2Fb')}`, sent);
        expect([answer.status, answer.body.code]).toEqual([404, 'rest_no_route']);
      },
    },
  ];
}

function reads(kind: Kind, by: 'id' | 'slug'): Case[] {
  const endpoint = nameOf('read', kind, by);
  return [
    ...keyCases(kind, by, endpoint, 'GET'),
    ...languageCases(kind, by, endpoint, 'GET'),
    ...(kind.thing === 'Event' && by === 'id' ? passwordOnRead() : []),
  ];
}

function deletes(kind: Kind, by: 'id' | 'slug'): Case[] {
  const endpoint = nameOf('delete', kind, by);
  return [
    ...keyCases(kind, by, endpoint, 'DELETE'),
    ...languageCases(kind, by, endpoint, 'DELETE'),
    ...(kind.thing === 'Event' && by === 'id' ? passwordOnDelete() : []),
  ];
}

function languageCases(kind: Kind, by: 'id' | 'slug', endpoint: EndpointName, method: string): Case[] {
  const base = { endpoint, method, param: 'translation_language', ours: true } as const;
  const ask = async (made: Made, language: string): Promise<{ one: Json; answer: Answer }> => {
    const one = await makeOne(made, kind, { translation_language: 'pl' });
    return {
      one,
      answer: await made.target.send(`${method} ${pathOf(kind, by, one[by])}?translation_language=${language}`),
    };
  };
  return [
    {
      ...base,
      sign: 'positive',
      about: 'the right one',
      run: async (made) => {
        const { one, answer } = await ask(made, 'pl');
        expectBody(answer, 200, { id: one.id, translation_language: 'pl' });
      },
    },
    {
      ...base,
      sign: 'negative',
      about: 'another language of the site',
      run: async (made) => expectRefusal((await ask(made, 'en')).answer, by, by === 'id' ? kind.unknownId : {}),
    },
    {
      ...base,
      sign: 'negative',
      about: 'a language that the site does not have',
      run: async (made) => expectRefusal((await ask(made, 'de')).answer, 'translation_language'),
    },
  ];
}

const eventKind = KINDS[0]!;
const openTo = (made: Made, id: number, password?: string): Promise<Answer> =>
  made.target.send(`GET /events/${id}${password === undefined ? '' : `?password=${password}`}`, {
    as: null,
  } satisfies Sent);
const locked =
  (made: Made, method = 'PUT', by: 'id' | 'slug' = 'id') =>
  async (): Promise<Json> => {
    const one = await makeOne(made, eventKind);
    expectBody(
      await made.target.send(`${method} ${pathOf(eventKind, by, one[by])}`, json({ password: 'sesame' })),
      200,
      { id: one.id },
    );
    return one;
  };

async function createWith(made: Made, password: unknown): Promise<Answer> {
  const answer = await made.target.send('POST /events', json({ ...known(required.events, made), password }));
  if (answer.status === 201) made.keep('events', answer.body.id);
  return answer;
}

function passwordOnCreate(): Case[] {
  const base = { endpoint: 'createEvent', method: 'POST', param: 'password', ours: true } as const;
  return [
    {
      ...base,
      sign: 'positive',
      about: 'protects a new event',
      run: async (made) => {
        const {
          status,
          body: { id },
        } = await createWith(made, 'sesame');
        expect([status, (await openTo(made, id)).status, (await openTo(made, id, 'sesame')).status]).toEqual([
          201, 403, 200,
        ]);
      },
    },
    {
      ...base,
      sign: 'negative',
      about: 'a number',
      run: async (made) => expectRefusal(await createWith(made, 12_345), 'password'),
    },
  ];
}

function passwordOnRead(): Case[] {
  const base = { endpoint: 'readEvent', method: 'GET', param: 'password', ours: true } as const;
  return [
    {
      ...base,
      sign: 'positive',
      about: 'the right one',
      run: async (made) => {
        const { id } = await locked(made)();
        expectBody(await openTo(made, id, 'sesame'), 200, { id });
      },
    },
    {
      ...base,
      sign: 'negative',
      about: 'wrong or missing',
      run: async (made) => {
        const { id } = await locked(made)();
        for (const password of ['barley', undefined])
          expectRefusal(await openTo(made, id, password), 'password', {
            status: 403,
            code: 'event-password-protected',
          });
      },
    },
    {
      ...base,
      sign: 'negative',
      about: 'a list',
      run: async (made) =>
        expectRefusal(await made.target.send(`GET /events/${made.near.id}?password[]=a`, { as: null }), 'password'),
    },
  ];
}

function passwordOnUpdate(method: string, by: 'id' | 'slug'): Case[] {
  const base = { endpoint: nameOf('update', eventKind, by), method, param: 'password', ours: true } as const;
  return [
    {
      ...base,
      sign: 'positive',
      about: 'sets one; an empty one removes it',
      run: async (made) => {
        const one = await locked(made, method, by)();
        const { id } = one;
        expect((await openTo(made, id)).status).toBe(403);
        expectBody(await made.target.send(`${method} ${pathOf(eventKind, by, one[by])}`, json({ password: '' })), 200, {
          id,
        });
        expect((await openTo(made, id)).status).toBe(200);
      },
    },
    {
      ...base,
      sign: 'negative',
      about: 'a number',
      run: async (made) =>
        expectRefusal(
          await made.target.send(`${method} ${pathOf(eventKind, by, made.near[by])}`, json({ password: 5 })),
          'password',
        ),
    },
  ];
}

function passwordOnDelete(): Case[] {
  const base = { endpoint: 'deleteEvent', method: 'DELETE', param: 'password', ours: true } as const;
  return [
    {
      ...base,
      sign: 'positive',
      about: 'the right one',
      run: async (made) => {
        const { id } = await locked(made)();
        expectBody(await made.target.send(`DELETE /events/${id}?password=sesame`), 200, { id, status: 'trash' });
      },
    },
    {
      ...base,
      sign: 'negative',
      about: 'a list',
      run: async (made) =>
        expectRefusal(await made.target.send(`DELETE /events/${made.near.id}?password[]=a`), 'password'),
    },
  ];
}
