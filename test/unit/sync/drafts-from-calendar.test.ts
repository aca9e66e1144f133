import { describe, expect, it } from 'vitest';
import { parseCalendar } from '../../../src/ical/read/parse-calendar.ts';
import type { DraftSettings, EventDraft, EventFields, FeedReading } from '../../../src/sync/model/draft.ts';
import { draftsOf } from '../../support/drafts-of.ts';
import { identifyDrafts } from '../../../src/sync/identity/identify-drafts.ts';
import { previewOf } from '../../../src/sync/drafts/preview.ts';
import { instantFromWall } from '../../../src/time.ts';
import { calendarOf, eventOf } from '../../support/read-ical.ts';
import { DRAFT_SETTINGS } from '../../support/draft-settings.ts';

const SETTINGS: DraftSettings = { ...DRAFT_SETTINGS, source: 'library' };
const readingOf = (lines: readonly string[], settings: Partial<DraftSettings> = {}): FeedReading =>
  draftsOf(parseCalendar(calendarOf(...lines)).value, { ...SETTINGS, ...settings });
const START = 'DTSTART;TZID=Europe/Warsaw:20260501T180000';
const draftOf = (lines: readonly string[], settings: Partial<DraftSettings> = {}): EventDraft =>
  readingOf(eventOf(...(lines.some((line) => line.startsWith('DTSTART')) ? [] : [START]), ...lines), settings)
    .drafts[0]!;
const fieldsOf = (lines: readonly string[], settings: Partial<DraftSettings> = {}): EventFields =>
  draftOf(lines, settings).fields;
const codesOf = (lines: readonly string[], settings: Partial<DraftSettings> = {}): readonly string[] =>
  readingOf(eventOf('SUMMARY:x', ...lines), settings).problems.map(({ code }) => code);

