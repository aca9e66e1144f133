import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseFeed } from '../../../src/run/parse/parse-feed.ts';
import { ledgerAfter } from '../../../src/sync/event/ledger-after.ts';
import type { FeedRead, SettledEvents } from '../../../src/sync/formats/format.ts';
import {
  coveringRemainder,
  remainderOf,
  linkedNamesWithout,
  type CountedLinkedNames,
  type SettledEvent,
} from '../../../src/sync/model/unread-remainder.ts';
import type { DraftSettings } from '../../../src/sync/model/draft.ts';
import type { LinkedResource } from '../../../src/sync/model/fields.ts';
import type { Json, LedgerEntry, Plan, Policy, SiteEvent } from '../../../src/sync/model/plan.ts';
import { canonical } from '../../../src/sync/model/json.ts';
import { shareNoUid, keepDigestIfSettled, unsettled } from '../../../src/sync/model/settled.ts';
import { toBatches } from '../../../src/sync/model/to-batches.ts';
import { assumedEvents, decidedSlugs, listsNeeded } from '../../../src/sync/plan/assumed-events.ts';
import { planChanges, type PlanInputWithoutSite } from '../../../src/sync/plan/plan-changes.ts';
import { NOW, policyOf } from '../../support/drafts.ts';
import { repetitions } from '../../support/repetitions.ts';
import { SiteModel, storeBeforeWrites } from '../../support/site-model.ts';

// A feed changes over time: events are added, changed, removed and duplicated, time passes, people edit the site, and
// writes are refused. Whenever only a part of the feed is read, the plan from it is the same as from the whole.

const DAY = 86_400_000;

/** A VEVENT, described by what can be odd about it. */
interface Made {
  readonly uid: string;
  readonly day: number;
  readonly title: string;
  readonly lines: readonly string[];
  readonly time: (typeof TIMES)[number];
  /** Which VCALENDAR of the stream it is in. */
  readonly calendar: (typeof CALENDARS)[number];
}

const CALENDARS = [0, 0, 0, 0, 1, 2] as const;

const TIMES = ['zoned', 'zoned', 'zoned', 'zoned', 'zoned', 'zoned', 'utc', 'date', 'floating', 'foreign'] as const;
const LINES = [
  'LOCATION:Hall A\\, Main Street 1',
  'LOCATION:Hall A\\, Sopot',
  'LOCATION:Hall B',
  'CATEGORIES:Music,Jazz',
  'CATEGORIES:jazz',
  'URL:https://example.org/a',
  'DESCRIPTION:Text\r\n  that is folded',
  'ORGANIZER;CN=Club:mailto:club@example.org',
  'ATTACH;FMTTYPE=image/png:https://example.org/a.png',
  'RRULE:FREQ=WEEKLY;COUNT=3',
  'STATUS:CANCELLED',
  'X-APPLE-STRUCTURED-LOCATION;X-TITLE=Hall:geo:54.1,18.2',
  'CONFERENCE;VALUE=URI:https://zoom.us/j/1',
];
const ODD_LINES = [
  'CLASS:PRIVATE',
  'RRULE:FREQ=WEEKLY;COUNT=4',
  'RRULE:FREQ=DAILY',
  'RECURRENCE-ID;TZID=Europe/Warsaw:20270110T180000',
  'DTEND;TZID=Europe/Warsaw:20200101T000000',
  'URL:mailto:nobody',
  'this line has no name',
  'BEGIN:VALARM\r\nTRIGGER:-PT5M\r\nACTION:DISPLAY\r\nEND:VALARM',
  'X-NOTE:one',
  'UID:second@example.org',
];

