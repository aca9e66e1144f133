import { expect, test } from 'vitest';
import type { Asked } from '../../../src/operator/frame/operator.ts';
import { writtenTable } from '../../../src/operator/runs/written.ts';

// Two sites may have the same slug: a link without a site would lead to the first that has it.
const asked = {
  base: '',
  now: Date.parse('2027-01-15T12:00:00Z'),
  zoneOf: () => 'Europe/Berlin',
  operator: {
    sites: () => [
      { key: 'one', name: 'theatre.example' },
      { key: 'two', name: 'town.example' },
    ],
  },
} as unknown as Asked;

test('a change that a run made links to the page of the event on its site', () => {
  const table = writtenTable(asked, 'two', [
    {
      action: {
        kind: 'create',
        resource: 'events',
        slug: 'concert',
        title: 'Concert',
        fields: { title: 'Concert', start_date: '2027-02-01 20:00:00' },
        because: 'new in the feed',
      },
      outcome: null,
    },
  ]);
  expect(table.markup).toContain('href="/operator/events/concert/?site=town.example"');
});