describe('times', () => {
  const NEW_YORK = ['DTSTART;TZID=America/New_York:20260501T180000', 'DTEND;TZID=Europe/Warsaw:20260502T020000'];
  it.each<
    readonly [
      string,
      readonly string[],
      Partial<DraftSettings>,
      readonly [start: string, end: string, timezone: string],
    ]
  >([
    [
      'a time with a zone',
      [START, 'DURATION:PT2H'],
      {},
      ['2026-05-01 18:00:00', '2026-05-01 20:00:00', 'Europe/Warsaw'],
    ],
    [
      "UTC is shown in the site's zone where the feed names none",
      ['DTSTART:20260501T180000Z'],
      {},
      ['2026-05-01 20:00:00', '2026-05-01 20:00:00', 'Europe/Warsaw'],
    ],
    [
      "UTC is shown in the source's zone if that has one",
      ['DTSTART:20260501T180000Z'],
      { timezone: 'Europe/Berlin' },
      ['2026-05-01 20:00:00', '2026-05-01 20:00:00', 'Europe/Berlin'],
    ],
    [
      "a floating time is in the site's zone",
      ['DTSTART:20260501T180000'],
      {},
      ['2026-05-01 18:00:00', '2026-05-01 18:00:00', 'Europe/Warsaw'],
    ],
    [
      "a floating time is in the source's zone if that has one",
      ['DTSTART:20260501T180000'],
      { timezone: 'Asia/Tokyo' },
      ['2026-05-01 18:00:00', '2026-05-01 18:00:00', 'Asia/Tokyo'],
    ],
    [
      '24:00 is the beginning of the next day',
      [START, 'DTEND;TZID=Europe/Warsaw:20260501T240000'],
      {},
      ['2026-05-01 18:00:00', '2026-05-02 00:00:00', 'Europe/Warsaw'],
    ],
    [
      "an end in another zone is converted to the start's",
      NEW_YORK,
      {},
      ['2026-05-01 18:00:00', '2026-05-01 20:00:00', 'America/New_York'],
    ],
    [
      'a time that the clocks skip is an hour later',
      ['DTSTART;TZID=Europe/Warsaw:20260329T023000'],
      {},
      ['2026-03-29 03:30:00', '2026-03-29 03:30:00', 'Europe/Warsaw'],
    ],
    [
      'the first of two equal times is sent in UTC',
      ['DTSTART;TZID=Europe/Warsaw:20261025T023000'],
      {},
      ['2026-10-25 00:30:00', '2026-10-25 00:30:00', 'UTC'],
    ],
    [
      'the first of two equal times is sent in UTC west of Greenwich, too',
      ['DTSTART;TZID=America/New_York:20261101T013000', 'DURATION:PT3H'],
      {},
      ['2026-11-01 05:30:00', '2026-11-01 08:30:00', 'UTC'],
    ],
    [
      'an event that ends at the first of two equal times is sent in UTC',
      ['DTSTART;TZID=Europe/Warsaw:20261025T013000', 'DURATION:PT1H'],
      {},
      ['2026-10-24 23:30:00', '2026-10-25 00:30:00', 'UTC'],
    ],
    [
      'an event that begins before the repeated hour and ends after it stays in its zone',
      ['DTSTART;TZID=Europe/Warsaw:20261025T013000', 'DURATION:PT3H'],
      {},
      ['2026-10-25 01:30:00', '2026-10-25 03:30:00', 'Europe/Warsaw'],
    ],
    [
      "a time in UTC stays so if it is in the repeated hour of the site's zone",
      ['DTSTART:20261025T003000Z'],
      {},
      ['2026-10-25 00:30:00', '2026-10-25 00:30:00', 'UTC'],
    ],
    [
      'an event that ends at the second of two equal times is sent in UTC',
      ['DTSTART;TZID=Europe/Warsaw:20261025T013000', 'DURATION:PT2H'],
      {},
      ['2026-10-24 23:30:00', '2026-10-25 01:30:00', 'UTC'],
    ],
    [
      'a single day',
      ['DTSTART;VALUE=DATE:20260501'],
      {},
      ['2026-05-01 00:00:00', '2026-05-01 23:59:59', 'Europe/Warsaw'],
    ],
    [
      'an end on the last day of the year 9999 is brought forward, in its zone',
      [START, 'DTEND:99991231T235959Z'],
      {},
      ['2026-05-01 18:00:00', '9999-12-30 00:00:00', 'Europe/Warsaw'],
    ],
    [
      'days until the end of the year 9999 end on 29 December',
      ['DTSTART;VALUE=DATE:20260501', 'DTEND;VALUE=DATE:99991231'],
      {},
      ['2026-05-01 00:00:00', '9999-12-29 23:59:59', 'Europe/Warsaw'],
    ],
    [
      'times from the year 1 to 9999, which some programs write for "always"',
      ['DTSTART:00010101T000000Z', 'DTEND:99991231T235959Z'],
      {},
      ['0001-01-03 01:24:00', '9999-12-30 01:00:00', 'Europe/Warsaw'],
    ],
    [
      'days from the year 1 to 9999',
      ['DTSTART;VALUE=DATE:00010101', 'DTEND;VALUE=DATE:99991231'],
      {},
      ['0001-01-03 00:00:00', '9999-12-29 23:59:59', 'Europe/Warsaw'],
    ],
    [
      'days across a change of the clocks',
      ['DTSTART;VALUE=DATE:20260328', 'DTEND;VALUE=DATE:20260331'],
      {},
      ['2026-03-28 00:00:00', '2026-03-30 23:59:59', 'Europe/Warsaw'],
    ],
  ])('%s', (_, lines, settings, [start, end, timezone]) => {
    const { fields, startsAt, endsAt } = draftOf(lines, settings);
    expect(fields).toMatchObject({ start_date: start, end_date: end, timezone });
    // Read back, the digits give the same instants: the site shows the event when it happens.
    expect(instantFromWall(start, timezone)).toBe(startsAt);
    expect(instantFromWall(end, timezone) + (fields.all_day ? 1000 : 0)).toBe(endsAt);
  });

  it.each([
    [START, 'DTEND;TZID=Europe/Warsaw:20260501T170000'],
    ['DTSTART;TZID=America/New_York:20260501T180000', 'DTEND;TZID=Europe/Warsaw:20260501T190000'],
    ['DTSTART;VALUE=DATE:20260502', 'DTEND;VALUE=DATE:20260501'],
    [START, 'DTEND;VALUE=DATE:20260430'],
    [START, 'DURATION:-PT1H'],
  ])('an event that ends before it begins is reported: %s %s', (...lines) => {
    expect(readingOf(eventOf('SUMMARY:x', 'RRULE:FREQ=DAILY;COUNT=3', ...lines)).problems).toMatchObject([
      { code: 'end-before-start', where: { line: 4, uid: 'a' } },
    ]);
  });

  it.each([
    [START, 'DTEND:20260501T160000Z'],
    ['DTSTART;VALUE=DATE:20260501', 'DTEND;VALUE=DATE:20260501'],
    [START, 'DTEND;VALUE=DATE:20260501'],
    ['DTSTART;TZID=Europe/Warsaw:20260501T180000', 'DTEND;TZID=America/New_York:20260501T130000'],
  ])('an event that does not end before it begins is not reported: %s %s', (...lines) => {
    expect(codesOf(lines)).toEqual([]);
  });

  it('an unknown zone is reported at its first use', () => {
    const used = eventOf('SUMMARY:x', 'DTSTART;TZID=Nowhere:20260501T180000');
    expect(
      readingOf([...eventOf(START, 'SUMMARY:y'), ...used]).problems.filter(({ code }) => code === 'timezone-unknown'),
    ).toMatchObject([{ where: { line: 9, uid: 'a' } }]);
  });

  it('an ambiguous time is reported, and a floating time unless the source has a zone', () => {
    expect(codesOf(['DTSTART;TZID=Europe/Warsaw:20261025T013000', 'DURATION:PT2H'])).toEqual(['time-ambiguous']);
    expect(codesOf(['DTSTART:20260501T180000'])).toEqual(['timezone-missing']);
    expect(codesOf(['DTSTART:20260501T180000'], { timezone: 'Europe/Warsaw' })).toEqual([]);
  });

  it.each([
    [['DTSTART:soon'], 'DTSTART is not a valid date or time: "soon"; the event was left out.'],
    [['DTSTART:'], 'This event has no DTSTART and was left out.'],
    [['DTSTART:soon', START], 'DTSTART is not a valid date or time: "soon".'],
    [[START, 'DTEND:late'], 'DTEND is not a valid date or time: "late"; the event was given no length.'],
    [[START, 'DTEND:late', 'DURATION:PT1H'], 'DTEND is not a valid date or time: "late"; DURATION counts.'],
  ])('a time that cannot be read is reported with the consequence: %j', (lines, message) => {
    const { problems } = parseCalendar(calendarOf(...eventOf('SUMMARY:x', ...lines)));
    expect(problems.map((problem) => problem.message)).toContain(message);
  });

  it('UTC times are shown in the zone of X-WR-TIMEZONE', () => {
    expect(
      readingOf(['X-WR-TIMEZONE:Europe/Berlin', ...eventOf('DTSTART:20260501T180000Z')]).drafts[0]?.fields,
    ).toMatchObject({ start_date: '2026-05-01 20:00:00', timezone: 'Europe/Berlin' });
  });

  it('UTC times beside zoned ones are reported as shown in UTC, unless the settings decide it', () => {
    const lines = [...eventOf(START, 'SUMMARY:a'), ...eventOf('UID:b', 'SUMMARY:b', 'DTSTART:20260501T180000Z')];
    const told = (settings: Partial<DraftSettings> = {}) =>
      readingOf(lines, settings).problems.map(({ code, message }) => [code, /shown in UTC/.test(message)]);
    expect(told()).toEqual([['times-utc', true]]);
    expect(told({ timezone: 'Europe/Berlin' })).toEqual([]);
    expect(told({ utcTimes: 'utc' })).toEqual([]);
    expect(told({ siteTimezone: 'UTC' })).toEqual([]);
  });

  it.each(['UTC', 'GMT', 'Etc/UTC'])('%s in X-WR-TIMEZONE is not used as the zone to show UTC times in', (name) => {
    const shown = (lines: readonly string[], settings: Partial<DraftSettings> = {}): readonly unknown[] => {
      const { drafts, problems } = readingOf([`X-WR-TIMEZONE:${name}`, ...eventOf(...lines)], settings);
      const { start_date: start, timezone } = drafts[0]!.fields;
      return [start, timezone, problems.some(({ code }) => code === 'times-utc')];
    };
    const utc = 'DTSTART:20260501T180000Z';
    expect(shown([utc])).toEqual(['2026-05-01 20:00:00', 'Europe/Warsaw', true]);
    expect(shown([utc], { timezone: 'UTC' })).toEqual(['2026-05-01 18:00:00', 'UTC', false]);
    expect(shown([utc], { utcTimes: 'utc' })).toEqual(['2026-05-01 18:00:00', 'UTC', false]);
    expect(shown(['DTSTART:20260501T180000'])).toEqual(['2026-05-01 18:00:00', 'UTC', false]);
  });
});

/** The line that Google writes before and after its own section of a description. */
const MARK = `-::~:~::${'~:'.repeat(30)}:~::-`;

