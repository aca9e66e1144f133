import { encodedAddress, isWebAddress } from '../../../contract/post-args.ts';
import { HTML_MAX, LINE_MAX } from '../../../contract/limits.ts';
import type { ErrorBody } from '../../../contract/representation.ts';
import type { Image } from '../../../contract/event-parts.ts';
import { sql } from '../../../db/database.ts';
import type { Sent } from '../../../request-bytes.ts';
import { findLinked } from '../../store/linked.ts';
import { imagesOf } from '../../store/linked-list.ts';
import { representImage } from '../../store/represent-post.ts';
import { mayEdit } from '../../store/rights.ts';
import { callerOfPerson, type AskedEdit } from '../editor.ts';
import { isBlank } from '../../../ascii.ts';
import { plainText, typedMarkup, typedText, type Fault } from '../event-values.ts';
import { LINKED_LISTS, type LinkedName } from '../linked.ts';
import { versionBy, type Version } from '../stored-event.ts';

export type PlaceWord = 'name' | 'address' | 'city' | 'zip' | 'country' | 'phone' | 'email';

/** The short fields of each kind, by interface parameter. */
export const PLACE_FIELDS: Readonly<Record<LinkedName, readonly (readonly [param: string, word: PlaceWord])[]>> = {
  venue: [
    ['venue', 'name'],
    ['address', 'address'],
    ['zip', 'zip'],
    ['city', 'city'],
    ['country', 'country'],
    ['phone', 'phone'],
  ],
  organizer: [
    ['organizer', 'name'],
    ['phone', 'phone'],
    ['email', 'email'],
  ],
};

/** The contents of a form, by interface parameter. */
export type PlaceValues = Readonly<Record<string, string>>;
export type PlaceFaults = Readonly<Record<string, Fault>>;

export const placeParams = (kind: LinkedName): readonly string[] => [
  ...PLACE_FIELDS[kind].map(([name]) => name),
  'website',
  'description',
];

/** Fields that contain markup, or in which none is interpreted. */
const AS_STORED: readonly string[] = ['description', 'website', 'phone', 'email'];

/** A stored place or organizer that this person may change. */
export interface StoredPlace extends Version {
  readonly id: number;
  readonly values: PlaceValues;
  readonly image: Image | undefined;
  readonly isPublic: boolean;
  readonly slug: string;
}

/** Reads one by id; undefined if this person may not change it, or if it is in the trash. */
export async function storedPlace(asked: AskedEdit, kind: LinkedName, id: number): Promise<StoredPlace | undefined> {
  const { db, person, frame } = asked;
  const row = id === 0 ? undefined : await findLinked(db, LINKED_LISTS[kind], { id });
  if (!row || row.status === 'trash' || !mayEdit(callerOfPerson(person), row)) return undefined;
  const columns = placeParams(kind).map((name) => (name === kind ? 'title' : name));
  const texts = placeParams(kind).map((name, index): readonly [string, string] => {
    // All of these are text columns.
    const text = String(Reflect.get(row, columns[index] ?? ''));
    return [name, AS_STORED.includes(name) ? text : typedText(text)];
  });
  const image = row.image_id === null ? undefined : (await imagesOf(db, [row])).get(row.image_id);
  return {
    id,
    values: Object.fromEntries(texts),
    image: image && representImage(image, frame.settings),
    isPublic: row.status === 'publish',
    slug: row.slug,
    ...versionBy([...columns, 'image_id', 'status'], row),
  };
}

/** How many events show it, not counting trashed ones, and how many of these are upcoming. */
export async function eventsOfPlace(
  { db, now }: AskedEdit,
  kind: LinkedName,
  id: number,
): Promise<{ readonly all: number; readonly coming: number }> {
  const { rows } = await sql<{ all: number; coming: number }>`
    select count(*)::integer as all, (count(*) filter (where end_at > ${new Date(now())}))::integer as coming
    from site.events where ${sql.ref(`${kind}_ids`)} @> array[${id}::integer] and status <> 'trash'`.execute(db);
  return rows[0] ?? { all: 0, coming: 0 };
}

/** Reads the form as sent. */
export const placeSent = (kind: LinkedName, sent: Sent): PlaceValues =>
  Object.fromEntries(placeParams(kind).map((name) => [name, sent.field(name).replace(/\r\n?/g, '\n').trim()]));

/** Checks a form before the interface is called. */
export function faultsInPlace(kind: LinkedName, values: PlaceValues): PlaceFaults {
  const website = values['website'] ?? '';
  const tooLong = Object.entries(values).filter(
    ([name, text]) => text.length > (name === 'description' ? HTML_MAX : LINE_MAX),
  );
  return {
    ...(isBlank(values[kind] ?? '') && { [kind]: 'missing' }),
    ...(website !== '' && !isWebAddress(encodedAddress(website)) && { website: 'noAddress' }),
    ...Object.fromEntries(tooLong.map(([name]) => [name, 'tooLong'])),
  };
}

/** The parameters to send: only what differs from what is stored. */
export const paramsOfPlace = (kind: LinkedName, values: PlaceValues, stored: PlaceValues): PlaceValues =>
  Object.fromEntries(
    placeParams(kind)
      .filter((name) => values[name] !== (stored[name] ?? ''))
      .map((name) => [name, paramOf(name, values[name] ?? '')]),
  );

function paramOf(name: string, typed: string): string {
  if (name === 'description') return typedMarkup(typed);
  if (name === 'website') return encodedAddress(typed);
  return AS_STORED.includes(name) ? typed : plainText(typed);
}

/** The interface's refusal: at its fields, or as its message. */
export function placeRefusalOf(
  kind: LinkedName,
  { message, data }: ErrorBody,
): { readonly faults?: PlaceFaults; readonly refusal?: string } {
  const params = typeof data === 'object' && data !== null ? data['params'] : undefined;
  const names = placeParams(kind).filter(
    (name) => typeof params === 'object' && params !== null && Object.hasOwn(params, name),
  );
  return names.length > 0
    ? { faults: Object.fromEntries(names.map((name) => [name, 'refused'])) }
    : { refusal: message };
}
