import { textOf, type CalendarEvent, type Place } from './calendar.ts';
import type { Component } from './component.ts';
import { isPlace, placeFromComponent } from './event-from-component.ts';
import type { ProblemList } from './problem-list.ts';
import { uidOf } from './uid.ts';

const VENUES_MAX = 10_000;

/**
 * Adds to an event the VVENUE that its LOCATION refers to by UID or name: some calendars list VVENUEs next to their
 * events (draft-norris-ical-venue; Eventful, Upcoming).
 */
export function withVenueNamed(
  objects: readonly Component[],
  problems: ProblemList,
): (event: CalendarEvent) => CalendarEvent {
  const venues = objects
    .filter((object) => isPlace(object))
    .slice(0, VENUES_MAX)
    .flatMap((component) => {
      const place = placeFromComponent(component, problems);
      const uid = uidOf(component)?.value ?? '';
      return place ? [{ place, uid, name: textOf(place.texts, 'NAME') }] : [];
    });
  if (venues.length === 0) return (event) => event;
  const byUid = new Map<string, Place>(venues.filter(({ uid }) => uid !== '').map(({ uid, place }) => [uid, place]));
  const byName = new Map<string, Place>(
    venues.filter(({ name }) => name !== '').map(({ name, place }) => [name, place]),
  );
  return (event) => {
    const location = event.texts['LOCATION']?.[0];
    if (!location || event.places.length > 0) return event;
    const [text, uid] = [location.text.trim(), location.parameters['VVENUE'] ?? location.parameters['VENUE-UID'] ?? ''];
    const [name = ''] = text.split(/ @ |\n/);
    const place = byUid.get(uid) ?? byName.get(text) ?? byName.get(name.trim());
    return place ? { ...event, places: [place] } : event;
  };
}
