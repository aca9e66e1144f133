import type { EventDraft, EventFields, FeedReading } from '../../src/sync/model/draft.ts';
import type { Policy } from '../../src/sync/model/plan.ts';
import { instantFromWall } from '../../src/time.ts';

export const NOW = Date.UTC(2027, 0, 1);

/** A draft of an event of one hour in Warsaw; `start_date` sets its times. */
export function draftOf(
  uid: string,
  fields: Partial<EventFields> = {},
  more: Partial<Omit<EventDraft, 'fields'>> = {},
): EventDraft {
  const start = fields.start_date ?? '2027-03-01 18:00:00';
  const title = fields.title ?? `Event ${uid}`;
  const startsAt = instantFromWall(start, 'Europe/Warsaw');
  return {
    where: { uid },
    rungs: { uid, recurrenceId: null, url: null, fingerprint: `${title}|${start}` },
    startsAt,
    endsAt: startsAt + 3_600_000,
    state: 'confirmed',
    fields: {
      title,
      start_date: start,
      end_date: `${start.slice(0, 11)}23:00:00`,
      timezone: 'Europe/Warsaw',
      all_day: false,
      status: 'publish',
      ...fields,
    },
    ...more,
  };
}

/** A reading that covers the whole future. */
export const readingOf = (drafts: readonly EventDraft[], more: Partial<FeedReading> = {}): FeedReading => ({
  drafts,
  excluded: [],
  outside: [],
  unread: [],
  coversUntil: Date.UTC(2030, 0, 1),
  problems: [],
  ...more,
});

export const policyOf = (more: Partial<Policy> = {}): Policy => ({
  source: 'library',
  now: NOW,
  authority: { default: 'preserve', fields: {} },
  missing: { action: 'trash', after: 3 },
  hold: { share: 0.2, moreThan: 3 },
  language: 'en',
  venueCoordinates: true,
  ...more,
});
