import type { CalendarContent, PublishedEvent } from '../../ical/write/write-event.ts';
import { titleInState } from '../../sync/model/state-tags.ts';
import type { FeedDefinition } from '../definition/definition.ts';

/**
 * Adapts an event to a feed, or leaves it out. Variants of an event have the same SEQUENCE, because the event itself is
 * the same.
 */
export function variedEvent(
  { variant = 'full', cancelled = 'keep' }: FeedDefinition,
  language: string,
): (event: PublishedEvent) => readonly PublishedEvent[] {
  return (event) => {
    const isCancelled = event.content.status === 'CANCELLED';
    if (isCancelled && cancelled === 'hide') return [];
    const title =
      isCancelled && cancelled === 'title'
        ? titleInState(event.content.title, 'cancelled', language)
        : event.content.title;
    return [{ ...event, content: { ...contentIn(variant, event.content), title } }];
  };
}

function contentIn(variant: NonNullable<FeedDefinition['variant']>, content: CalendarContent): CalendarContent {
  if (variant === 'full') return content;
  const { descriptionHtml, image, ...rest } = content;
  if (variant === 'lite') return rest;
  // Google interprets tags in DESCRIPTION, and shows every line end as another line break.
  return {
    ...rest,
    ...(image ? { image } : {}),
    ...(descriptionHtml ? { description: descriptionHtml.replace(/(?<!\s)\s*\n\s*/g, ' ') } : {}),
  };
}
