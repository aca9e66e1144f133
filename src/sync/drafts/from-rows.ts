import { quoted } from '../../csv/quoted.ts';
import { grouped } from '../../count-in-words.ts';
import type { FeedCode } from '../../feed-codes.ts';
import type { ParsedRows } from '../../csv/parse-rows.ts';
import { flagFrom, rowEvents, type Days, type RowEvent } from '../../csv/row-events.ts';
import { instantOf, timesInZone } from '../../csv/row-times.ts';
import type { ColumnField } from '../../csv/column-names.ts';
import { namesInCell } from '../../csv/names-in-cell.ts';
import { coordinatesFrom } from '../../csv/read-coordinates.ts';
import { isHtml } from '../../html/is-html.ts';
import { withoutEscapes } from '../../html/references.ts';
import { safeHtml } from '../../html/sanitize.ts';
import { htmlFromText } from '../../html/text.ts';
import { atMostOfEach, type Problem } from '../../problem.ts';
import { encodedAddress, isWebAddress } from '../../contract/post-args.ts';
import { eventZone, sentZone } from '../../contract/event-zone.ts';
import { EVENTS_MAX } from '../../ical/read/parse-calendar.ts';
import { zoneNameFromTzid } from '../../ical/read/tzid.ts';
import { DAY_MS, isoFromInstant, isRepeated, isZone, wallFromInstant } from '../../time.ts';
import type {
  DraftSettings,
  EventDraft,
  EventFields,
  FeedReading,
  IdentityRungs,
  OrganizerDraft,
  VenueDraft,
} from '../model/draft.ts';
import {
  emptyValueOf,
  FLAGS,
  isLinked,
  MARKUP_FIELDS,
  SHORT_TEXTS,
  type LinkedField,
  type ShortText,
} from '../model/fields.ts';
import { fromRules, rulesOf } from './apply-rules.ts';
import { repeatRows, type RepeatingRow } from './repeated-rows.ts';
import { cutInWords, withinLimits } from './text-limits.ts';
import { lastingTitle, saidByTitle, stateSaidByTitle } from './title-state.ts';
import { latest, separateExcluded, type UnpublishedEvents, type ReadDraft } from './no-events.ts';
import { isNoPlace, meetingIn, withoutMeeting } from './online-meeting.ts';
import { emailIn } from './calendar-places.ts';
import { isPrivate, notPublic, stateOf } from './row-status.ts';
import { webAddressFrom } from './web-address.ts';
import { categoriesFor, fingerprintOf, ignoredCategories, whyExcludedByRules, tagsFor } from './rules.ts';

/** The drafts of a CSV feed, one for each row or occurrence. */
export function draftsFromRows(rows: Extract<ParsedRows, { kind: 'rows' }>, settings: DraftSettings): FeedReading {
  const {
    value: { events: single, unread },
    problems,
  } = rowEvents(
    rows.value,
    settings.columns,
    settings.timezone,
    daysAround(settings),
    (written) => zoneNamed(written) ?? fallbackZone(settings),
  );
  const repeated = repeatRows(
    single.filter(({ rule }) => rule !== null).map((event) => repeatingRow(event, settings)),
    settings,
  );
  const events = [...single.filter(({ rule }) => rule === null), ...repeated.events];
  const rules = rulesOf(settings);
  const read = events.map((event) => draftFromRow(event, settings, rules));
  const { within: all = [], beyond = [] } = Object.groupBy(read, ({ draft }) =>
    isWithin(draft, settings) ? 'within' : 'beyond',
  );
  const within =
    all.length > EVENTS_MAX
      ? all.toSorted((one, other) => one.draft.startsAt - other.draft.startsAt).slice(0, EVENTS_MAX)
      : all;
  const cut: readonly Problem[] =
    all.length > EVENTS_MAX
      ? [
          {
            code: 'feed-cut',
            message: `The file has ${grouped(all.length)} events in the window; only the first ${grouped(EVENTS_MAX)} are published.`,
            where: {},
          },
        ]
      : [];
  const starts = beyond.map(({ draft }) => draft.startsAt);
  const past = starts.filter((start) => start < settings.window.to);
  const left: Omit<UnpublishedEvents, 'excluded'> = {
    past: past.length + repeated.outside.length,
    later: starts.filter((start) => start >= settings.window.to),
    lastPast: repeated.outside.length > 0 || past.length === 0 ? null : latest(past),
    unread: unread.length + rows.unread.length,
  };
  const { drafts, excluded, noEvents } = separateExcluded(within, () => left, settings);
  return {
    drafts,
    excluded,
    outside: [
      ...new Set([
        ...beyond.flatMap(({ draft }) => draft.rungs.uid ?? []),
        ...repeated.outside.flatMap((event) => event.text('uid') || []),
      ]),
    ],
    unread: [...rows.unread, ...unread, ...repeated.unread]
      .map(({ row, line }) => ({ row, line }))
      .concat(cut.length > 0 ? [{ row: rows.value.headerRow, line: rows.value.headerRow }] : []),
    windowTo: settings.window.to,
    coversUntil: read.reduce((latest, { draft }) => Math.max(latest, draft.startsAt), repeated.coversUntil),
    problems: atMostOfEach([
      ...noEvents,
      ...rows.problems,
      ...problems,
      ...repeated.problems,
      ...read.flatMap((each) => each.problems),
      ...cut,
    ]),
  };
}

