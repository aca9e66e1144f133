import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { api } from '../../../src/contract/api.ts';
import { routesOf } from '../../../src/contract/describe.ts';
import { openapi } from '../../../src/contract/openapi.ts';

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: object;
  readonly responses: Record<string, object>;
}
const place = {
  now: Date.parse('2026-11-20T10:40:59Z'),
  timezone: 'Europe/Warsaw',
  languages: ['en', 'pl'],
  namespace: 'calendar/events/v1',
  root: 'https://site.example/api/',
};
const document = openapi(api, { title: 'Town calendar', description: '', version: '1.0.0' }, place) as {
  paths: Record<string, Record<string, Operation>>;
};
const operations = Object.values(document.paths).flatMap((item) => Object.values(item));

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.0', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  it('resolves all of its references', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!);
    expect(references.length).toBeGreaterThan(100);
    const unresolved = references.filter(
      (path) =>
        path.split('/').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document) ===
        undefined,
    );
    expect(unresolved).toEqual([]);
  });

  it('has every operation of the interface', () => {
    const declared = routesOf(api, place.namespace).flatMap(({ path, endpoints }) =>
      endpoints.flatMap(({ methods }) => methods.map((method) => `${method} ${path}`)),
    );
    const documented = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented.toSorted()).toEqual(declared.toSorted());
    expect(documented).toContain('PATCH /calendar/events/v1/events/by-slug/{slug}');
    expect(documented.length).toBeGreaterThan(50);
  });

  it('gives each operation an id of its own', () =>
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length));

  it('declares each path parameter, and error responses beside success', () => {
    for (const [path, item] of Object.entries(document.paths)) {
      const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { parameters, responses } of Object.values(item)) {
        expect(
          parameters.filter((parameter) => parameter.in === 'path' && parameter.required).map(({ name }) => name),
        ).toEqual(placeholders);
        expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401']));
        expect(Object.keys(responses).some((status) => status.startsWith('2'))).toBe(true);
      }
    }
  });

  it.each([
    ['get', `/${place.namespace}/events/{id}`, '403'],
    ['get', `/${place.namespace}/venues/by-slug/{slug}`, '403'],
    ['get', '/oembed/1.0/embed', '404'],
    ['get', `/${place.namespace}`, '404'],
    ['patch', `/${place.namespace}/events/{id}`, '413'],
    ['get', `/${place.namespace}/events`, '429'],
    ['delete', `/${place.namespace}/tags/{id}`, '503'],
  ])('declares for %s %s the response %s', (method, path, status) =>
    expect(Object.keys(document.paths[path]![method]!.responses)).toContain(status),
  );

  it('writes lists in queries and forms with commas, because of repeated names only the last counts', () => {
    const { get, post } = document.paths['/calendar/events/v1/events']!;
    const lists = get!.parameters.filter((parameter) => JSON.stringify(parameter).includes('"array"'));
    expect(lists.map(({ name }) => name)).toEqual(['categories', 'tags', 'venue', 'organizer', 'include']);
    for (const parameter of lists) expect(parameter).toMatchObject({ style: 'form', explode: false });
    expect(post!.requestBody).toMatchObject({
      content: { 'application/x-www-form-urlencoded': { encoding: { tags: { style: 'form', explode: false } } } },
    });
  });

  it('requires the same fields of a new event as the interface', () =>
    expect(document.paths['/calendar/events/v1/events']!['post']!.requestBody).toMatchObject({
      required: true,
      content: { 'application/json': { schema: { required: ['title', 'start_date', 'end_date'] } } },
    }));
});