describe('descriptions and titles', () => {
  it.each([
    [
      'plain text becomes paragraphs',
      'DESCRIPTION:One\\n\\nTwo <3\\, & more\\nThree',
      '<p>One</p>\n<p>Two &lt;3, &amp; more<br />Three</p>',
    ],
    ['HTML is made safe', 'DESCRIPTION:<p onclick="x()">Hi<script>alert(1)</script></p>', '<p>Hi</p>'],
    ['HTML with line ends keeps them', 'DESCRIPTION:<b>One</b>\\nTwo', '<b>One</b><br />\nTwo'],
    ['a tag that is never closed is text', 'DESCRIPTION:Use <b> in HTML', '<p>Use &lt;b&gt; in HTML</p>'],
    ['entities in plain text are decoded', 'DESCRIPTION:Caf&eacute; &amp; bar', '<p>Café &amp; bar</p>'],
    [
      'an address in angle brackets is text',
      'DESCRIPTION:Questions: HR <hr@example.com>\\nDoors at 9',
      '<p>Questions: HR &lt;hr@example.com&gt;<br />Doors at 9</p>',
    ],
    ['no description', 'X-NOTHING:x', ''],
    [
      "Google's section about a meeting is reduced to how to join it",
      `DESCRIPTION:Service\\n\\n${MARK}\\nMit Google Meet teilnehmen: https://meet.google.com/auo-rdvb-ozt\\n` +
        'Oder einwählen: (DE) +49 30 300195061 PIN: 802331784#\\n\\n' +
        'Weitere Informationen: https://support.google.com/a/users/answer/9282720\\n\\n' +
        'View your event at https://www.google.com/calendar/event?action=VIEW&eid=M2s&tok=MTg.\\n\\n' +
        `Bitte ändern Sie diesen Abschnitt nicht.\\n${MARK}\\n\\nCoffee afterwards`,
      '<p>Service</p>\n<p>Mit Google Meet teilnehmen: https://meet.google.com/auo-rdvb-ozt<br />' +
        'Oder einwählen: (DE) +49 30 300195061 PIN: 802331784#</p>\n<p>Coffee afterwards</p>',
    ],
    [
      "Google's section in HTML is reduced to how to join the meeting",
      `DESCRIPTION:<b>Service</b><br>${MARK}<br>Join: <a href="https://meet.google.com/auo-rdvb-ozt">Meet</a><br>` +
        `Please do not edit this section.<br>${MARK}`,
      '<b>Service</b><br />Join: <a href="https://meet.google.com/auo-rdvb-ozt">Meet</a>',
    ],
    ["Google's line is text if there is only one", `DESCRIPTION:${MARK}`, `<p>${MARK}</p>`],
  ])('%s', (_, line, description) => {
    expect(fieldsOf([line]).description).toBe(description);
  });

  it('takes the HTML alternative unless it is empty', () => {
    expect(
      fieldsOf(['DESCRIPTION:plain', 'X-ALT-DESC;FMTTYPE=text/html:<html><body><p>rich</p></body></html>']).description,
    ).toBe('<p>rich</p>');
    expect(
      fieldsOf(['DESCRIPTION:plain', 'X-ALT-DESC;FMTTYPE=text/html:<html><body><p> </p></body></html>']).description,
    ).toBe('<p>plain</p>');
  });

  it.each([
    [
      'percent-encoded',
      'DESCRIPTION;ALTREP="data:text/html,%3Cp%3ER%C3%BCck%20%3Cb%3Erich%3C%2Fb%3E%3C%2Fp%3E":plain',
      '<p>Rück <b>rich</b></p>',
    ],
    [
      'base64 in another charset',
      'DESCRIPTION;ALTREP="data:text/html;charset=iso-8859-1;base64,PHA+UvxjazwvcD4=":plain',
      '<p>Rück</p>',
    ],
    [
      'without scripts',
      'DESCRIPTION;ALTREP="data:text/html,<p onclick=x()>Hi<script>alert(1)</script></p>":plain',
      '<p>Hi</p>',
    ],
    ['but not broken base64', 'DESCRIPTION;ALTREP="data:text/html;base64,???":plain', '<p>plain</p>'],
    ['but not from another address', 'DESCRIPTION;ALTREP="CID:part3.msg@x.example":plain', '<p>plain</p>'],
    ['but not an image', 'DESCRIPTION;ALTREP="data:image/png;base64,AAAA":plain', '<p>plain</p>'],
  ])('takes the HTML of a data URL in ALTREP: %s', (_, line, description) => {
    expect(fieldsOf([line]).description).toBe(description);
    expect(codesOf([START, line])).toEqual([]);
  });

  it('does not fetch a description from elsewhere, and says so if the feed has no other', () => {
    const lines = [START, 'DESCRIPTION;ALTREP="http://x.example/1.html":'];
    expect(fieldsOf(lines).description).toBe('');
    expect(codesOf(lines)).toEqual(['description-elsewhere']);
    expect(codesOf([...lines, 'X-ALT-DESC;FMTTYPE=text/html:<p>rich</p>'])).toEqual([]);
    expect(
      fieldsOf(['DESCRIPTION:plain', 'STYLED-DESCRIPTION;VALUE=URI;FMTTYPE=text/html:https://x.example/1.html'])
        .description,
    ).toBe('<p>plain</p>');
  });

  it.each([
    ['de', 'Fest', '<p>Alle</p>'],
    ['de-AT', 'Fest', '<p>Alle</p>'],
    ['pl', 'Party', '<p>All</p>'],
    ['en-GB', 'Fête', '<p>All</p>'],
    [undefined, 'Party', '<p>All</p>'],
  ])("of texts in several languages, takes the one in the source's language: %s", (language, title, description) => {
    const lines = [
      'SUMMARY;LANGUAGE=de-DE:Fest',
      'SUMMARY:Party',
      'SUMMARY;LANGUAGE=en-GB:Fête',
      'DESCRIPTION;LANGUAGE=en:All',
      'DESCRIPTION;LANGUAGE=de:Alle',
    ];
    expect(fieldsOf(lines, { language })).toMatchObject({ title, description });
  });

  it.each([
    ['SUMMARY:R&amp\\;D  day', 'R&D day'],
    ['SUMMARY:One\\nTwo', 'One Two'],
    ['SUMMARY:<b>Bold</b> words', 'Bold words'],
    ['SUMMARY:a < b', 'a < b'],
    ['SUMMARY: ', 'Untitled event'],
    ['SUMMARY:\u200b\u00ad', 'Untitled event'],
    ['SUMMARY:Use <b> in HTML', 'Use <b> in HTML'],
    ['SUMMARY:From <b> to </b>: HTML', 'From <b> to </b>: HTML'],
    ['SUMMARY:The <br> tag', 'The <br> tag'],
    ['SUMMARY:Jazz<br>at noon', 'Jazz at noon'],
    ['SUMMARY:<p>One <i>two</i></p>', 'One two'],
    ['SUMMARY:if x<a && a>y', 'if x<a && a>y'],
    ['SUMMARY:&lt;script&gt;', '<script>'],
  ])('the title of %j', (line, title) => {
    expect(fieldsOf([line]).title).toBe(title);
  });

  it('an event without a title is reported', () => {
    expect(readingOf(eventOf(START)).problems).toMatchObject([{ code: 'title-missing', where: { line: 4, uid: 'a' } }]);
  });

  it('a title that says "cancelled" marks its event so, which is reported once per component', () => {
    const series = [START, 'RRULE:FREQ=DAILY;COUNT=3', 'SUMMARY:ABGESAGT: Jazz'];
    const { drafts, problems } = readingOf(eventOf(...series));
    expect(drafts.map(({ fields: { title }, state }) => [title, state])).toEqual(
      ['Jazz', 'Jazz', 'Jazz'].map((title) => [title, 'cancelled']),
    );
    expect(problems).toMatchObject([{ code: 'title-cancelled', where: { line: 4, uid: 'a' } }]);
    expect(readingOf(eventOf(START, 'STATUS:CANCELLED', 'SUMMARY:ABGESAGT: Jazz'))).toMatchObject({
      drafts: [{ fields: { title: 'Jazz' }, state: 'cancelled' }],
      problems: [],
    });
  });
  it('a title that says "cancelled" does not change the fingerprint', () => {
    const [before, after] = ['Jazz', 'CANCELLED: Jazz'].map((title) => draftOf([`SUMMARY:${title}`]).rungs.fingerprint);
    expect(after).toBe(before);
  });
  it('rules see a title that says "cancelled" as it is written', () => {
    const skip = [{ field: 'title' as const, matches: '(?i)^cancelled' }];
    expect(readingOf(eventOf(START, 'SUMMARY:CANCELLED: Jazz'), { skip }).drafts).toEqual([]);
  });

  it('attachments that nobody can open are reported', () => {
    const inline = 'ATTACH;FMTTYPE=application/pdf;ENCODING=BASE64;VALUE=BINARY:JVBERi0x';
    expect(codesOf([START, inline, 'ATTACH:cid:jsmith.part3'])).toEqual(['attachment-unusable']);
    expect(codesOf([START, 'ATTACH:https://x.example/1.pdf', 'ATTACH:'])).toEqual([]);
  });

  it('links beyond the tenth are left out of a description, which is reported', () => {
    const links = Array.from({ length: 11 }, (_, index) => `ATTACH:https://x.example/${index}.pdf`);
    expect(codesOf([START, ...links.slice(1), ...links.slice(1, 2)])).toEqual([]);
    expect(codesOf([START, ...links])).toEqual(['text-cut']);
    expect(readingOf(eventOf(START, ...links)).drafts[0]!.fields.description).not.toContain('/10.pdf');
  });

  it('a title that is too long is cut, which is reported', () => {
    const { drafts, problems } = readingOf(eventOf(START, `SUMMARY:${'long '.repeat(200)}`));
    expect(drafts[0]!.fields.title).toHaveLength(500);
    expect(problems).toMatchObject([{ code: 'text-cut', where: { line: 4, uid: 'a' } }]);
    expect(readingOf(eventOf(START, `SUMMARY:${'x'.repeat(500)}`)).problems).toEqual([]);
  });
});

