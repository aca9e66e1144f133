import { expect, it } from 'vitest';
import { valueParams } from '../../../src/site/requests/request-params.ts';

const read = (body: unknown) => valueParams(body).json;

it('reads a value as its JSON would be read, without NUL', () => {
  const body = {
    text: 'a\0b',
    list: ['\0', undefined, Number.NaN, { deep: new Date(0), left: undefined }],
    number: 1,
    nothing: null,
    left: undefined,
  };
  expect(read(body)).toEqual({
    text: 'ab',
    list: ['', null, null, { deep: '1970-01-01T00:00:00.000Z' }],
    number: 1,
    nothing: null,
  });
  expect(Object.keys(read(body))).not.toContain('left');
});

it('gives a copy, which later changes do not affect', () => {
  const body = { venue: { city: 'Wroclaw' }, tags: ['music'] };
  const params = read(body);
  body.venue.city = 'Gdansk';
  body.tags.push('late');
  expect(params).toEqual({ venue: { city: 'Wroclaw' }, tags: ['music'] });
});

it('ignores __proto__ in a request', () => {
  const params = read(JSON.parse('{"title": "Concert", "__proto__": {"status": "publish"}}'));
  expect(params).toEqual({ title: 'Concert' });
  expect(params['status']).toBeUndefined();
});

it('ignores names in a request that would leave a value without a text', () => {
  const params = read({ featured: { toString: 1 }, image: { id: { valueOf: 1, toString: 2 } } });
  expect([String(params['featured']), params['image']]).toEqual(['[object Object]', { id: {} }]);
});

it('is empty for anything that is not an object', () => {
  expect([read([1]), read('text'), read(null), read(undefined)]).toEqual([{}, {}, {}, {}]);
});
