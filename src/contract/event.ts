import { DAY_MS, wallFromInstant } from '../time.ts';
import { defaulted, partial, published, type ArgContext, type Args, type ArgsOf } from './arg.ts';
import { anyText, dateFilter, decimal, flag, positiveInteger, strictTruth, text, textOrNone } from './arg-kinds.ts';
import type { DateTime } from './date-time.ts';
import { eventFieldArgs, imageAbout, slugAbout } from './event-fields.ts';
import { clearableImage, statusFilter } from './post-args.ts';
import { ids, termRefs } from './reference-args.ts';
import { bySlug, byId, inLanguage, paging } from './shared-args.ts';

/** The radius of a search around a place, in kilometres. */
const NEARBY_KM = 25;

/** Yesterday 23:59 UTC, as on real sites. Cut to its day, this is today east of Greenwich and yesterday west of it. */
export const defaultStart = ({ now, timezone }: ArgContext): string =>
  wallFromInstant(now - (now % DAY_MS) - 60_000, timezone);

/** Two years from now in UTC, as real sites print it. */
export function defaultEnd({ now }: ArgContext): string {
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + 2);
  return wallFromInstant(end.getTime(), 'UTC');
}

export const eventFilters = {
  ...paging('events'),
  // Only published, because a handler must know whether they were given (`include` and the four below override them).
  start_date: published(defaultStart, dateFilter({ description: 'Only events that start on this day or later' })),
  end_date: published(defaultEnd, dateFilter({ description: 'Only events that end on this day or earlier' })),
  starts_before: dateFilter({ description: 'Only events that start before this' }),
  starts_after: dateFilter({ description: 'Only events that start after this' }),
  ends_before: dateFilter({ description: 'Only events that end before this' }),
  ends_after: dateFilter({ description: 'Only events that end after this' }),
  strict_dates: defaulted(
    false,
    strictTruth({ description: 'Whether the times of the date filters count; without it they cover whole days' }),
    'false',
  ),
  search: text({ description: 'Only events with this text in the title or the description' }),
  categories: termRefs({ description: 'Only events in one of these categories, by slug or id' }),
  tags: termRefs({ description: 'Only events with one of these tags, by slug or id' }),
  venue: ids({ description: 'Only events at one of the venues with these ids' }),
  organizer: ids({ description: 'Only events of one of the organizers with these ids' }),
  featured: flag({ description: 'Only featured events, or only others' }),
  status: statusFilter({ description: 'Only events with this status' }),
  geoloc: flag({ description: 'Only events whose venue has coordinates, or has none' }),
  geoloc_lat: decimal(
    {
      format: 'double',
      description: `The latitude of a place, together with geoloc_lng: only events at venues within ${NEARBY_KM} km of it, the nearest first`,
    },
    90,
  ),
  geoloc_lng: decimal(
    {
      format: 'double',
      description: `The longitude of a place, together with geoloc_lat: only events at venues within ${NEARBY_KM} km of it, the nearest first`,
    },
    180,
  ),
  include: ids({ description: 'Only events with these ids; date filters are ignored' }),
  post_parent: positiveInteger({ description: 'Only events below the post with this id' }),
  ticketed: flag({ description: 'Only events with tickets, or without' }),
  ...inLanguage,
};

// An update must be able to remove the image; a create has none to remove. A draft may have no slug yet.
const updateFields = partial({ ...eventFieldArgs, image: clearableImage(imageAbout), slug: textOrNone(slugAbout) });
const password = { password: anyText({ description: 'The password of the event' }) };

/** What can be set for an event; every field is optional here. */
export type EventData = ArgsOf<typeof updateFields>;
export type { DateTime };

export const eventArgs = {
  list: eventFilters,
  // Real sites ignore passwords here. Silently dropping one would leave the event open to everybody.
  create: { ...eventFieldArgs, ...password, ...inLanguage },
  byId: { ...byId('event'), ...password, ...inLanguage },
  bySlug: { ...bySlug('event'), ...inLanguage },
  update: { ...byId('event'), ...password, ...updateFields, ...inLanguage },
  // The interface does not declare the slug as required on this route, because it is in the path.
  updateBySlug: {
    ...password,
    ...updateFields,
    slug: { ...eventFieldArgs.slug, presence: 'given' as const },
    ...inLanguage,
  },
} satisfies Record<string, Args>;