describe('links', () => {
  it.each<readonly [string, readonly string[], Partial<EventFields>]>([
    ['a web address', ['URL:https://x.example/a?b=1'], { website: 'https://x.example/a?b=1' }],
    [
      'an address with letters that sites accept only when encoded',
      ['URL:https://müller.example/zażółć'],
      { website: 'https://xn--mller-kva.example/za%C5%BC%C3%B3%C5%82%C4%87' },
    ],
    ['no address that is longer than sites accept', [`URL:https://x.example/${'a'.repeat(2048)}`], { website: '' }],
    ['an address without its scheme', ['URL:www.x.example/a'], { website: 'https://www.x.example/a' }],
    ['no address that runs a script', ['URL:javascript:alert(1)'], { website: '' }],
    [
      'the address of a meeting where there is no other',
      ['CONFERENCE;VALUE=URI:https://meet.example/1'],
      { website: 'https://meet.example/1' },
    ],
    [
      'the address of a meeting below the description where there is another',
      ['URL:https://x.example/', 'X-GOOGLE-CONFERENCE:https://meet.example/1'],
      {
        website: 'https://x.example/',
        description: '<p><a href="https://meet.example/1">https://meet.example/1</a></p>',
      },
    ],
    [
      'a web address given as the place is no venue',
      ['LOCATION:https://zoom.example/j/1'],
      { website: 'https://zoom.example/j/1', venue: [] },
    ],
    [
      'the address of a meeting in the description',
      ['DESCRIPTION:Join:\\nhttps://us02web.zoom.us/j/123?pwd=a'],
      { website: 'https://us02web.zoom.us/j/123?pwd=a' },
    ],
    [
      'the address of a meeting before a place, without the comma between them',
      ['LOCATION:https://us02web.zoom.us/j/123?pwd=a.8\\, Main Hall'],
      { website: 'https://us02web.zoom.us/j/123?pwd=a.8' },
    ],
    [
      'not the address of a download',
      ['DESCRIPTION:https://zoom.us/download https://www.webex.com/downloads.html'],
      { website: '' },
    ],
    [
      'the address of a meeting beside a place',
      ['LOCATION:Main Hall or https://meet.google.com/abc-defg-hij'],
      { website: 'https://meet.google.com/abc-defg-hij', venue: [{ venue: 'Main Hall' }] },
    ],
    [
      'the address of a meeting in brackets',
      ['LOCATION:Online (https://zoom.us/j/12345)'],
      { website: 'https://zoom.us/j/12345', venue: [{ venue: 'Online' }] },
    ],
    [
      'the address of a meeting between a place and its street',
      ['LOCATION:Main Hall [Zoom: https://zoom.us/j/12345]\\nStreet 1'],
      { website: 'https://zoom.us/j/12345', venue: [{ venue: 'Main Hall [Zoom]', address: 'Street 1' }] },
    ],
    [
      'the address of a meeting after a word at the end of a line',
      ['LOCATION:Main Hall and: https://zoom.us/j/12345\\nStreet 1'],
      { website: 'https://zoom.us/j/12345', venue: [{ venue: 'Main Hall', address: 'Street 1' }] },
    ],
    [
      "a meeting's name beside its address is no venue",
      [
        'LOCATION:Microsoft Teams Meeting',
        'X-MICROSOFT-SKYPETEAMSMEETINGURL:https://teams.microsoft.com/l/meetup-join/1',
      ],
      { website: 'https://teams.microsoft.com/l/meetup-join/1', venue: [] },
    ],
    [
      "a meeting's name in a list of places is no venue",
      ['LOCATION:Room 5\\; Microsoft Teams-Besprechung', 'DESCRIPTION:https://teams.microsoft.com/l/meetup-join/1'],
      { venue: [{ venue: 'Room 5' }] },
    ],
    [
      "a meeting's name before a place is no venue",
      ['LOCATION:Zoom / Room 5', 'DESCRIPTION:https://zoom.us/j/12345'],
      { venue: [{ venue: 'Room 5' }] },
    ],
    [
      "a meeting's name with a note on where to find its address is no venue",
      ['LOCATION:WebEx (Info Below)', 'DESCRIPTION:https://town.webex.com/town/j.php?MTID=m1'],
      { venue: [] },
    ],
    [
      "a meeting's name with a room is a venue",
      ['LOCATION:Zoom (Room 5)', 'DESCRIPTION:https://zoom.us/j/12345'],
      { venue: [{ venue: 'Zoom (Room 5)' }] },
    ],
    [
      "a meeting's name without an address is a venue",
      ['LOCATION:Microsoft Teams Meeting'],
      { venue: [{ venue: 'Microsoft Teams Meeting' }] },
    ],
    [
      "a name that contains a meeting's name is a venue",
      ['LOCATION:Zoom Erlebniswelt', 'DESCRIPTION:https://zoom.us/j/12345'],
      { venue: [{ venue: 'Zoom Erlebniswelt' }] },
    ],
    [
      'an attached picture',
      ['ATTACH;FMTTYPE=image/jpeg:https://x.example/1', 'ATTACH:https://x.example/plan.pdf'],
      { image: 'https://x.example/1' },
    ],
    [
      'the address of an image keeps its commas and semicolons',
      [`IMAGE;VALUE=URI;FMTTYPE=image/jpeg:${RESIZED}`],
      { image: RESIZED },
    ],
    [
      'the address of an attached picture keeps its commas and semicolons',
      [`ATTACH;FMTTYPE=image/jpeg:${RESIZED}`],
      { image: RESIZED },
    ],
    [
      "Trumba's page of an event, and its picture, which is written as a link",
      [
        'X-TRUMBA-LINK:https://x.example/all?trumbaEmbed=view%3devent%26eventid%3d1',
        'X-TRUMBA-CUSTOMFIELD;NAME="Event image";ID=40;TYPE=Image:<a href="https://x.example/1.png">1.png</a>',
      ],
      { website: 'https://x.example/all?trumbaEmbed=view%3devent%26eventid%3d1', image: 'https://x.example/1.png' },
    ],
    ["Bedework's picture", ['X-BEDEWORK-IMAGE:https://x.example/1.png'], { image: 'https://x.example/1.png' }],
    ["LiveWhale's picture", ['X-LIVEWHALE-IMAGE:https://x.example/1.png'], { image: 'https://x.example/1.png' }],
    [
      'an address that was escaped for HTML',
      ['URL:https://x.example/?a=1&amp;b=2'],
      { website: 'https://x.example/?a=1&b=2' },
    ],
    [
      'the lines that Outlook draws around a meeting are removed',
      [
        String.raw`DESCRIPTION:Bring a cup\n${'_'.repeat(80)}\nMicrosoft Teams\n${'_'.repeat(16)}\nName: ${'_'.repeat(12)}`,
      ],
      { description: `<p>Bring a cup</p>\n<p>Microsoft Teams</p>\n<p>Name: ${'_'.repeat(12)}</p>` },
    ],
    [
      'an attached document is linked by its name below the description',
      [
        'DESCRIPTION:Doors open at eight',
        'ATTACH;FMTTYPE=application/pdf:https://x.example/files/Programme%20May.pdf',
        'ATTACH;FILENAME="Menu & wine";FMTTYPE=application/pdf:https://drive.example/open?id=1',
        'LINK;VALUE=URI;LABEL=Tickets:https://x.example/tickets',
        'ATTACH:https://x.example/files/Programme%20May.pdf',
      ],
      {
        description: [
          '<p>Doors open at eight</p>',
          '<p><a href="https://x.example/files/Programme%20May.pdf">Programme May.pdf</a></p>',
          '<p><a href="https://drive.example/open?id=1">Menu &amp; wine</a></p>',
          '<p><a href="https://x.example/tickets">Tickets</a></p>',
        ].join('\n'),
      },
    ],
    [
      "neither the event's own page nor what the description mentions is linked again",
      [
        'DESCRIPTION:See https://x.example/a.pdf',
        'URL:https://x.example/1',
        'ATTACH:https://x.example/1',
        'ATTACH:https://x.example/a.pdf',
      ],
      {
        description: '<p>See https://x.example/a.pdf</p>',
        website: 'https://x.example/1',
      },
    ],
    [
      'of several pictures, the one for full size is taken',
      [
        'IMAGE;DISPLAY=BADGE;VALUE=URI:https://x.example/s.png',
        'IMAGE;DISPLAY=FULLSIZE;VALUE=URI:https://x.example/l.png',
      ],
      { image: 'https://x.example/l.png' },
    ],
    [
      'IMAGE is preferred to ATTACH',
      ['ATTACH:https://x.example/1.png', 'IMAGE;VALUE=URI:https://x.example/2.png'],
      { image: 'https://x.example/2.png' },
    ],
    [
      'no picture with a file: address',
      ['IMAGE;VALUE=URI:file:///etc/passwd', 'ATTACH:https://x.example/1.png'],
      { image: 'https://x.example/1.png' },
    ],
    ['a price', ['X-COST:12 EUR'], { cost: '12 EUR' }],
    [
      "Trumba's price",
      ['X-TRUMBA-CUSTOMFIELD;NAME="Type";ID=1:Lecture', 'X-TRUMBA-CUSTOMFIELD;NAME="Cost";ID=2:$5\\, free for members'],
      { cost: '$5, free for members' },
    ],
    ["Bedework's price", ['X-BEDEWORK-COST:free'], { cost: 'free' }],
  ])('%s', (_, lines, fields) => {
    expect(fieldsOf(lines)).toMatchObject(fields);
  });

  it('a draft has no image field if the feed has no pictures', () => {
    expect(fieldsOf(['SUMMARY:x'])).not.toHaveProperty('image');
  });
});

