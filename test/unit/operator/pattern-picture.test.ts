import { expect, test } from 'vitest';
import { patternPicture } from '../../../src/operator/runs/pattern-picture.ts';
import type { EventFacts } from '../../../src/sync/review/event-facts.ts';
import type { UpdateEvent } from '../../../src/sync/model/plan.ts';

const before: EventFacts = {
  slug: 'chess',
  title: 'Chess',
  start: '2027-02-01 18:00:00',
  startsAt: Date.parse('2027-02-01T17:00:00Z'),
  venue: 'Hall',
  categories: [],
};

test.each<[string, Partial<EventFacts>, UpdateEvent['changes'], string]>([
  ['another text', {}, { description: { from: 'a', to: 'b' } }, 'stays'],
  ['another time', { start: '2027-02-02 18:00:00' }, {}, 'moved'],
  ['off the public pages', {}, { status: { from: 'publish', to: 'draft' } }, 'would go'],
  ['from one hidden state to another', {}, { status: { from: 'private', to: 'draft' } }, 'stays'],
])('an event that a plan changes, %s', (_, change, changes, word) => {
  const action: UpdateEvent = {
    kind: 'update',
    resource: 'events',
    slug: 'chess',
    id: 1,
    title: 'Chess',
    fields: {},
    changes,
    because: 'changed in the feed',
  };
  const changed = [{ before, after: { ...before, ...change }, action }];
  const facts = { gone: [], leaving: [], changed, added: [], stays: [], coming: 1 };
  const picture = patternPicture(facts, { kind: 'none' }, '2027-01-15', 'what changes');
  expect(
    ['stays', 'moved', 'would go', 'new'].filter((each) => String(picture && picture.markup).includes(each)),
  ).toEqual([word]);
});
