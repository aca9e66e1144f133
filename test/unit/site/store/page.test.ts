import { describe, expect, it } from 'vitest';
import { listParam, collectionLinks, param } from '../../../../src/site/store/page.ts';
import { searchWords } from '../../../../src/site/store/search.ts';

const AT = 'https://site.example/api/calendar/events/v1/events';
const SPACED = [...param('start_date', '2027-01-01 00:00:00'), ...listParam('tags', ['jazz', 'a b'])];
const QUERY = 'per_page=10&start_date=2027-01-01+00%3A00%3A00&tags=jazz%2Ca+b';

describe('collectionLinks', () => {
  it.each([
    [1, 0, { rest_url: `${AT}/?page=1&${QUERY}`, total: 0, total_pages: 0 }],
    [1, 11, { rest_url: `${AT}/?page=1&${QUERY}`, next_rest_url: `${AT}/?page=2&${QUERY}`, total: 11, total_pages: 2 }],
    [
      2,
      30,
      {
        rest_url: `${AT}/?page=2&${QUERY}`,
        next_rest_url: `${AT}/?page=3&${QUERY}`,
        previous_rest_url: `${AT}/?${QUERY}`,
        total: 30,
        total_pages: 3,
      },
    ],
    [
      3,
      30,
      { rest_url: `${AT}/?page=3&${QUERY}`, previous_rest_url: `${AT}/?page=2&${QUERY}`, total: 30, total_pages: 3 },
    ],
  ])('page %d of %d items', (page, total, links) =>
    expect(collectionLinks(AT, { page, per_page: 10 }, SPACED, total)).toEqual(links),
  );
});

describe('listParam', () => {
  it.each([
    [undefined, []],
    [[], []],
    [[1, 2], [['tags', '1,2']]],
    [
      ['a,b', 'c'],
      [
        ['tags[]', 'a,b'],
        ['tags[]', 'c'],
      ],
    ],
  ])('%j', (values, params) => expect(listParam('tags', values)).toEqual(params));
});

describe('searchWords', () => {
  it.each([
    ['jazz night', ['+jazz', '+night']],
    ['"jazz night" -rock', ['+jazz night', '-rock']],
    ['-"free entry"', ['-free entry']],
    ['Klub Pod Różą, Kraków', ['+Klub', '+Pod', '+Różą', '+Kraków']],
    ['jazz,-rock, "free, open" ,', ['+jazz', '-rock', '+free, open']],
    ['rock -"free entry', ['+rock', '-free entry']],
    ['12" vinyl', ['+12"', '+vinyl']],
    ['  ', []],
    ['a'.repeat(3), ['+aaa']],
    [Array.from({ length: 30 }, () => 'w').join(' '), Array.from({ length: 10 }, () => '+w')],
  ])('%s', (search, words) =>
    expect(searchWords(search).map(({ word, wanted }) => `${wanted ? '+' : '-'}${word}`)).toEqual(words),
  );
});
