import { expect, test } from 'vitest';
import { changedSincePlanned, type Change } from '../../../src/sync/event/changed-since-planned.ts';
import type { SiteEvent } from '../../../src/sync/model/plan.ts';

/** A new title; the end is sent as it was, because the times of an event are sent together. */
const update: Change = {
  kind: 'update',
  resource: 'events',
  slug: 'jazz-abcdefghijklmn',
  id: 7,
  title: 'Jazz & Blues',
  because: 'changed in the feed',
  fields: { title: 'Jazz & Blues', end_date: '2027-01-10 20:00:00', venue: ['venues:hall'] },
  changes: { title: { from: 'Jazz', to: 'Jazz & Blues' }, venue: { from: ['venues:club'], to: ['venues:hall'] } },
};
const planned = { title: 'Jazz', end_date: '2027-01-10 20:00:00', venue: [3], cost: '5' };

const since = (now: SiteEvent['values']): readonly (readonly string[])[] => {
  const shown = { id: 7, slug: 'jazz-abcdefghijklmn', status: 'publish', values: { ...planned, ...now } };
  const { changed, already } = changedSincePlanned(update, shown, { 'venues:club': 3, 'venues:hall': 4 });
  return [changed, already];
};

test.each([
  ['nothing has changed since the plan', {}, [], []],
  ['a change to a field that the update does not send', { cost: '10' }, [], []],
  ['an edit of a field that the update changes', { title: 'Jazz by hand' }, ['title'], []],
  [
    'an edit of a field that the update sends only along with others',
    { end_date: '2027-01-10 23:00:00' },
    ['end_date'],
    [],
  ],
  ['an edit to exactly the planned value', { title: 'Jazz & Blues' }, [], ['title']],
  ["the planned value in the site's own form", { title: 'Jazz &#038; Blues' }, [], ['title']],
  ['the planned venue, by the id behind its ref', { venue: [4] }, [], ['venue']],
  ['one other value and one planned value', { title: 'Jazz by hand', venue: [4] }, ['title'], ['venue']],
])('%s', (_, now, changed, already) => expect(since(now)).toEqual([changed, already]));

test('a removal checks only the fields that it writes', () => {
  const cancel: Change = {
    kind: 'remove',
    how: 'cancel',
    resource: 'events',
    slug: update.slug,
    id: 7,
    title: 'Jazz',
    because: 'gone from the feed',
    fields: { title: 'Cancelled: Jazz' },
    before: { title: 'Jazz', cost: '5' },
  };
  const shown = { id: 7, slug: update.slug, status: 'publish', values: { title: 'Jazz by hand', cost: '10' } };
  expect(changedSincePlanned(cancel, shown, {})).toEqual({ changed: ['title'], already: [] });
});
