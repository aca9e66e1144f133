import type { DraftSettings } from '../../src/sync/model/draft.ts';

/** The default draft settings of a source in Warsaw. */
export const DRAFT_SETTINGS: DraftSettings = {
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
