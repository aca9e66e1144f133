import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { differenceOf } from '../../../src/sync/review/difference.ts';
import { feedDifference, LINES_MAX } from '../../../src/sync/review/feed-difference.ts';
import { feedRows } from '../../../src/sync/review/feed-rows.ts';
import { markedWords } from '../../../src/sync/review/marked-words.ts';
import { planDifference, planDifferenceInWords } from '../../../src/sync/review/plan-difference.ts';
import type { EventAction } from '../../../src/sync/model/plan.ts';
import { calendarText, feedEvents } from '../../support/feed-text.ts';
import { repetitions } from '../../support/repetitions.ts';

// What differs: between two texts, two states of a feed, two plans.

const series = (until: string, stamp: string): string =>
  [
    'BEGIN:VCALENDAR',
    'BEGIN:VEVENT',
    'UID:a',
    `DTSTAMP:${stamp}`,
    'DTSTART:20270102T180000Z',
    'SUMMARY:A play of',
    '  three hours',
    'RRULE:FREQ=WEEKLY;',
    ` UNTIL=${until}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');

const removal = (slug: string): EventAction => ({
  kind: 'remove',
  resource: 'events',
  slug,
  id: 1,
  title: slug,
  how: 'trash',
  fields: {},
  before: {},
  because: '',
});
const creation = (slug: string, title = slug): EventAction => ({
  kind: 'create',
  resource: 'events',
  slug,
  title,
  fields: { title },
  because: '',
});

describe('two lists', () => {
  const list = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'), { maxLength: 12 });

  test('are split into stretches that make up both, and those called the same are the same in both', () => {
    const seen = { same: 0, differs: 0 };
    fc.assert(
      fc.property(list, list, (before, after) => {
        const stretches = differenceOf(before, after);
        expect(stretches.flatMap((each) => each.before)).toEqual(before);
        expect(stretches.flatMap((each) => each.after)).toEqual(after);
        for (const each of stretches) {
          seen[each.kind] += 1;
          expect(each.kind === 'differs' || each.before.join() === each.after.join()).toBe(true);
          expect(before.slice(each.at.before, each.at.before + each.before.length)).toEqual(each.before);
          expect(after.slice(each.at.after, each.at.after + each.after.length)).toEqual(each.after);
        }
        expect(before.join('') !== after.join('') || stretches.every(({ kind }) => kind === 'same')).toBe(true);
      }),
      { numRuns: repetitions(5_000) },
    );
    expect(Math.min(seen.same, seen.differs)).toBeGreaterThan(100);
  });

  test('of a hundred thousand lines each, however they differ, are compared', () => {
    const lines = Array.from({ length: 100_000 }, (_, index) => `line ${index}`);
    expect(differenceOf(lines, lines.toReversed()).length).toBeGreaterThan(0);
    expect(
      differenceOf(
        lines,
        lines.map((line, index) => (index % 2 === 0 ? line : 'x')),
      ),
    ).toHaveLength(100_000);
    expect(
      differenceOf(
        lines.map(() => 'a'),
        lines.map((_, index) => 'ab'[index % 2] ?? ''),
      ),
    ).toHaveLength(2);
  });
});

describe('words', () => {
  test.each([
    [
      'Waltzes and polkas. Doors open at 21:15.',
      'Waltzes and film music. Doors open at 21:15.',
      'Waltzes and [-polkas-][+film music+]. Doors open at 21:15.',
    ],
    [
      'RRULE:FREQ=WEEKLY;UNTIL=20270626T215959Z',
      'RRULE:FREQ=WEEKLY;UNTIL=20270228T215959Z',
      'RRULE:FREQ=WEEKLY;UNTIL=[-20270626-][+20270228+]T215959Z',
    ],
    ['60 zł', '75 zł', '[-60-][+75+] zł'],
    ['A text', 'Something else', '[-A text-][+Something else+]'],
    ['', 'New', '[+New+]'],
    ['The same', 'The same', 'The same'],
  ])('that differ between “%s” and “%s” are marked', (before, after, marked) => {
    const show = {
      same: (text: string) => text,
      gone: (text: string) => `[-${text}-]`,
      come: (text: string) => `[+${text}+]`,
    };
    expect(
      markedWords(before, after)
        .map(({ kind, text }) => show[kind](text))
        .join(''),
    ).toBe(marked);
  });

  test('make up both texts', () =>
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), fc.string({ maxLength: 30 }), (before, after) => {
        const marked = markedWords(before, after);
        const without = (kind: string): string =>
          marked
            .filter((each) => each.kind !== kind)
            .map(({ text }) => text)
            .join('');
        expect(without('come')).toBe(before);
        expect(without('gone')).toBe(after);
      }),
      { numRuns: repetitions(2_000) },
    ));
});

describe('two states of a feed', () => {
  test('differ in the line that shortens a series, not in their stamps', () => {
    expect(
      feedDifference(series('20270626T215959Z', '20261101T000000Z'), series('20270228T215959Z', '20261102T000000Z')),
    ).toEqual({
      lines: [
        {
          line: 8,
          before: 'RRULE:FREQ=WEEKLY;UNTIL=20270626T215959Z',
          after: 'RRULE:FREQ=WEEKLY;UNTIL=20270228T215959Z',
        },
      ],
      changed: 1,
      gone: 0,
      come: 0,
      stamps: 1,
    });
  });

  test('differ in whole events: the first lines are listed, and all are counted', () => {
    const [all, cut] = [feedEvents(40), feedEvents(20)].map(calendarText);
    const difference = feedDifference(all ?? '', cut ?? '');
    expect(difference?.lines).toHaveLength(LINES_MAX);
    expect(difference?.lines.every(({ after }) => after === null)).toBe(true);
    expect(difference).toMatchObject({ changed: 0, come: 0 });
    expect(difference?.gone).toBeGreaterThan(LINES_MAX);
  });

  test('differ in rows, and in the middle of a long line', () => {
    const long = 'x'.repeat(5_000);
    const difference = feedDifference(`title,text\nA,${long}1${long}\nB,b\n`, `title,text\nA,${long}2${long}\nB,b\n`);
    expect(difference?.lines).toMatchObject([
      {
        line: 2,
        before: expect.stringMatching(/^…x+1x+…$/) as string,
        after: expect.stringMatching(/^…x{60}2x+…$/) as string,
      },
    ]);
  });

  test('that are too long are not compared', () => expect(feedDifference('a'.repeat(4_000_001), '')).toBeNull());
});

describe('two plans', () => {
  const removals = (from: number, to: number): EventAction[] =>
    Array.from({ length: to - from }, (_, index) => removal(`r${from + index}`));

  test.each<[string, readonly EventAction[], readonly EventAction[], string]>([
    [
      'fewer removals, more changes',
      removals(0, 17),
      [...removals(0, 4), creation('a'), creation('b')],
      'The new plan would remove 4 events, not 17, and add 2 events, not 0; 13 are back, and 2 changes are new.',
    ],
    [
      'other events',
      removals(0, 4),
      removals(2, 6),
      'The new plan has as many changes; 2 are back, and 2 changes are new.',
    ],
    ['another title', [creation('a')], [creation('a', 'b')], 'The new plan has as many changes; 1 differs.'],
    ['the same', removals(0, 4), removals(0, 4), 'The new plan does the same.'],
    [
      'nothing',
      [...removals(0, 1), creation('a')],
      [],
      'The new plan would remove no events, not 1, and add no events, not 1; 1 is back, and 1 change is no longer needed.',
    ],
  ])('with %s', (_, before, after, said) => expect(planDifferenceInWords(planDifference(before, after))).toBe(said));
});

const rowsOf = (before: string, after: string): readonly string[] =>
  (feedRows(before, after) ?? []).map((row) =>
    row.kind === 'left-out'
      ? `… ${row.count}`
      : `${row.kind} ${row.before?.number ?? '-'} ${row.after?.number ?? '-'} ${(row.after ?? row.before)?.text}`,
  );

describe('two feeds side by side', () => {
  test('show what differs with the lines around it, and treat stamps of time as equal', () => {
    expect(
      rowsOf(series('20270626T000000Z', '20270101T000000Z'), series('20270228T000000Z', '20270102T000000Z')),
    ).toEqual([
      '… 3',
      'same 4 4 DTSTAMP:20270102T000000Z',
      'same 5 5 DTSTART:20270102T180000Z',
      'same 6 6 SUMMARY:A play of three hours',
      'changed 8 8 RRULE:FREQ=WEEKLY;UNTIL=20270228T000000Z',
      'same 10 10 END:VEVENT',
      'same 11 11 END:VCALENDAR',
    ]);
    const [one, other] = [
      calendarText(feedEvents(40)),
      calendarText(feedEvents(40).filter((_, index) => index !== 20)),
    ];
    const rows = rowsOf(one, other);
    expect(rows.filter((row) => row.startsWith('gone')).length).toBeGreaterThan(3);
    expect(rows.filter((row) => row.startsWith('…'))).toHaveLength(2);
    expect(rowsOf(one, one)).toHaveLength(1);
    expect(feedRows('x'.repeat(4_000_001), 'y')).toBeNull();
  });

  test('show each line of both once, in order, or count it as left out', () => {
    const lines = fc.array(fc.constantFrom('A:1', 'A:2', 'B:1', 'B:2', 'C', 'DTSTAMP:1'), { maxLength: 14 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const rows = feedRows(before.join('\n'), after.join('\n')) ?? [];
        const left = rows.reduce((sum, row) => sum + (row.kind === 'left-out' ? row.count : 0), 0);
        for (const [side, all] of [
          ['before', before],
          ['after', after],
        ] as const) {
          const shown = rows.flatMap((row) => (row.kind === 'left-out' ? [] : (row[side] ?? [])));
          expect(shown.map(({ text }) => text)).toEqual(shown.map(({ number }) => all[number - 1]));
          expect(new Set(shown.map(({ number }) => number)).size).toBe(shown.length);
          expect(all.length - shown.length).toBe(left);
        }
        const numbers = rows.flatMap((row) => (row.kind === 'left-out' ? [] : (row.after?.number ?? [])));
        expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
      }),
      { numRuns: repetitions(200) },
    );
  });
});
