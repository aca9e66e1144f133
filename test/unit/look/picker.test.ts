import { expect, test } from 'vitest';
import { picker, type Offer, type Picking } from '../../../src/look/picker.ts';
import { EN } from '../../../src/look/words/en.ts';

const offers = (count: number): readonly Offer[] =>
  // The most wanted first, so that this is not the order of names.
  Array.from({ length: count }, (_, index) => ({
    value: `p${String(count - index).padStart(3, '0')}`,
    name: `Place ${String(count - index).padStart(3, '0')}`,
    count: '',
  }));

/** What is in view, in the menu, chosen, and typed. */
function shown(picking: Partial<Picking>): Record<string, readonly string[]> {
  const markup =
    picker(
      { words: EN, locale: 'en' },
      { kind: 'places', param: 'place', offers: [], left: 0, chosen: [], chips: 2, ...picking },
    )?.markup ?? '';
  const all = (found: RegExp): readonly string[] => [...markup.matchAll(found)].map(([, text = '']) => text);
  return {
    chips: all(/type="checkbox" name="place" value="([^"]+)"/g),
    menu: all(/<option value="([^"]+)"/g),
    chosen: all(/value="([^"]+)" (?:checked|selected)/g),
    typed: all(/<label for="place-name">([^<]*?) </g),
  };
}

const [third, second, first] = offers(3) as [Offer, Offer, Offer];
const gone: Offer = { value: 'gone', name: 'Gone', count: '' };

test.each<[string, Partial<Picking>, ReturnType<typeof shown>]>([
  ['nothing', {}, { chips: [], menu: [], chosen: [], typed: [] }],
  ['few', { offers: [second, first] }, { chips: ['p001', 'p002'], menu: [], chosen: [], typed: [] }],
  [
    'more: the most wanted in view, both by name',
    { offers: offers(4) },
    { chips: ['p003', 'p004'], menu: ['p001', 'p002'], chosen: [], typed: [] },
  ],
  [
    'one that is chosen, beside as many others',
    { offers: offers(4), chosen: [first] },
    { chips: ['p001', 'p003', 'p004'], menu: ['p002'], chosen: ['p001'], typed: [] },
  ],
  [
    'one that is chosen and not offered any more',
    { offers: [first], chosen: [gone] },
    { chips: ['gone', 'p001'], menu: [], chosen: ['gone'], typed: [] },
  ],
  [
    'a menu alone, with the one that is chosen',
    { offers: offers(3), chips: 0, chosen: [second] },
    { chips: [], menu: ['p001', 'p002', 'p003'], chosen: ['p002'], typed: [] },
  ],
  [
    'a menu alone, of which several are chosen',
    { offers: offers(3), chips: 0, chosen: [second, third] },
    { chips: ['p002', 'p003'], menu: ['p001'], chosen: ['p002', 'p003'], typed: [] },
  ],
  [
    'nothing but a name that can be typed',
    { left: 1_200 },
    { chips: [], menu: [], chosen: [], typed: ['And 1,200 more: type a name'] },
  ],
])('of %s', (_, picking, expected) => {
  expect(shown(picking)).toEqual(expected);
});

test.each<[left: number | undefined, typed: string]>([
  [0, 'And 148 more: type a name'],
  [1_000, 'And 1,148 more: type a name'],
  [undefined, 'And more: type a name'],
])('of 200 and %s beyond, a name that is not shown is typed', (left, typed) => {
  const { menu, typed: label } = shown({ offers: offers(200), left });
  expect([menu?.length, label]).toEqual([50, [typed]]);
});
