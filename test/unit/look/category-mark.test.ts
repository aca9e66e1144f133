import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { categoryColour, categoryMarks, categoryTag } from '../../../src/look/category-mark.ts';

const named = (name: string) => ({ slug: name.toLowerCase().replaceAll(' ', '-'), name });

describe('category letters', () => {
  test.each([
    // The largest first.
    [
      ['Music', 'Market'],
      ['M', 'R'],
    ],
    [
      ['Reading', 'Music', 'Market'],
      ['R', 'M', 'K'],
    ],
    [
      ['Talk', 'Town hall'],
      ['T', 'H'],
    ],
    [
      ['Żeglarstwo', 'Łódź', 'Öffentliches'],
      ['Ż', 'Ł', 'Ö'],
    ],
    [
      ['Aa', 'A', 'aaa'],
      ['A', 'A', 'A'],
    ],
    [
      ['R&amp;B', 'Reading'],
      ['R', 'D'],
    ],
    [
      ['音楽', '!', '3D'],
      ['音', '', '3'],
    ],
  ])('of %j are %j', (names, letters) => {
    const mark = categoryMarks(names.map(named));
    expect(names.map((name) => mark(named(name)).letter)).toEqual(letters);
  });

  test('a category that is not among the largest has the first letter of its name', () =>
    expect(categoryMarks([named('Music')])(named('Market')).letter).toBe('M'));

  test('an event without a category has no letter and no category colour', () =>
    expect(categoryMarks([])(undefined)).toEqual({ colour: 'c0', letter: '' }));
});

test('each slug has one of eight colours, and all eight are used', () => {
  fc.assert(fc.property(fc.string(), (slug) => /^c[1-8]$/.test(categoryColour(slug))));
  const colours = Array.from({ length: 64 }, (_, index) => categoryColour(`category-${index}`));
  expect(new Set(colours).size).toBe(8);
});

test('a category is shown with letter, colour and name, and its name cannot add markup', () => {
  const evil = { slug: 'x', name: '&lt;b&gt;<script>alert(1)</script>Loud' };
  expect(categoryTag(categoryMarks([]), evil).markup).toBe(
    `<span class="cat ${categoryColour('x')}"><i aria-hidden="true">B</i> &lt;b&gt;Loud</span>`,
  );
  expect(categoryTag(categoryMarks([]), named('Music'), '/category/music/').markup).toContain(
    'href="/category/music/"><i aria-hidden="true">M</i> Music</a>',
  );
});
