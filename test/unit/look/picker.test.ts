import { expect, test } from 'vitest';
import { picker, type Offer, type Picking } from '../../../src/look/picker.ts';
import { EN } from '../../../src/look/words/en.ts';

const offers = (count: number): readonly Offer[] =>
  // The most popular first, which is not the order of names.
  Array.from({ length: count }, (_, index) => ({
    value: `p${String(count - index).padStart(3, '0')}`,
    name: `Place ${String(count - index).padStart(3, '0')}`,
    count: '',
  }));

/** The checkboxes, the options of the menu, what is chosen, and the label of the field for a name. */
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
  ['nothing, without any offers', {}, { chips: [], menu: [], chosen: [], typed: [] }],
  ['a few as checkboxes', { offers: [second, first] }, { chips: ['p001', 'p002'], menu: [], chosen: [], typed: [] }],
  [
    'the most popular as checkboxes and the rest in a menu, both sorted by name',
    { offers: offers(4) },
    { chips: ['p003', 'p004'], menu: ['p001', 'p002'], chosen: [], typed: [] },
  ],
  [
    'a chosen one as an additional checkbox',
    { offers: offers(4), chosen: [first] },
    { chips: ['p001', 'p003', 'p004'], menu: ['p002'], chosen: ['p001'], typed: [] },
  ],
  [
    'a chosen one that no longer exists',
    { offers: [first], chosen: [gone] },
    { chips: ['gone', 'p001'], menu: [], chosen: ['gone'], typed: [] },
  ],
  [
    'only a menu, with the chosen one selected',
    { offers: offers(3), chips: 0, chosen: [second] },
    { chips: [], menu: ['p001', 'p002', 'p003'], chosen: ['p002'], typed: [] },
  ],
  [
    'several chosen ones of a menu as checkboxes',
    { offers: offers(3), chips: 0, chosen: [second, third] },
    { chips: ['p002', 'p003'], menu: ['p001'], chosen: ['p002', 'p003'], typed: [] },
  ],
  [
    'only a field for a name',
    { left: 1_200 },
    { chips: [], menu: [], chosen: [], typed: ['And 1,200 more: type a name'] },
  ],
])('a picker offers %s', (_, picking, expected) => {
  expect(shown(picking)).toEqual(expected);
});

test.each<[left: number | undefined, typed: string]>([
  [0, 'And 148 more: type a name'],
  [1_000, 'And 1,148 more: type a name'],
  [undefined, 'And more: type a name'],
])('with 200 offers and %s more, a name that is not offered can be typed', (left, typed) => {
  const { menu, typed: label } = shown({ offers: offers(200), left });
  expect([menu?.length, label]).toEqual([50, [typed]]);
});