describe('categories and tags', () => {
  const LINES = ['CATEGORIES:Concert,Art\\, modern', 'CATEGORIES:concert,Staff'];
  it.each<readonly [string, Partial<DraftSettings>, readonly string[]]>([
    ['all of several lines, each once', {}, ['Concert', 'Art, modern', 'Staff']],
    [
      'mapped and added',
      { categories: { map: { Concert: 'Music' }, add: ['Library'], unknown: 'create' } },
      ['Music', 'Art, modern', 'Staff', 'Library'],
    ],
    [
      'only known ones',
      { categories: { map: { Concert: 'Music' }, add: ['Staff'], unknown: 'ignore' } },
      ['Music', 'Staff'],
    ],
  ])('%s', (_, settings, categories) => {
    expect(fieldsOf(LINES, settings).categories).toEqual(categories);
  });

  it.each<readonly [string, readonly string[]]>([
    ['"Music, live",Talk', ['Music, live', 'Talk']],
    ['"Art\\, modern","Talk"', ['Art, modern', 'Talk']],
    ['Best of "Jazz",The "Hall", north', ['Best of "Jazz"', 'The "Hall"', 'north']],
    ['"",Talk', ['""', 'Talk']],
  ])('names in a list may be quoted: %s', (list, categories) => {
    expect(fieldsOf([`CATEGORIES:${list}`]).categories).toEqual(categories);
  });

  it("adds the source's tags", () => {
    expect(fieldsOf([], { tags: { add: ['imported'] } }).tags).toEqual(['imported']);
  });
});

