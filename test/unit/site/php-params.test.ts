import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { phpParams, phpParamsFromText } from '../../../src/site/requests/php-params.ts';

describe('parameters in PHP’s notation', () => {
  it.each([
    ['', {}],
    ['a=1&b=', { a: '1', b: '' }],
    ['a=1&a=2', { a: '2' }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a[0]=1&a[1]=2', { a: ['1', '2'] }],
    ['a[1]=1&a[5]=2', { a: ['1', '2'] }],
    ['a[1]=1&a[0]=2', { a: ['1', '2'] }],
    ['a[1]=1&a[]=2', { a: ['1', '2'] }],
    ['a[5]=1&a[x]=2&a[]=3', { a: { 5: '1', x: '2', 6: '3' } }],
    ['a[01]=1', { a: { '01': '1' } }],
    ['a[b]=1&a[c][d]=2', { a: { b: '1', c: { d: '2' } } }],
    ['a[0][b]=1&a[0][c]=2&a[1]=7', { a: [{ b: '1', c: '2' }, '7'] }],
    ['a=1&a[b]=2', { a: { b: '2' } }],
    ['a[b]=1&a=2', { a: '2' }],
    ['a[b=1', { 'a[b': '1' }],
    ['[b]=1', { '[b]': '1' }],
    ['x%5By%5D=%C3%A9+%26', { x: { y: 'é &' } }],
  ])('%s', (text, expected) => expect(phpParamsFromText(text)).toEqual(expected));

  it('do not pollute prototypes', () => {
    const params = phpParamsFromText('__proto__[polluted]=1&constructor[prototype][polluted]=1');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.keys(params)).toEqual(['__proto__', 'constructor']);
  });

  it('nested too deeply are read as plain names', () =>
    expect(Object.keys(phpParamsFromText(`a${'[b]'.repeat(65)}=1`))).toEqual([`a${'[b]'.repeat(65)}`]));

  it('of plain names have the last value of each', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.stringMatching(/^[a-c]{1,2}$/), fc.string())), (pairs) => {
        expect(phpParams(pairs)).toEqual(Object.fromEntries(pairs));
      }),
    );
  });
});
