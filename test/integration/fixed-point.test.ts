import { expect, test } from 'vitest';
import { comparable, importedAndExported, exportDifferences, type Exported } from '../support/fixed-point.ts';

const SPAN = { from: Date.UTC(2027, 0, 15, 12), to: Date.UTC(2028, 0, 15) };
const event = (uid: string, ...lines: readonly string[]): readonly string[] => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  'DTSTAMP:20261101T000000Z',
  ...lines,
  'END:VEVENT',
];
const WARSAW = 'DTSTART;TZID=Europe/Warsaw:20270301T180000';
const FEED = `${[
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//test//test//EN',
  ...event(
    'plain',
    WARSAW,
    'DURATION:PT2H',
    'SUMMARY:Jazz\\, blues\\; & “more” \\\\ 1 < 2',
    'DESCRIPTION:Doors at 17:00.\\n\\nBring friends,\\nand & family.',
    'URL:https://jazz.example/?a=1&b=2',
    'CATEGORIES:Music,Late night',
    'LOCATION:Klub "Orzeł"\\, Main Street 1\\, Town',
    'GEO:50.06;19.94',
    'ORGANIZER;CN=Jazz Club:mailto:jazz@club.example',
    'X-COST:10 – 20 zł',
  ),
  ...event(
    'shown',
    WARSAW,
    'SUMMARY:A text of tags',
    'X-ALT-DESC;FMTTYPE=text/html:<p>Write &lt;b&gt;bold&lt;/b&gt; &amp;amp; so on</p>',
  ),
  ...event(
    'html',
    WARSAW,
    'SUMMARY:Formatted',
    'DESCRIPTION:Doors',
    'X-ALT-DESC;FMTTYPE=text/html:<p>Doors <b>open</b> &amp; bar</p><ul><li>one</li></ul>',
    'CONTACT:Jim',
  ),
  ...event('days', 'DTSTART;VALUE=DATE:20270306', 'DTEND;VALUE=DATE:20270309', 'SUMMARY:Three days'),
  ...event('cancelled', WARSAW, 'SUMMARY:Off', 'STATUS:CANCELLED'),
  ...event('tentative', WARSAW, 'SUMMARY:Perhaps', 'STATUS:TENTATIVE'),
  ...event('utc', 'DTSTART:20270301T180000Z', 'SUMMARY:In UTC'),
  ...event(
    'new-york',
    'DTSTART;TZID=America/New_York:20270314T120000',
    'DTEND;TZID=America/New_York:20270314T130000',
    'SUMMARY:New York',
  ),
  ...event('night', 'DTSTART:20271031T013000Z', 'DTEND:20271031T014500Z', 'SUMMARY:In the second of two hours'),
  ...event('series', WARSAW, 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=8', 'SUMMARY:Weekly'),
  ...event('meeting', WARSAW, 'SUMMARY:Online', 'CONFERENCE;VALUE=URI:https://us02web.zoom.us/j/123'),
  ...event(
    'both',
    WARSAW,
    'SUMMARY:Both',
    'URL:https://talk.example/',
    'DESCRIPTION:Come in.',
    'CONFERENCE;VALUE=URI:https://meet.jit.si/Room',
  ),
  'END:VCALENDAR',
].join('\r\n')}\r\n`;

const created = ({ reports }: Exported): number => reports[0]!.created;
const isInUtc = (text: string): boolean => text.includes('SUMMARY:In UTC');

// What is exported, imported into an empty site and exported again is unchanged, with two exceptions. Ids and times of
// change belong to each site. And an instant in UTC is shown in the zone that the calendar names (X-WR-TIMEZONE), as
// the import does for every calendar.
test('an export that is imported into an empty site is exported unchanged', async () => {
  const first = await importedAndExported([{ text: FEED, ...SPAN }], SPAN);
  expect(created(first)).toBe(19);
  const second = await importedAndExported([{ text: first.text, ...SPAN }], SPAN);
  expect(created(second)).toBe(19);
  expect(exportDifferences(first.text, second.text)).toEqual([]);
  expect([first, second].map(({ text }) => comparable(text).find(isInUtc)?.split('\n')[0])).toEqual([
    'DTSTART:20270301T180000Z',
    'DTSTART;TZID=Europe/Warsaw:20270301T190000',
  ]);
  // The comparison notices a changed word, moved events (one of them in UTC), and another description of a zone.
  const changed: readonly (readonly [from: string, to: string])[] = [
    ['SUMMARY:Three days', 'SUMMARY:Four days'],
    ['America/New_York:20270314T12', 'America/New_York:20270314T11'],
    ['20270301T190000', '20270301T190100'],
    ['TZNAME:EST', 'TZNAME:XXX'],
  ];
  for (const [from, to] of changed) {
    const other = second.text.replace(from, to);
    expect(other).not.toBe(second.text);
    expect([from, exportDifferences(first.text, other).length]).toEqual([from, 2]);
  }
  expect(comparable((await importedAndExported([{ text: second.text, ...SPAN }], SPAN)).text)).toEqual(
    comparable(second.text),
  );
});
