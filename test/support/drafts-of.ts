import { expandCalendar } from '../../src/ical/occurrences/expand-calendar.ts';
import type { Calendar } from '../../src/ical/read/calendar.ts';
import type { Profile } from '../../src/ical/read/profile-table.ts';
import { draftsFromCalendar } from '../../src/sync/drafts/from-calendar.ts';
import type { DraftSettings, FeedReading } from '../../src/sync/model/draft.ts';

/** The occurrences of a calendar in the settings' window, as drafts. */
export const draftsOf = (calendar: Calendar, settings: DraftSettings, profile?: Profile): FeedReading =>
  draftsFromCalendar(calendar, expandCalendar(calendar, settings), settings, profile);
