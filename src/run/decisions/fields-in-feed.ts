import { charsetFromContentType, decodeBytes } from '../../charset.ts';
import type { Queryable } from '../../db/database.ts';
import { decodeText } from '../../ical/read/decode.ts';
import type { Where } from '../../problem.ts';
import type { FieldPlace } from '../../sync/formats/field-place.ts';
import type { FormatName } from '../../sync/formats/format-kinds.ts';
import type { DraftSettings } from '../../sync/model/draft.ts';
import type { SourceSetup } from '../state/context.ts';
import { loadBody, loadFeedState } from '../state/feed-state.ts';

/** A body, and the line where an event begins in it. */
interface Begins {
  readonly bytes: Uint8Array;
  readonly contentType: string | null;
  readonly line: number;
  readonly settings: Pick<DraftSettings, 'columns'>;
}

/**
 * For each kind of feed, finds what it says about the fields of an event. The code that reads it is loaded on demand.
 */
const PLACES: Readonly<Record<FormatName, (begins: Begins) => Promise<readonly FieldPlace[]>>> = {
  ical: async ({ bytes, contentType, line }) => {
    const { calendarFieldPlaces } = await import('../../sync/formats/calendar-field-places.ts');
    return calendarFieldPlaces(decodeText(bytes, contentType).text, line);
  },
  csv: async ({ bytes, contentType, line, settings }) => {
    const { tableFieldPlaces } = await import('../../sync/formats/table-field-places.ts');
    return tableFieldPlaces(decodeBytes(bytes, charsetFromContentType(contentType)).text, line, settings);
  },
};

/** What the last good feed of a source says about each field of the event at the given place. */
export async function fieldsInFeed(
  query: Queryable,
  { site, name, format }: Pick<SourceSetup, 'site' | 'name' | 'format'>,
  { line, row }: Where,
  settings: Begins['settings'],
): Promise<readonly FieldPlace[]> {
  const bytes = line === undefined ? undefined : await loadBody(query, site.key, name);
  if (!bytes || line === undefined) return [];
  const { contentType } = await loadFeedState(query, site.key, name);
  return PLACES[format ?? (row === undefined ? 'ical' : 'csv')]({ bytes, contentType, line, settings });
}