/** The days of the window, with a margin of two days for zones and to see whether a series continues outside it. */
const daysAround = ({ window: { from, to } }: DraftSettings): Days => ({
  from: isoFromInstant(from - 2 * DAY_MS).slice(0, 10),
  to: isoFromInstant(to + 2 * DAY_MS).slice(0, 10),
});

function repeatingRow(event: RowEvent, settings: DraftSettings): RepeatingRow {
  const {
    start_date: start,
    end_date: end,
    timezone,
  } = whenOf(
    event,
    zoneOf(event, settings, () => undefined),
  );
  return { event, start, end, timezone };
}

interface RowDraft extends ReadDraft {
  readonly problems: readonly Problem[];
}

const isWithin = ({ startsAt, endsAt }: EventDraft, { window }: DraftSettings): boolean =>
  startsAt < window.to && (endsAt > window.from || startsAt >= window.from);

function draftFromRow(event: RowEvent, settings: DraftSettings, rules: ReturnType<typeof rulesOf>): RowDraft {
  const problems: Problem[] = [];
  const fault = (code: FeedCode, field: string, message: string): void => {
    problems.push({ code, message, where: { row: event.row, line: event.line, field } });
  };
  const zone = zoneOf(event, settings, fault);
  const { startsAt, endsAt, ...when } = whenOf(event, zone);
  const website = addressOf(event.text('website'), 'website', fault);
  const fields: EventFields = {
    title: titleOf(event),
    ...when,
    status: settings.status,
    ...textsOf(event),
    ...given('website', website || addressOfPlace(event) || website),
    ...given('image', addressOf(event.text('image'), 'image', fault)),
    ...flagsOf(event),
    ...linksOf(event, settings),
  };
  const rungs = rungsOf(event, fields, website);
  const state = stateOf(event);
  const texts = {
    uid: rungs.uid,
    url: rungs.url,
    class: isPrivate(event) ? 'PRIVATE' : 'PUBLIC',
    ignored: ignoredCategories(settings)(termsIn(wordsOf(event, 'categories'))),
  };
  const ruled = rules(fields, texts);
  const because = notPublic(event, settings) ?? whyExcludedByRules(ruled.fields, texts, settings);
  const said = stateSaidByTitle({ fields: ruled.fields, state });
  if (said.state !== state) fault('title-cancelled', 'title', saidByTitle(ruled.fields.title));
  const published = withinLimits(said.fields);
  for (const text of published.cut) fault('text-cut', text.name, cutInWords(text));
  return {
    draft: {
      where: { row: event.row, line: event.line },
      rungs,
      startsAt,
      endsAt,
      state: said.state,
      fields: published.fields,
      ...fromRules(
        published.fields,
        (field) => fields[field] !== undefined && !(isLinked(field) && !isOfRow(field, event, settings)),
      ),
      ...(ruled.rules.length > 0 ? { rules: ruled.rules } : {}),
    },
    because,
    problems,
  };
}

/** Whether a linked field that a draft has comes from its row. */
const isOfRow = (field: LinkedField, event: RowEvent, { defaultVenue }: DraftSettings): boolean =>
  event.text(field) !== undefined || (field === 'venue' && defaultVenue === undefined);

type Fault = (code: FeedCode, field: string, message: string) => void;
const given = <K extends string, V>(name: K, value: V | undefined): { readonly [key in K]?: V } =>
  value === undefined ? {} : ({ [name]: value } as { [key in K]: V });