describe('places and people', () => {
  it('events with the same venue or categories share one object for them', () => {
    const hall = (uid: string): readonly string[] => eventOf(START, `UID:${uid}`, 'LOCATION:Main Hall', 'CATEGORIES:A');
    const [one, other] = readingOf([...hall('1'), ...hall('2')]).drafts;
    expect(one?.fields.venue).toEqual([{ venue: 'Main Hall' }]);
    expect(other?.fields.venue).toBe(one?.fields.venue);
    expect(other?.fields.categories).toBe(one?.fields.categories);
  });
  it.each([
    ['a name', ['LOCATION:Main Hall\\, Street 1'], { venue: 'Main Hall, Street 1' }],
    ['a name that ends in a word like "or"', ['LOCATION:Building O'], { venue: 'Building O' }],
    ['a name that ends in "of"', ['LOCATION:House of'], { venue: 'House of' }],
    [
      'a name and an address in several lines',
      ['LOCATION:Main Hall\\nStreet 1\\n12345 Town', 'GEO:52.2;21.0'],
      { venue: 'Main Hall', address: 'Street 1, 12345 Town', geo_lat: 52.2, geo_lng: 21 },
    ],
    [
      "Apple's location, whose name has quotation marks",
      [
        'LOCATION:Klub "Orzeł"\\, ulica "Długa" 1',
        `X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="ulica 'Długa' 1";X-TITLE="Klub 'Orzeł'":geo:48.1,11.5`,
      ],
      { venue: 'Klub "Orzeł"', address: 'ulica "Długa" 1', geo_lat: 48.1, geo_lng: 11.5 },
    ],
    [
      "Apple's location",
      [
        'LOCATION:Park\\nRoad 2',
        'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-ADDRESS="Road 2\\\\nTown";X-TITLE=Park:geo:48.1,11.5',
      ],
      { venue: 'Park', address: 'Road 2, Town', geo_lat: 48.1, geo_lng: 11.5 },
    ],
    [
      "Apple's location, whose name has the address below it",
      [
        'LOCATION:Opera\\nRoad 2\\, Town',
        'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE="Opera\\\\nRoad 2, Town":geo:48.1,11.5',
      ],
      { venue: 'Opera', address: 'Road 2, Town', geo_lat: 48.1, geo_lng: 11.5 },
    ],
    [
      "Apple's location alone, whose name has the address below it",
      ['X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE="Opera\\nRoad 2, Town":geo:48.1,11.5'],
      { venue: 'Opera', address: 'Road 2, Town', geo_lat: 48.1, geo_lng: 11.5 },
    ],
    ['a name of one digit', ['LOCATION:5'], { venue: '5' }],
    [
      'HTML, read as the text that a page shows',
      ['LOCATION:<div class="x"><a href="https://x.example/1">Town Hall</a><br />Street 1</div>'],
      { venue: 'Town Hall', address: 'Street 1' },
    ],
    ['a VLOCATION', ['BEGIN:VLOCATION', 'UID:v', 'NAME:The Hall', 'END:VLOCATION'], { venue: 'The Hall' }],
    [
      'a VLOCATION with coordinates',
      [
        'LOCATION:Out there',
        'BEGIN:VLOCATION',
        'UID:v',
        'NAME:The Hall',
        'GEO:52;21',
        'URL:https://hall.example/',
        'END:VLOCATION',
      ],
      { venue: 'The Hall', address: 'Out there', website: 'https://hall.example/', geo_lat: 52, geo_lng: 21 },
    ],
    [
      'the VLOCATION that is not for parking',
      [
        'BEGIN:VLOCATION',
        'NAME:Car park',
        'LOCATION-TYPE:parking',
        'END:VLOCATION',
        'BEGIN:VLOCATION',
        'NAME:The Hall',
        'END:VLOCATION',
      ],
      { venue: 'The Hall' },
    ],
    [
      'the VLOCATION that LOCATION names',
      [
        'LOCATION:The Hall\\nStreet 1',
        'BEGIN:VLOCATION',
        'NAME:Green Room',
        'END:VLOCATION',
        'BEGIN:VLOCATION',
        'NAME:The Hall',
        'END:VLOCATION',
      ],
      { venue: 'The Hall', address: 'Street 1' },
    ],
    [
      'a train station, if there is no other VLOCATION',
      ['BEGIN:VLOCATION', 'NAME:Station', 'LOCATION-TYPE:train-station', 'END:VLOCATION'],
      { venue: 'Station' },
    ],
    [
      'a VVENUE',
      ['BEGIN:VVENUE', 'NAME:The Hall', 'STREET-ADDRESS:Street 1', 'LOCALITY:Town', 'POSTAL-CODE:12345', 'END:VVENUE'],
      { venue: 'The Hall', address: 'Street 1', city: 'Town', zip: '12345' },
    ],
  ])('%s', (_, lines, venue) => {
    expect(fieldsOf(lines).venue).toEqual([venue]);
  });

  it.each<[string, readonly string[], readonly object[]]>([
    [
      'LibCal, which names the same person twice',
      ['ORGANIZER;CN="Ann":MAILTO:ann@x.example', 'CONTACT;CN="Ann":MAILTO:ann@x.example'],
      [{ organizer: 'Ann', email: 'ann@x.example' }],
    ],
    [
      'a contact whose value is a telephone number',
      ['CONTACT;CN="John Smith":tel:+1-617-555-1234'],
      [{ organizer: 'John Smith', phone: '+1-617-555-1234' }],
    ],
    [
      "CiviCRM, whose contact is the organizer's address",
      ['ORGANIZER;CN=Ann:MAILTO:ann@x.example', 'CONTACT:ann@x.example'],
      [{ organizer: 'Ann', email: 'ann@x.example' }],
    ],
    [
      'The Events Calendar, which percent-encodes names',
      ['ORGANIZER;CN="F%C3%B6rderverein%20Jazz":MAILTO:a@x.example'],
      [{ organizer: 'Förderverein Jazz', email: 'a@x.example' }],
    ],
    [
      'a name with a percent sign',
      ['ORGANIZER;CN="100%25 Jazz":MAILTO:a@x.example'],
      [{ organizer: '100%25 Jazz', email: 'a@x.example' }],
    ],
  ])('the organizer: %s', (_, lines, organizers) => expect(fieldsOf(lines).organizer).toEqual(organizers));

  it.each(['-', '–', '???', '...', 'n/a'])('a place written as %s is no venue', (location) => {
    expect(fieldsOf([`LOCATION:${location}`]).venue).toEqual([]);
  });

  it.each([
    ['by its UID', 'LOCATION;VVENUE=v1:Somewhere'],
    ['by its UID, quoted', 'LOCATION;VENUE-UID="v1":Somewhere'],
    ['by its name', 'LOCATION:The Hall'],
    ['by the name before an @', 'LOCATION:The Hall @ Street 1\\, Town'],
  ])('a VVENUE beside the events is found %s', (_, location) => {
    const venue = [
      'BEGIN:VVENUE',
      'UID:v1',
      'NAME:The Hall',
      'ADDRESS:Street 1',
      'CITY:Town',
      'POSTALCODE:12345',
      'TEL:tel:+48-22-555-11-22',
      'END:VVENUE',
    ];
    const of = (lines: readonly string[]): unknown =>
      readingOf([...eventOf(START, location), ...lines]).drafts[0]?.fields.venue;
    expect(of(venue)).toEqual([
      { venue: 'The Hall', address: 'Street 1', city: 'Town', zip: '12345', phone: '+48-22-555-11-22' },
    ]);
    expect(of(venue.map((line) => line.replace('v1', 'v2').replace('The Hall', 'Another')))).not.toMatchObject([
      { city: 'Town' },
    ]);
  });

  it("the source's venue stands in for a missing one", () => {
    expect(fieldsOf([], { defaultVenue: 'Main Library' }).venue).toEqual([{ venue: 'Main Library' }]);
    expect(fieldsOf(['LOCATION:https://zoom.us/j/12345'], { defaultVenue: 'Main Library' }).venue).toEqual([]);
    expect(fieldsOf([]).venue).toEqual([]);
  });

  it.each([
    [
      'a name and an address',
      ['ORGANIZER;CN="Friends, of music":mailto:friends@x.example'],
      [{ organizer: 'Friends, of music', email: 'friends@x.example' }],
    ],
    [
      'an address alone',
      ['ORGANIZER:MAILTO:friends@x.example'],
      [{ organizer: 'friends@x.example', email: 'friends@x.example' }],
    ],
    ['the address of a calendar is no organizer', ['ORGANIZER:mailto:abc@group.calendar.google.com'], []],
    [
      'a contact with a phone number',
      ['CONTACT:Jim Dolittle\\, ABC Industries\\, +1-919-555-1234'],
      [{ organizer: 'Jim Dolittle, ABC Industries', phone: '+1-919-555-1234' }],
    ],
    ['a contact with a comma', ['CONTACT:Smith\\, Jones & Co'], [{ organizer: 'Smith, Jones & Co' }]],
    ['a contact with a semicolon', ['CONTACT:University\\; Dept. A'], [{ organizer: 'University; Dept. A' }]],
    ['a contact with a street address', ['CONTACT:Smith\\, Main Street 5\\, Springfield'], [{ organizer: 'Smith' }]],
    [
      'a contact whose number comes first',
      ['CONTACT:+1-919-555-1234\\, Smith | Jones\\, https://smith.example'],
      [{ organizer: 'Smith | Jones', phone: '+1-919-555-1234' }],
    ],
    [
      'a contact that completes the organizer',
      ['ORGANIZER;CN=Jim:mailto:jim@x.example', 'CONTACT:Jim\\, jim@x.example\\, +1-919-555-1234'],
      [{ organizer: 'Jim', email: 'jim@x.example', phone: '+1-919-555-1234' }],
    ],
    [
      'a contact with a label before its number',
      ['CONTACT:Box office\\, tel. +48 22 123 45 67'],
      [{ organizer: 'Box office', phone: '+48 22 123 45 67' }],
    ],
    [
      'a contact with labels before its number and its address',
      ['CONTACT:Ann Doe tel.: 22 123 45 67\\, e-mail: ann@x.example'],
      [{ organizer: 'Ann Doe', email: 'ann@x.example', phone: '22 123 45 67' }],
    ],
    [
      'a contact whose name ends in such a label',
      ['CONTACT:Royal Mail\\, +44 20 7946 0000'],
      [{ organizer: 'Royal Mail', phone: '+44 20 7946 0000' }],
    ],
    // With backtracking over every way to read these, this would take days.
    [
      'a contact with very many labels',
      [`CONTACT:Ann${' phone:::::'.repeat(17)} Doe`],
      [{ organizer: `Ann${' phone:::::'.repeat(17)} Doe` }],
    ],
    ['a contact with a no-reply address', ['CONTACT:Box office <noreply@x.example>'], [{ organizer: 'Box office' }]],
    [
      'an organizer who is also the contact, once',
      ['ORGANIZER;CN=Jim:mailto:jim@x.example', 'CONTACT:jim'],
      [{ organizer: 'Jim', email: 'jim@x.example' }],
    ],
  ])('%s', (_, lines, organizer) => {
    expect(fieldsOf(lines).organizer).toEqual(organizer);
  });
  it.each([
    'Jim Doe <jim@x.example>',
    'Jim Doe &lt\\;mailto:jim@x.example&gt\\;',
    'Jim Doe (jim@x.example)',
    'Jim Doe\\, jim@x.example',
    '<a href="mailto:jim@x.example">Jim Doe</a>',
  ])('a contact with an email address: %s', (contact) =>
    expect(fieldsOf([`CONTACT:${contact}`]).organizer).toEqual([{ organizer: 'Jim Doe', email: 'jim@x.example' }]),
  );
});

