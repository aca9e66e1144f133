import { expect, test } from 'vitest';
import { isEventOf } from '../../../src/sync/compare/our-event.ts';
import type { LedgerEntry } from '../../../src/sync/model/plan.ts';

const SLUG = 'jazz-abcdefghijklmn';
const entry = {
  slug: SLUG,
  key: 'abcdefghijklmn',
  title: 'Jazz',
  fields: {
    title: { feed: 'Jazz', returned: 'Jazz & Blues', by: 'feed' },
    start_date: { feed: '2027-01-10 18:00:00', returned: '2027-01-10 18:00:00', by: 'feed' },
  },
} as unknown as LedgerEntry;
const shown = { slug: '', title: 'Jazz &#038; Blues', start_date: '2027-01-10 18:00:00' };

// A restored site may give an id to another event, so an id proves nothing by itself.
test.each([
  ['its key in the slug', { ...shown, slug: `${SLUG}-2`, title: 'Other' }, true],
  ['another slug, even if all else is the same', { ...shown, slug: 'jazz-blues' }, false],
  ['no slug, as we last saw it', shown, true],
  ['no slug, and another title', { ...shown, title: 'A draft by hand' }, false],
  ['no slug, and another start', { ...shown, start_date: '2027-01-11 18:00:00' }, false],
])('%s', (_, event, isOurs) => expect(isEventOf(event, entry)).toBe(isOurs));