/** A cell's text with HTML character references decoded, as exports of web programs contain them. */
function wordsOf(event: RowEvent, field: ColumnField): string | undefined {
  const text = event.text(field);
  return text === undefined ? undefined : withoutEscapes(text);
}

const titleOf = (event: RowEvent): string => (wordsOf(event, 'title') ?? '').replace(/\s+/g, ' ');

const zoneNamed = (written: string): string | undefined =>
  isZone(written) ? sentZone(written) : (eventZone(written) ?? zoneNameFromTzid(written));
const fallbackZone = ({ timezone, siteTimezone }: DraftSettings): string => timezone ?? siteTimezone;

function zoneOf(event: RowEvent, settings: DraftSettings, fault: Fault): string {
  const own = event.text('timezone') ?? '';
  const fallback = fallbackZone(settings);
  const zone = zoneNamed(own);
  if (own !== '' && zone === undefined)
    fault('row-timezone', 'timezone', `${quoted(own)} is not a time zone; ${fallback} is used instead.`);
  return zone ?? fallback;
}

/**
 * A row's times in its zone. Times skipped when clocks go forward become what the site will show; times that occur
 * twice are given in UTC.
 */
function whenOf(
  event: RowEvent,
  timezone: string,
): Pick<EventFields, 'start_date' | 'end_date' | 'timezone' | 'all_day'> & Pick<EventDraft, 'startsAt' | 'endsAt'> {
  const times = timesInZone(event.times, timezone);
  const startsAt = instantOf(times.startDay, times.startTime, times.startOffset, timezone);
  const last = Math.max(startsAt, instantOf(times.endDay, times.endTime, times.endOffset, timezone));
  if (times.allDay)
    return {
      start_date: `${times.startDay} 00:00:00`,
      end_date: `${times.endDay} 23:59:59`,
      timezone,
      all_day: true,
      startsAt,
      endsAt: last + 1000,
    };
  const isClear = [startsAt, last].every((instant) => !isRepeated(wallFromInstant(instant, timezone), timezone));
  const zone = isClear ? timezone : 'UTC';
  return {
    start_date: wallFromInstant(startsAt, zone),
    end_date: wallFromInstant(last, zone),
    timezone: zone,
    all_day: false,
    startsAt,
    endsAt: last,
  };
}

/** If the file has the column, an empty cell clears the field. */
const textsOf = (event: RowEvent): Partial<Pick<EventFields, (typeof MARKUP_FIELDS)[number] | ShortText>> =>
  Object.fromEntries([
    ...MARKUP_FIELDS.flatMap((field) => entryOf(field, htmlOf(event.text(field)))),
    ...SHORT_TEXTS.flatMap((field) => entryOf(field, wordsOf(event, field))),
  ]);
const entryOf = (field: string, text: string | undefined): readonly (readonly [string, string])[] =>
  text === undefined ? [] : [[field, text]];

function htmlOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return isHtml(text) ? safeHtml(text) : htmlFromText(withoutEscapes(text));
}

/**
 * An absolute web address, or '' if the cell is empty; anything else is reported and ignored. Airtable and Notion write
 * a name followed by the address in brackets.
 */
function addressOf(text: string | undefined, field: string, fault: Fault): string | undefined {
  if (text === undefined || text === '') return text;
  const plain = (NAMED_ADDRESS.exec(text)?.[1] ?? text).replaceAll('&amp;', '&');
  const address = encodedAddress(/^www\./i.test(plain) ? `https://${plain}` : plain);
  if (/^https?:/i.test(address) && isWebAddress(address)) return address;
  fault('row-address', field, `${quoted(text)} is not a web address; it must begin with https:// or http://.`);
  return '';
}

const NAMED_ADDRESS = /^[^()]{1,300}\((https?:\/\/[^\s()]+)\)(?:$|,)/i;

/** An empty cell clears the flag; whether a map is shown is then up to the site. */
const flagsOf = (event: RowEvent): Partial<Pick<EventFields, (typeof FLAGS)[number]>> =>
  Object.fromEntries(
    FLAGS.flatMap((field) => {
      const text = event.text(field);
      const flag = text === '' ? emptyValueOf(field) : (flagFrom(text ?? '') ?? undefined);
      return flag === undefined ? [] : [[field, flag]];
    }),
  );

