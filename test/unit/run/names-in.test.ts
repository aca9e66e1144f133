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
  ['the same, where it has the city already', [venue('Hall (Kraków)')], ['hall-krakow']],
  ['a name without letters', [venue('—')], ['—']],
])('nobody else may create %s', (_, items, names) => expect(namesIn(items)).toEqual(names));
