import type { DraftSettings } from '../../sync/model/draft.ts';
import { DAY_MS } from '../../time.ts';

/** The settings of a source of which only the address is known. `now` is in epoch milliseconds. */
export const plainSettings = (source: string, now: number, siteTimezone: string, timezone?: string): DraftSettings => ({
  source,
  window: { from: now - 30 * DAY_MS, to: now + 540 * DAY_MS },
  timezone,
  siteTimezone,
  status: 'publish',
  categories: { map: {}, add: [], unknown: 'create' },
  tags: { add: [] },
  defaultVenue: undefined,
  only: [],
  skip: [],
  columns: {},
  everything: false,
});