describe('what is published', () => {
  it.each([
    ['CLASS:PRIVATE', 'private in the feed (CLASS)'],
    ['CLASS:CONFIDENTIAL', 'confidential in the feed (CLASS)'],
    ['SUMMARY:Busy', 'shows only that someone is busy'],
  ])('%s is left out', (line, because) => {
    const reading = readingOf(eventOf(START, ...(line.startsWith('SUMMARY') ? [] : ['SUMMARY:x']), line));
    expect(reading).toMatchObject({ drafts: [], excluded: [{ because, rungs: { uid: 'a' } }] });
    expect(readingOf(eventOf(START, 'SUMMARY:x', line), { everything: true }).drafts).toHaveLength(1);
  });

  it('"only" lets events through, and "skip" leaves them out', () => {
    const lines = [
      ...eventOf('UID:a', START, 'SUMMARY:Jazz night'),
      ...eventOf('UID:b', START, 'SUMMARY:Jazz for staff', 'CATEGORIES:Staff'),
      ...eventOf('UID:c', START, 'SUMMARY:Chess'),
    ];
    const reading = readingOf(lines, {
      only: [{ field: 'title', matches: '(?i)JAZZ' }],
      skip: [{ field: 'categories', matches: '^Staff$' }],
    });
    expect(reading.drafts.map(({ rungs }) => rungs.uid)).toEqual(['a']);
    expect(reading.excluded.map(({ rungs }) => rungs.uid)).toEqual(['b', 'c']);
  });

  it.each([
    ['STATUS:CANCELLED', 'cancelled'],
    ['STATUS:TENTATIVE', 'tentative'],
    ['STATUS:CONFIRMED', 'confirmed'],
  ])('%s gives the state %s', (line, state) => {
    expect(draftOf([line]).state).toBe(state);
  });

  it('METHOD:CANCEL cancels the events', () => {
    expect(readingOf(['METHOD:CANCEL', ...eventOf(START, 'SUMMARY:x')]).drafts[0]?.state).toBe('cancelled');
  });

  it.each([
    ['METHOD:CANCEL', 'METHOD:PUBLISH', ['cancelled', 'confirmed']],
    ['METHOD:PUBLISH', 'METHOD:CANCEL', ['confirmed', 'cancelled']],
    ['METHOD:CANCEL', 'X-NOTE:no method', ['cancelled', 'confirmed']],
  ])('%s in one VCALENDAR and %s in the next apply only to their own events', (first, second, states) => {
    const feed =
      calendarOf(first, ...eventOf('UID:c', START, 'SUMMARY:c')) +
      calendarOf(second, ...eventOf('UID:d', START, 'SUMMARY:d', 'STATUS:CONFIRMED'));
    expect(draftsOf(parseCalendar(feed).value, SETTINGS).drafts.map(({ state }) => state)).toEqual(states);
  });

  it('times in UTC are shown in the zone that their own VCALENDAR names', () => {
    const named = ['Europe/Berlin', 'America/New_York'].map((zone) =>
      calendarOf(`X-WR-TIMEZONE:${zone}`, ...eventOf(`UID:${zone}`, 'DTSTART:20260501T160000Z', 'SUMMARY:x')),
    );
    const { drafts } = draftsOf(parseCalendar(named.join('')).value, SETTINGS);
    expect(drafts.map(({ fields }) => [fields.start_date, fields.timezone])).toEqual([
      ['2026-05-01 12:00:00', 'America/New_York'],
      ['2026-05-01 18:00:00', 'Europe/Berlin'],
    ]);
  });

  it('an instance that METHOD:CANCEL cancels keeps the title of its series', () => {
    const feed =
      calendarOf(...eventOf(START, 'SUMMARY:Choir', 'RRULE:FREQ=DAILY;COUNT=2')) +
      calendarOf('METHOD:CANCEL', ...eventOf('RECURRENCE-ID;TZID=Europe/Warsaw:20260502T180000'));
    const { drafts } = draftsOf(parseCalendar(feed).value, SETTINGS);
    expect(drafts.map(({ state, fields }) => [state, fields.title])).toEqual([
      ['confirmed', 'Choir'],
      ['cancelled', 'Choir'],
    ]);
  });

  it('a bare cancellation keeps the title and the length of its series', () => {
    const { drafts } = readingOf([
      ...eventOf(START, 'SUMMARY:Choir', 'DURATION:PT1H', 'RRULE:FREQ=DAILY;COUNT=2'),
      ...eventOf('RECURRENCE-ID;TZID=Europe/Warsaw:20260502T180000', 'STATUS:CANCELLED'),
    ]);
    expect(drafts.map(({ state, fields }) => [state, fields.title, fields.end_date])).toEqual([
      ['confirmed', 'Choir', '2026-05-01 19:00:00'],
      ['cancelled', 'Choir', '2026-05-02 19:00:00'],
    ]);
  });

  it('a cancellation with times and a description keeps the other fields of its series', () => {
    const { drafts, problems } = readingOf([
      ...eventOf(START, 'SUMMARY:Choir', 'LOCATION:Hall', 'CATEGORIES:Music', 'RRULE:FREQ=DAILY;COUNT=2'),
      ...eventOf(
        'RECURRENCE-ID;TZID=Europe/Warsaw:20260502T180000',
        'DTSTART;TZID=Europe/Warsaw:20260502T200000',
        'DTEND;TZID=Europe/Warsaw:20260502T210000',
        'DESCRIPTION:The conductor is ill.',
        'STATUS:CANCELLED',
      ),
    ]);
    const { start_date, end_date, title, venue, categories, description } = drafts[1]?.fields ?? {};
    expect([drafts[1]?.state, start_date, end_date, title, venue, categories, description]).toEqual([
      'cancelled',
      '2026-05-02 20:00:00',
      '2026-05-02 21:00:00',
      'Choir',
      [{ venue: 'Hall' }],
      ['Music'],
      '<p>The conductor is ill.</p>',
    ]);
    expect(problems).toEqual([]);
  });

  it('a cancellation lists the fields that it leaves out, and rules do not judge one without a title', () => {
    const bare = readingOf(eventOf(START, 'UID:a', 'STATUS:CANCELLED'), {
      only: [{ field: 'title', matches: 'Jazz' }],
    });
    expect(bare.drafts[0]?.unsaid).toEqual([
      'title',
      'tags',
      'categories',
      'venue',
      'description',
      'website',
      'image',
      'organizer',
    ]);
    expect(bare.problems).toEqual([]);
    const named = draftOf(['SUMMARY:Jazz', 'LOCATION:Hall', 'CATEGORIES:Music', 'STATUS:CANCELLED']);
    expect(named.unsaid).toEqual(['description', 'website', 'image', 'organizer']);
    expect(draftOf(['SUMMARY:Jazz']).unsaid).toBeUndefined();
  });
});

