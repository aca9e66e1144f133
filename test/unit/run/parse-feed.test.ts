import { expect, it } from 'vitest';
import { parseFeed } from '../../../src/run/parse/parse-feed.ts';
import type { DraftSettings } from '../../../src/sync/model/draft.ts';

const SETTINGS: DraftSettings = {
  source: 'town',
  window: { from: Date.UTC(2026, 0, 1), to: Date.UTC(2028, 0, 1) },
  timezone: undefined,
  siteTimezone: 'Europe/Warsaw',
  status: 'publish',
  categories: { map: {}, add: [], unknown: 'create' },
  tags: { add: [] },
  defaultVenue: undefined,
  only: [],
  skip: [],
  columns: {},
  everything: false,
};

it.each([['\r\n'], ['\n'], ['\r']])('rows are known as such whatever ends their lines: %j', (end) => {
  const bytes = new TextEncoder().encode(['title,start', 'Fair,2026-05-01 10:00', ''].join(end));
  expect(parseFeed({ bytes, contentType: null, format: undefined, settings: SETTINGS })).toMatchObject({
    kind: 'reading',
    reading: { drafts: [{ fields: { title: 'Fair', start_date: '2026-05-01 10:00:00' } }] },
  });
});
