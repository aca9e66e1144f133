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
  ['what is as it was planned', {}, [], []],
  ['what the update does not send', { cost: '10' }, [], []],
  ['what a person has written meanwhile', { title: 'Jazz by hand' }, ['title'], []],
  ['what it sends only with other fields', { end_date: '2027-01-10 23:00:00' }, ['end_date'], []],
  ['what somebody has written just so', { title: 'Jazz & Blues' }, [], ['title']],
  ['what the site shows so in its own form', { title: 'Jazz &#038; Blues' }, [], ['title']],
  ['a venue by the id behind its ref', { venue: [4] }, [], ['venue']],
  ['one of both', { title: 'Jazz by hand', venue: [4] }, ['title'], ['venue']],
])('%s', (_, now, changed, already) => expect(since(now)).toEqual([changed, already]));

test('a removal replaces what it writes, not all that it knew of the event', () => {
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