const UIDS = Array.from({ length: 40 }, (_, index) => `event-${index}@example.org`);
const made: fc.Arbitrary<Made> = fc.record({
  uid: fc.constantFrom(...UIDS, ...UIDS, 'a\\,b@example.org', ''),
  day: fc.integer({ min: -20, max: 70 }),
  title: fc.constantFrom('Jazz', 'Kino', 'Żurek', 'Poetry', 'Talk', 'secret', ''),
  lines: fc.oneof(
    { weight: 8, arbitrary: fc.uniqueArray(fc.constantFrom(...LINES), { maxLength: 2 }) },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_LINES).map((line) => [line]) },
  ),
  time: fc.constantFrom(...TIMES),
  calendar: fc.constantFrom(...CALENDARS),
});
const plain: fc.Arbitrary<Made> = fc.record({
  uid: fc.constantFrom(...UIDS),
  day: fc.integer({ min: 1, max: 50 }),
  title: fc.constantFrom('Jazz', 'Kino', 'Żurek', 'Poetry', 'Talk'),
  lines: fc.uniqueArray(fc.constantFrom(...LINES), { maxLength: 2 }),
  time: fc.constantFrom('zoned', 'zoned', 'zoned', 'zoned', 'utc', 'date'),
  calendar: fc.constantFrom(...CALENDARS),
});

type Edit =
  | { readonly kind: 'add'; readonly event: Made; readonly at: number }
  | { readonly kind: 'drop' | 'swap' | 'stamp' | 'transfer'; readonly at: number }
  | { readonly kind: 'retitle'; readonly at: number; readonly title: string }
  | { readonly kind: 'move'; readonly at: number; readonly days: number }
  | { readonly kind: 'frame' | 'renew' };

const at = fc.nat(30);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      event: fc.oneof({ weight: 6, arbitrary: plain }, { weight: 1, arbitrary: made }),
      at,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('drop' as const, 'swap' as const, 'stamp' as const, 'transfer' as const),
      at,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('retitle' as const),
      at,
      title: fc.constantFrom('Jazz', 'Kino', 'secret', 'New'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('move' as const), at, days: fc.integer({ min: -9, max: 40 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('frame' as const, 'renew' as const) }) },
);

const step = fc.record({
  edits: fc.array(edit, { maxLength: 3 }),
  hours: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 200 })),
  isWhole: fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0),
  isFailed: fc.integer({ min: 0, max: 9 }).map((chance) => chance === 0),
  refused: fc.oneof(fc.constant(-1), fc.nat(5)),
  edited: fc.oneof(fc.constant(-1), fc.nat(20)),
});

const HEADS = [
  '',
  'X-WR-CALNAME:Town',
  'X-WR-TIMEZONE:Europe/Warsaw',
  VTIMEZONE(),
  'X-WR-TIMEZONE:Europe/London',
] as const;

const life = fc.record({
  begin: fc.uniqueArray(plain, { minLength: 6, maxLength: 12, selector: ({ uid }) => uid }),
  odd: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(made, { maxLength: 3 }) }),
  head: fc.constantFrom(...HEADS),
  after: fc.constantFrom(1, 2, 3),
  action: fc.constantFrom('trash', 'keep', 'cancel', 'draft'),
  moreThan: fc.constantFrom(1, 5, 1000),
  steps: fc.array(step, { minLength: 3, maxLength: 12 }),
});

function VTIMEZONE(): string {
  return [
    'BEGIN:VTIMEZONE',
    'TZID:Europe/Warsaw',
    'BEGIN:STANDARD',
    'DTSTART:19701025T030000',
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0100',
    'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
    'END:STANDARD',
    'BEGIN:DAYLIGHT',
    'DTSTART:19700329T020000',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0200',
    'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
    'END:DAYLIGHT',
    'END:VTIMEZONE',
  ].join('\r\n');
}

const digits = (day: number): string => new Date(NOW + day * DAY).toISOString().slice(0, 10).replaceAll('-', '');
const START: Readonly<Record<Made['time'], (day: number) => string>> = {
  zoned: (day) => `DTSTART;TZID=Europe/Warsaw:${digits(day)}T180000`,
  utc: (day) => `DTSTART:${digits(day)}T170000Z`,
  date: (day) => `DTSTART;VALUE=DATE:${digits(day)}`,
  floating: (day) => `DTSTART:${digits(day)}T180000`,
  foreign: (day) => `DTSTART;TZID=Nowhere/Else:${digits(day)}T180000`,
};

const textOf = (events: readonly Made[], head: string, stamp: number): string =>
  [head, 'METHOD:CANCEL', 'X-WR-TIMEZONE:Asia/Tokyo']
    .map((own, calendar) =>
      calendarOf(
        events.filter((event) => event.calendar === calendar),
        own,
        stamp,
      ),
    )
    .join('');

