import { contentLines, type ContentLine } from '../../ical/read/content-lines.ts';
import { EXTRA_TEXT_NAMES, propertiesOf } from '../../ical/read/extra-texts.ts';
import { propertyFromLine, type Property } from '../../ical/read/property.ts';
import { isPicture } from '../drafts/calendar-places.ts';
import type { FieldName } from '../model/fields.ts';
import { shownLine } from './excerpt.ts';
import { EVENT_LINES_MAX, linesFrom, type FieldPlace } from './field-place.ts';

/** The properties from which each field is read, whatever their values. */
const PROPERTIES: Readonly<Record<string, readonly FieldName[]>> = {
  SUMMARY: ['title'],
  DTSTART: ['start_date', 'timezone', 'all_day'],
  RRULE: ['start_date'],
  RDATE: ['start_date'],
  'RECURRENCE-ID': ['start_date'],
  DTEND: ['end_date'],
  DURATION: ['end_date'],
  'X-MICROSOFT-CDO-ALLDAYEVENT': ['all_day'],
  'X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT': ['all_day'],
  DESCRIPTION: ['description'],
  'STYLED-DESCRIPTION': ['description'],
  'X-ALT-DESC': ['description'],
  URL: ['website'],
  'X-TRUMBA-LINK': ['website'],
  CONFERENCE: ['website'],
  IMAGE: ['image'],
  LINK: ['description'],
  'X-WP-IMAGES-URL': ['image'],
  'X-LIVEWHALE-IMAGE': ['image'],
  'X-BEDEWORK-IMAGE': ['image'],
  CATEGORIES: ['categories'],
  LOCATION: ['venue'],
  GEO: ['venue'],
  'X-APPLE-STRUCTURED-LOCATION': ['venue'],
  ORGANIZER: ['organizer'],
  CONTACT: ['organizer'],
  ...Object.fromEntries(EXTRA_TEXT_NAMES.flatMap((field) => propertiesOf(field).map((name) => [name, [field]]))),
};

/** What the VEVENT that begins at a line gives for each field; empty if no event begins there. */
export function calendarFieldPlaces(text: string, line: number): readonly FieldPlace[] {
  const lines = [...contentLines([{ text: linesFrom(text, line, EVENT_LINES_MAX), line }])];
  return ownLines(lines).flatMap((content) => {
    const property = propertyFromLine(content);
    if (!property) return [];
    const { name } = property;
    const fields = DEPENDING[name]?.(property) ?? PROPERTIES[name] ?? [];
    return fields.map((field) => ({ field, name, line: content.line, text: shownLine(content.text) }));
  });
}

/** Properties whose value decides which fields they concern. */
const DEPENDING: Readonly<Record<string, (property: Property) => readonly FieldName[]>> = {
  // A cancelled event gets a title prefix and a tag; CONFIRMED changes nothing.
  STATUS: ({ value }) => (/^\s*(?:cancelled|tentative)\s*$/i.test(value) ? ['title', 'tags'] : []),
  ATTACH: ({ value, parameters }) => (isPicture({ text: value, parameters }) ? ['image'] : ['description']),
};

/** An event's own lines, without those of the alarms and places inside it. */
function ownLines(lines: readonly ContentLine[]): readonly ContentLine[] {
  const own: ContentLine[] = [];
  let depth = 0;
  for (const line of lines) {
    if (/^BEGIN\s*:/i.test(line.text)) depth += 1;
    else if (/^END\s*:/i.test(line.text)) depth -= 1;
    else if (depth === 1) own.push(line);
    if (depth === 0) break;
  }
  return own;
}