function linksOf(
  event: RowEvent,
  settings: DraftSettings,
): Pick<EventFields, 'categories' | 'tags' | 'venue' | 'organizer'> {
  const [categories, tags] = (['categories', 'tags'] as const).map((field) => wordsOf(event, field));
  const venue = venueOf(event, settings);
  return {
    ...given(
      'categories',
      categories === undefined && settings.categories.add.length === 0
        ? undefined
        : categoriesFor(settings)(termsIn(categories)),
    ),
    ...given(
      'tags',
      tags === undefined && settings.tags.add.length === 0 ? undefined : tagsFor(settings)(termsIn(tags)),
    ),
    ...given('venue', venue),
    ...given('organizer', organizersOf(event)),
  };
}

const termsIn = (text = ''): readonly string[] => namesInCell(text, /[,;|\n]/);

/** The address given in place of a venue, or that of a meeting beside it. */
function addressOfPlace(event: RowEvent): string | undefined {
  const written = wordsOf(event, 'venue') ?? '';
  return webAddressFrom(written) ?? webAddressFrom(meetingIn(written));
}

/** The venue in a row. If it has no name, its address is the name, or else its city. */
function venueOf(event: RowEvent, settings: DraftSettings): readonly VenueDraft[] | undefined {
  const written = wordsOf(event, 'venue');
  const place = withoutMeeting(written ?? '', () =>
    [written, event.text('description'), event.text('website')].some((text) => meetingIn(text ?? '') !== ''),
  );
  const isOnline = place === '' && (written ?? '') !== '';
  const details = placeDetails(event);
  const name = isNoPlace(place) ? '' : place;
  if (name !== '') return [{ venue: name, ...Object.fromEntries(details), ...besidesPlace(event) }];
  if (!isOnline && settings.defaultVenue !== undefined) return [{ venue: settings.defaultVenue }];
  const standIn = isOnline || settings.columns['venue'] === 'none' ? undefined : details.find(isPlaceName);
  if (!standIn) return written === undefined ? undefined : [];
  const others = details.filter((detail) => detail !== standIn);
  return [{ venue: standIn[1].replace(/\s+/g, ' '), ...Object.fromEntries(others), ...besidesPlace(event) }];
}

type PlaceDetail = readonly [field: 'address' | 'city' | 'state' | 'zip' | 'country', text: string];

const placeDetails = (event: RowEvent): readonly PlaceDetail[] =>
  (['address', 'city', 'state', 'zip', 'country'] as const)
    .map((field) => [field, wordsOf(event, field) ?? ''] as const)
    .filter(([, text]) => text !== '');

const isPlaceName = ([field, text]: PlaceDetail): boolean =>
  (field === 'address' || field === 'city') && !isNoPlace(text) && webAddressFrom(text) === undefined;

/** The organizers in a row. Columns about the organizer belong to a single one; of several, they say not which. */
function organizersOf(event: RowEvent): readonly OrganizerDraft[] | undefined {
  const written = wordsOf(event, 'organizer');
  if (written === undefined) return undefined;
  const names = namesInCell(written, /[;|\n]/);
  const details =
    names.length === 1
      ? filled({
          email: emailIn(wordsOf(event, 'organizer_email') ?? ''),
          phone: phoneFrom(wordsOf(event, 'organizer_phone')),
          website: webAddressFrom(wordsOf(event, 'organizer_website') ?? ''),
        })
      : {};
  return names.map((organizer) => ({ organizer, ...details }));
}

/** What a row says about its place besides name and address. */
const besidesPlace = (event: RowEvent): Partial<VenueDraft> => ({
  ...filled({
    phone: phoneFrom(wordsOf(event, 'venue_phone')),
    website: webAddressFrom(wordsOf(event, 'venue_website') ?? ''),
  }),
  ...coordinatesFrom(event.text('latitude') ?? '', event.text('longitude') ?? ''),
});

const filled = <K extends string>(texts: Readonly<Record<K, string | undefined>>): { readonly [key in K]?: string } =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined && text !== '')) as {
    [key in K]?: string;
  };

const phoneFrom = (text = ''): string => (/\d.*\d/.test(text) ? text.slice(0, PHONE_MAX) : '');
const PHONE_MAX = 100;

function rungsOf(event: RowEvent, fields: EventFields, website: string | undefined): IdentityRungs {
  const uid = event.text('uid') ?? '';
  return {
    uid: uid === '' ? null : uid,
    recurrenceId: event.occurrence,
    url: website === undefined || website === '' ? null : website,
    fingerprint: fingerprintOf(
      lastingTitle(fields.title),
      `${fields.start_date} ${fields.timezone}`,
      wordsOf(event, 'venue') ?? '',
    ),
  };
}
