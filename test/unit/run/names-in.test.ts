import { expect, test } from 'vitest';
import { namesIn } from '../../../src/run/write/find-linked.ts';
import type { Item } from '../../../src/run/state/batches.ts';

const venue = (name: string, city?: string): Item => ({
  action: {
    kind: 'create',
    resource: 'venues',
    ref: `venues:${name}`,
    fields: { venue: name, ...(city === undefined ? {} : { city }) },
  },
  change: null,
});

test.each([
  ['a name', [venue('Hall')], ['hall']],
  ['names that count as the same', [venue('Hall'), venue('HÁLL')], ['hall']],
  ['both names that a venue may get', [venue('Hall', 'Kraków')], ['hall', 'hall-krakow']],
  ['the one name of a venue that has the city in it already', [venue('Hall (Kraków)')], ['hall-krakow']],
  ['a name without letters', [venue('—')], ['—']],
])('the names that nobody else may create meanwhile: %s', (_, items, names) => expect(namesIn(items)).toEqual(names));
