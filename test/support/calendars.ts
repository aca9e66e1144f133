import fc from 'fast-check';
import type { PublishedEvent, CalendarTime } from '../../src/ical/write/write-event.ts';
import { oneLine } from '../../src/ical/write/write-lines.ts';
import { offsetAt, wallFromInstant } from '../../src/time.ts';

const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(';', ',', '\\', '\n', '\r\n', '"', ':', '^', ' ', '\u2028', '\u0000', '😀', 'ż', 'ö\u0308', '日'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }),
  ),
  maxLength: 60,
});
// ical.js takes the comma after an escaped backslash (`\\\\,`) for an escaped comma.
const category = text.filter((name) => !oneLine(name).endsWith('\\'));
const zones = fc.constantFrom(
  'Europe/Warsaw',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Asia/Kolkata',
  'America/Sao_Paulo',
  'Pacific/Apia',
);
const second = fc.integer({ min: Date.UTC(2000, 0, 1) / 1000, max: Date.UTC(2034, 0, 1) / 1000 });

const times: fc.Arbitrary<{ start: CalendarTime; end?: CalendarTime }> = fc.oneof(
  fc
    .record({ at: second, seconds: fc.integer({ min: 0, max: 900_000 }), zone: zones })
    .map(({ at, seconds, zone }) => spanOf(zoned(at, zone), seconds ? zoned(at + seconds, zone) : undefined)),
  fc
    .record({ at: second, seconds: fc.integer({ min: 0, max: 900_000 }) })
    .map(({ at, seconds }) =>
      spanOf({ kind: 'utc', at: at * 1000 }, seconds ? { kind: 'utc', at: (at + seconds) * 1000 } : undefined),
    ),
  fc
    .record({ at: second, days: fc.integer({ min: 1, max: 30 }) })
    .map(({ at, days }) => spanOf(date(at), date(at + days * 86_400))),
);

const spanOf = (start: CalendarTime, end: CalendarTime | undefined) =>
  end && end.kind !== 'date' && start.kind !== 'date' && end.at <= start.at
    ? { start }
    : { start, ...(end ? { end } : {}) };

const date = (at: number): CalendarTime => ({ kind: 'date', day: new Date(at * 1000).toISOString().slice(0, 10) });

/** A local time with a TZID that every program reads as the same instant, so not near a change of the clocks. */
function zoned(at: number, zone: string): CalendarTime {
  const [wall, instant] = [wallFromInstant(at * 1000, zone), at * 1000];
  const isNearChange = offsetAt(instant - 10_800_000, zone) !== offsetAt(instant + 10_800_000, zone);
  return isNearChange ? zoned(at + 86_400, zone) : { kind: 'zoned', wall, zone, at: instant };
}

/** Events with arbitrary texts. */
export const anyEvent = (uid: string): fc.Arbitrary<PublishedEvent> =>
  fc.record({
    uid: fc.constant(uid),
    sequence: fc.nat(),
    modifiedAt: second.map((at) => at * 1000),
    content: fc
      .record({
        times,
        title: text,
        status: fc.constantFrom('CONFIRMED' as const, 'TENTATIVE' as const, 'CANCELLED' as const),
        description: text,
        descriptionHtml: text,
        location: text,
        contacts: fc.array(text, { maxLength: 2 }),
        categories: fc.array(category, { maxLength: 3 }),
        organizer: fc.record({
          name: text,
          email: fc.constantFrom('a@b.example', 'x+y@b.example', 'not an address', 'a@b\r\nX-EVIL:1'),
        }),
        place: fc.record({
          title: text,
          address: text,
          latitude: fc.double({ min: -95, max: 95, noNaN: true }),
          longitude: fc.double({ min: -180, max: 180, noNaN: true }),
        }),
        url: fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), text),
        image: fc.record({
          url: fc.oneof(fc.webUrl(), text),
          mediaType: fc.constantFrom('image/png', 'x;y', 'image/svg+xml'),
        }),
      })
      .map(({ times: span, ...rest }) => ({ ...rest, ...span })),
  });
