import { expect, test } from 'vitest';
import { badgesOf, BADGE_COLOURS } from '../../../src/run/events/source-badges.ts';

const lettersOf = (...names: readonly string[]): readonly string[] =>
  [...badgesOf(names).values()].map(({ letters }) => letters);

test.each([
  [
    ['theatre', 'cinema', 'museum'],
    ['Th', 'Ci', 'Mu'],
  ],
  [
    ['city-library', 'town.hall', 'sports_club'],
    ['CL', 'TH', 'SC'],
  ],
  // Letters that others have, in whatever case, are taken.
  [
    ['theatre', 'town-hall', 'thermal-bath'],
    ['Th', 'To', 'TB'],
  ],
  [
    ['a', 'A1', 'a-1'],
    ['Aa', 'A1', 'Ab'],
  ],
])('the badges of %j are %j', (names, letters) => expect(lettersOf(...names)).toEqual(letters));

test('each of a thousand sources has its own badge, and keeps it when others are added', () => {
  const names = Array.from({ length: 1_000 }, (_, index) => `source-${index}`);
  const all = badgesOf(names);
  expect(new Set([...all.values()].map(({ letters }) => letters.toLowerCase())).size).toBe(1_000);
  for (const [name, badge] of badgesOf(names.slice(0, 300))) expect(all.get(name)).toEqual(badge);
  expect(new Set([...all.values()].map(({ colour }) => colour)).size).toBe(BADGE_COLOURS);
});

test('badges still have two letters if there are more sources than pairs of letters', () => {
  const names = Array.from({ length: 1_300 }, (_, index) => `source-${index}`);
  expect([...badgesOf(names).values()].every(({ letters }) => letters.length === 2)).toBe(true);
});