const RESIZED = 'https://res.example/image/upload/c_fill,w_300,h_200;q_auto/sample.jpg';

describe('identity', () => {
  it("an instance is identified by its time in the series' zone, whatever zone its override uses", () => {
    const { drafts } = readingOf([
      ...eventOf(START, 'SUMMARY:x', 'RRULE:FREQ=DAILY;COUNT=2'),
      ...eventOf('RECURRENCE-ID:20260502T160000Z', 'DTSTART:20260502T170000Z', 'SUMMARY:moved'),
    ]);
    expect(drafts.map(({ rungs }) => rungs.recurrenceId)).toEqual(['20260501T180000', '20260502T180000']);
  });

  it('a single event has a UID, an address and a fingerprint', () => {
    expect(draftOf(['SUMMARY:Chess!', 'LOCATION:Hall', 'URL:https://x.example/']).rungs).toEqual({
      uid: 'a',
      recurrenceId: null,
      url: 'https://x.example/',
      fingerprint: 'chess|2026 05 01 18 00 00 europe warsaw|hall',
    });
    expect(readingOf(['BEGIN:VEVENT', START, 'SUMMARY:x', 'END:VEVENT']).drafts[0]?.rungs).toMatchObject({
      uid: null,
      url: null,
    });
  });

  describe('a UID that is written with escapes', () => {
    const TALK = ['UID:tag:events.example\\,2008:Instance_1', 'SUMMARY:Talk'];

    it('is shown without them', () => {
      expect(previewOf(draftOf(TALK)).uid).toBe('tag:events.example,2008:Instance_1');
      expect(previewOf(draftOf(['UID:a\\;b\\\\c\\nd\\e'])).uid).toBe('a;b\\c d\\e');
      expect(readingOf(eventOf('UID:a\\,b', 'DTSTART:soon')).unread).toMatchObject([{ uid: 'a,b' }]);
    });

    it('is compared by rules without them', () => {
      expect(
        readingOf(eventOf(START, ...TALK), { skip: [{ field: 'uid', matches: '^tag:events\\.example,2008:' }] }),
      ).toMatchObject({ drafts: [], excluded: [{ uid: 'tag:events.example,2008:Instance_1' }] });
    });

    it('gives the same key as ever, so that its event keeps its page', () => {
      const { value } = identifyDrafts({
        drafts: [draftOf(TALK)],
        ledger: new Map(),
        source: 'library',
        rung: 'uid',
        now: 0,
      });
      expect(value.map(({ slug }) => slug)).toEqual(['talk-w4mpzsf3ccyw4w']);
    });

    it('is the same as the UID without them', () => {
      const series = eventOf(START, 'UID:a\\,b', 'SUMMARY:x', 'RRULE:FREQ=DAILY;COUNT=3');
      const { drafts, wholeSeries } = readingOf([
        ...series,
        ...eventOf(
          'UID:a,b',
          'SUMMARY:x',
          'RECURRENCE-ID;TZID=Europe/Warsaw:20260502T180000',
          'DTSTART;TZID=Europe/Warsaw:20260502T200000',
        ),
      ]);
      expect(drafts.map(({ fields }) => fields.start_date)).toEqual([
        '2026-05-01 18:00:00',
        '2026-05-02 20:00:00',
        '2026-05-03 18:00:00',
      ]);
      expect(wholeSeries).toEqual(['a\\,b', 'a,b']);
    });
  });

  it('a reading lists what is outside the window and what is unread, and says how far the feed goes', () => {
    const reading = readingOf([
      ...eventOf('UID:past', 'DTSTART:20200501T100000Z', 'SUMMARY:x'),
      ...eventOf('UID:bad', 'DTSTART:soon'),
      ...eventOf('UID:now', START, 'SUMMARY:x'),
    ]);
    expect(reading).toMatchObject({
      outside: ['past'],
      unread: [{ line: 9, uid: 'bad' }],
      coversUntil: Date.UTC(2026, 4, 1, 16),
    });
    expect(reading.drafts.map(({ rungs, where }) => [rungs.uid, where.line])).toEqual([['now', 13]]);
  });

  it('an event that is still going on when the window begins is read', () => {
    expect(
      readingOf(eventOf('DTSTART;VALUE=DATE:20251001', 'DTEND;VALUE=DATE:20260201', 'SUMMARY:Exhibition')).drafts,
    ).toHaveLength(1);
  });
});
