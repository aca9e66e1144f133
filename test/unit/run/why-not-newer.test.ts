import { expect, test } from 'vitest';
import { IN_FEED, whyNotNewer, type EventSituation } from '../../../src/run/events/why-not-newer.ts';

const KEPT: EventSituation = {
  state: 'kept',
  removed: null,
  onSite: 'publish',
  presence: IN_FEED,
  missing: 0,
  isPinned: false,
  removal: { after: 3, action: 'trash' },
  held: null,
  rejected: null,
  fields: {},
};
const REMOVED: EventSituation = { ...KEPT, state: 'removed', removed: 'trash', onSite: 'trash' };
const GONE = { presence: 'not in the feed any more' };

test.each<[string, EventSituation, string]>([
  ['as in the feed', KEPT, 'It is: the site shows what the last good reading of the feed says.'],
  [
    'gone from the feed',
    { ...REMOVED, presence: 'not in the feed any more' },
    'It was taken off the site: not in the feed any more. It returns once that changes.',
  ],
  [
    'left out by a rule',
    { ...REMOVED, presence: 'left out by the rule skip { field: title, matches: "Staff" }' },
    'It was taken off the site: left out by the rule skip { field: title, matches: "Staff" }. It returns once that changes.',
  ],
  [
    'withdrawn',
    { ...REMOVED, ...GONE, removed: 'draft', onSite: 'draft' },
    'It was made a draft: not in the feed any more. It is as it was before once that changes.',
  ],
  [
    'marked as cancelled',
    { ...REMOVED, ...GONE, removed: 'cancel', onSite: 'publish' },
    'It was marked as cancelled: not in the feed any more. It is as it was before once that changes.',
  ],
  ['back in the feed', REMOVED, 'It was taken off the site, and the feed has it again: the next run takes that back.'],
])('why the site shows nothing newer for an event that is %s', (_what, standing, why) =>
  expect(whyNotNewer(standing)).toEqual([why]),
);