const calendarOf = (events: readonly Made[], head: string, stamp: number): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//test//test//EN',
    ...(head === '' ? [] : [head]),
    ...events.flatMap(({ uid, day, title, lines, time }) => [
      'BEGIN:VEVENT',
      ...(uid === '' ? [] : [`UID:${uid}`]),
      `DTSTAMP:2026110${1 + (stamp % 9)}T000000Z`,
      START[time](day),
      'DURATION:PT1H',
      ...(title === '' ? [] : [`SUMMARY:${title}`]),
      ...lines,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ].join('\r\n');

function edited(events: readonly Made[], change: Edit): readonly Made[] {
  if (change.kind === 'add') return events.toSpliced(change.at % (events.length + 1), 0, change.event);
  // Some programs make new UIDs each time.
  if (change.kind === 'renew')
    return events.map((event, index) => (index % 2 === 0 ? event : { ...event, uid: `new-${event.uid}` }));
  if (!('at' in change) || events.length === 0) return events;
  const index = change.at % events.length;
  const event = events[index]!;
  if (change.kind === 'drop') return events.toSpliced(index, 1);
  if (change.kind === 'transfer') return events.with(index, { ...event, calendar: event.calendar === 1 ? 0 : 1 });
  if (change.kind === 'swap') return [...events.slice(index), ...events.slice(0, index)];
  if (change.kind === 'retitle') return events.with(index, { ...event, title: change.title });
  return change.kind === 'move' ? events.with(index, { ...event, day: event.day + change.days }) : events;
}

const settingsAt = (now: number): DraftSettings =>
  ({
    source: 'library',
    window: { from: now - 3 * DAY, to: now + 60 * DAY },
    timezone: undefined,
    siteTimezone: 'Europe/Warsaw',
    language: 'en',
    everything: false,
    status: 'publish',
    categories: { map: {}, add: [], unknown: 'create' },
    tags: { map: {}, add: [], unknown: 'create' },
    only: [],
    skip: [{ field: 'title', matches: 'secret' }],
    set: [],
    venueAliases: {},
    organizerAliases: {},
    defaultVenue: undefined,
  }) as unknown as DraftSettings;

type Reading = Extract<FeedRead, { kind: 'reading' }>;
function read(text: string, settings: DraftSettings, settled?: SettledEvents, eventsAtOnce?: number): Reading {
  const parsed = parseFeed({
    bytes: Buffer.from(text),
    contentType: 'text/calendar',
    addresses: ['https://example.org/feed.ics'],
    format: 'ical',
    settings,
    ...(settled ? { settled } : {}),
    ...(eventsAtOnce === undefined ? {} : { eventsAtOnce }),
  });
  if (parsed.kind === 'notAFeed') throw new Error(parsed.problem.message);
  return parsed;
}

/** The plan of a run that assumes the site to be as it was left, and looks only at events that it decides about. */
function planned(planning: PlanInputWithoutSite, site: SiteModel, from: number): Plan | null {
  const assumed = assumedEvents(planning.ledger, from, planning.remainder?.count ?? 0);
  if (!assumed) return null;
  const { events, ...all } = site.snapshot();
  const looked = new Map<string, SiteEvent>();
  const asked = new Set<string>();
  const lists = new Set<LinkedResource>();
  for (;;) {
    const shown = Object.fromEntries(
      (['categories', 'tags', 'venues', 'organizers'] as const).map((name) => [name, lists.has(name) ? all[name] : []]),
    ) as unknown as typeof all;
    const plan = planChanges({ ...planning, snapshot: { ...shown, events: new Map([...assumed, ...looked]) } });
    const slugs = decidedSlugs(plan, planning.ledger).filter((slug) => !asked.has(slug));
    const needed = listsNeeded(plan, planning.ledger, looked).filter((name) => !lists.has(name));
    if (slugs.length === 0 && needed.length === 0) return plan;
    for (const slug of slugs) {
      asked.add(slug);
      const event = events.get(slug);
      const entry = planning.ledger.get(slug);
      if (entry && (!event || event.status === 'trash' || entry.state !== 'kept')) return null;
      if (event) looked.set(slug, event);
    }
    for (const name of needed) lists.add(name);
  }
}

/** Events to be written in another frame are no longer settled, because the site may refuse the writes. */
function leaveFrame(plan: Plan, ledger: Map<string, LedgerEntry>): void {
  for (const action of plan.actions) {
    const entry = 'slug' in action ? ledger.get(action.slug) : undefined;
    if (entry) ledger.set(entry.slug, unsettled(entry));
  }
}

/** Carries out a plan, except for the write at one position, which the site refuses. */
function carriedOut(site: SiteModel, plan: Plan, ledger: Map<string, LedgerEntry>, refused: number): void {
  storeBeforeWrites(plan, ledger);
  const refs: Record<string, number> = { ...plan.refs };
  const missing = new Set<string>();
  for (const [index, action] of toBatches(plan.actions)
    .flatMap(({ actions }) => actions)
    .entries()) {
    if (index === refused) {
      if ('ref' in action) missing.add(action.ref);
      continue;
    }
    const sent =
      'slug' in action
        ? {
            ...action,
            fields: Object.fromEntries(
              Object.entries(action.fields).map(([name, value]) => [
                name,
                Array.isArray(value) ? value.filter((ref) => !missing.has(String(ref))) : value,
              ]),
            ),
          }
        : action;
    const outcome = site.perform(sent as typeof action, refs);
    if ('ref' in action && outcome.kind === 'done') refs[action.ref] = outcome.id;
    const change = 'slug' in action ? plan.ledger[action.slug] : undefined;
    const entry = change ? ledgerAfter(change, action, outcome, missing) : null;
    if (entry) ledger.set(entry.slug, keepDigestIfSettled(entry));
  }
}

/** The part of the input that a run has to read, determined as a run does; null if that is the whole. */
function partOf(
  text: string,
  settings: DraftSettings,
  whole: PlanInputWithoutSite,
  frame: string | null,
): PlanInputWithoutSite | null {
  const { from, to } = settings.window;
  const inWindow = (entry: LedgerEntry): boolean =>
    entry.digest !== undefined && entry.startsAt < to && (entry.startsAt >= from || entry.endsAt > from);
  const settled = [...whole.ledger.values()].filter(inWindow);
  if (frame === null || settled.length === 0 || new Set(settled.map(({ uid }) => uid)).size < settled.length)
    return null;
  const { reading, unsettled } = read(text, settings, {
    frame,
    digests: new Map(settled.map(({ uid, digest }) => [uid!, digest!])),
  });
  if (!unsettled) return null;
  const left = settled.filter(({ uid }) => !unsettled.includes(uid!));
  const uids = new Set(left.map(({ uid }) => uid!));
  const ledger = new Map([...whole.ledger].filter(([, entry]) => !left.includes(entry)));
  if (!shareNoUid(ledger.values(), (uid) => uids.has(uid))) return null;
  const named = settled.map(({ fields }): CountedLinkedNames => ({
    fields: Object.fromEntries(
      (['categories', 'tags', 'venue', 'organizer'] as const).map((name) => [name, fields[name]?.feed ?? []]),
    ) as CountedLinkedNames['fields'],
    events: 1,
  }));
  const counted = [...Map.groupBy(named, ({ fields }) => canonical(fields)).values()].flatMap(([first, ...more]) =>
    first ? [{ ...first, events: 1 + more.length }] : [],
  );
  const naming = linkedNamesWithout(counted, [...ledger.values()].filter(inWindow));
  const remainder = remainderOf(left as unknown as readonly SettledEvent[], naming, whole.policy.now);
  return { ...whole, reading: coveringRemainder(reading, remainder), ledger, others: remainder.keys, remainder };
}

const tally = { plans: 0, parts: 0, left: 0 };

test('the plan from the changed part of a feed equals the plan from the whole feed', () => {
  fc.assert(
    fc.property(life, ({ begin, odd, head, after, action, moreThan, steps }) => {
      const site = new SiteModel();
      const ledger = new Map<string, LedgerEntry>();
      let events: readonly Made[] = [...begin, ...odd];
      let frame: string | null = null;
      let calendar: (typeof HEADS)[number] = head;
      let now = NOW;
      let stamp = 0;
      for (const { edits, hours, isWhole, isFailed, refused, edited: by } of steps) {
        const settings = settingsAt(now);
        const text = textOf(events, calendar, stamp);
        const policy: Policy = policyOf({ now, missing: { action, after }, hold: { share: 0.3, moreThan } });
        const { reading, frame: next = null } = read(text, settings);
        const whole: PlanInputWithoutSite = { reading, ledger, policy, others: new Set(), wasEmpty: ledger.size === 0 };
        const assumed = isWhole || ledger.size === 0 ? null : planned(whole, site, settings.window.from);
        const plan = assumed ?? planChanges({ ...whole, snapshot: site.snapshot() });
        tally.plans += 1;
        const part = isWhole ? null : partOf(text, settings, whole, frame);
        const alone = part && planned(part, site, settings.window.from);
        const isPart = part !== null && alone?.rung === 'uid';
        tally.parts += Number(isPart);
        tally.left += isPart ? (part.remainder?.count ?? 0) : 0;
        expect(isPart ? alone : plan).toEqual(plan);
        if (plan.held === null) {
          if (next !== frame) leaveFrame(plan, ledger);
          carriedOut(site, plan, ledger, refused);
          frame = isFailed ? null : next;
        }
        const [person] = site.events.slice(by);
        if (by >= 0 && person && person.status === 'publish')
          site.edit(person.slug, { website: 'https://example.org/mine' });
        for (const change of edits) {
          events = edited(events, change);
          if (change.kind === 'stamp') stamp += 1;
          if (change.kind === 'frame') calendar = HEADS[(HEADS.indexOf(calendar) + 1) % HEADS.length] ?? '';
        }
        now += hours * 3_600_000;
      }
    }),
    { numRuns: repetitions(200) },
  );
  // Otherwise the law proves nothing.
  expect(tally.parts).toBeGreaterThan(tally.plans / 5);
  expect(tally.left).toBeGreaterThan(tally.parts * 2);
});

/** Most of these feeds have events of one kind: only a feed whose parts have the same traits is read in parts. */
const feeds = fc
  .record({
    plain: fc.uniqueArray(plain, { minLength: 6, maxLength: 12, selector: ({ uid }) => uid }),
    odd: fc.oneof(fc.constant([]), fc.array(made, { maxLength: 4 })),
    isOfOneKind: fc.integer({ min: 0, max: 3 }).map((chance) => chance > 0),
    head: fc.constantFrom(...HEADS),
    isMixed: fc.boolean(),
  })
  .map(({ isOfOneKind, ...feed }) => {
    const [{ time, lines } = {}] = isOfOneKind ? feed.plain : [];
    return {
      ...feed,
      plain: feed.plain.map((event) => ({ ...event, time: time ?? event.time, lines: lines ?? event.lines })),
    };
  });

test('reading a feed a few events at a time gives the same as reading it whole', () => {
  let inParts = 0;
  const runs = repetitions(1_000);
  fc.assert(
    fc.property(feeds, ({ plain: own, odd, head, isMixed }) => {
      const text = textOf(isMixed ? [...odd, ...own].toReversed() : [...own, ...odd], head, 0);
      const read3 = read(text, settingsAt(NOW), undefined, 3);
      const whole = read(text, settingsAt(NOW), undefined, 1_000);
      // Only if the feed was read in parts do lists without a defined order differ from those of the whole.
      inParts += Number(!isDeepStrictEqual(read3, whole));
      expect(read3.reading.drafts).toEqual(whole.reading.drafts);
      expect(inAnyOrder(read3)).toEqual(inAnyOrder(whole));
    }),
    { numRuns: runs },
  );
  // Otherwise the law proves nothing.
  expect(inParts).toBeGreaterThan(runs / 4);
});

const sorted = (list: readonly unknown[]): readonly string[] => list.map((each) => canonical(each as Json)).toSorted();

/** A reading whose lists are sorted where their order says nothing. */
const inAnyOrder = ({ reading, ...read }: Reading): object => ({
  ...read,
  reading: {
    ...reading,
    excluded: sorted(reading.excluded),
    outside: sorted(reading.outside),
    unread: sorted(reading.unread),
    problems: sorted(reading.problems),
    wholeSeries: sorted(reading.wholeSeries ?? []),
  },
});
