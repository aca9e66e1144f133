import { inQuotes } from '../../../src/look/words/in-quotes.ts';
import { describe, expect, test } from 'vitest';
import { lineText, tableText, type Screen } from '../../../src/cli/text/table.ts';
import { printable, widthOf, wrapped } from '../../../src/cli/text/text-width.ts';

const screen = (columns: number | undefined): Screen => ({ columns, paint: (style, text) => `<${style}>${text}</>` });
const plain = (columns: number | undefined): Screen => ({ columns, paint: (_style, text) => text });

const RUNS = {
  headings: ['run', 'began (Europe/Warsaw)', 'state', 'what it did'],
  rows: [
    {
      cells: [
        'city-library-20261123T095623Z-ab12cd',
        '2026-11-23 09:56',
        'held',
        '12 created, 3 updated, 2 in conflict; ON HOLD: nothing was written, needs review',
      ],
    },
    {
      cells: [
        'theatre-20261123T095700Z-ab12ce',
        '2026-11-23 09:57',
        'done',
        '音楽祭のお知らせです。東京国際フォーラムで開催されます。',
      ],
    },
  ],
};

describe('how wide a text is', () => {
  test.each([
    ['Main Library', 12],
    ['Łódź', 4],
    ['e\u0301te\u0301', 3],
    ['東京', 4],
    ['한국어', 6],
    ['ｶﾅ', 2],
    ['🎄', 2],
    ['👩‍👩‍👧', 2],
    ['☀\ufe0f', 2],
    ['', 0],
  ])('%j: %i', (text, width) => expect(widthOf(text)).toBe(width));
});

test('texts from outside lose control characters and line breaks', () => {
  expect(printable('Fair\u001b[2J\r\nat \u202Eeht\u0007')).toBe('Fair [2J  at  eht ');
  expect(printable(inQuotes('קונצרט'))).toBe('“קונצרט”');
});

describe('wrapping', () => {
  test.each([
    ['a few short words', 7, ['a few', 'short', 'words']],
    ['https://town.example/a/very/long/address and more', 20, ['https://town.example/a/very/long/address', 'and more']],
    ['東京国際フォーラムで開催されます。', 20, ['東京国際フォーラムで', '開催されます。']],
    ['two  spaces stay', 20, ['two  spaces stay']],
  ])('%j in %i columns', (text, width, lines) => expect(wrapped(text, width)).toEqual(lines));
});

describe('a table', () => {
  test('outside a terminal has one line for each row, aligned and without headings', () => {
    expect(
      tableText(
        { ...RUNS, rows: [{ cells: ['a', 'bcd', 'x'] }, { cells: ['a longer one', '', 'y'] }] },
        plain(undefined),
      ),
    ).toBe('a             bcd  x\na longer one       y\n');
  });

  test('has headings, and columns side by side where there is room', () => {
    expect(tableText(RUNS, plain(200)).split('\n')).toEqual([
      'run                                   began (Europe/Warsaw)  state  what it did',
      'city-library-20261123T095623Z-ab12cd  2026-11-23 09:56       held   12 created, 3 updated, 2 in conflict; ON HOLD: nothing was written, needs review',
      'theatre-20261123T095700Z-ab12ce       2026-11-23 09:57       done   音楽祭のお知らせです。東京国際フォーラムで開催されます。',
      '',
    ]);
  });

  test('puts names above the rest where there is little room', () => {
    expect(tableText(RUNS, plain(80)).split('\n')).toEqual([
      'run · began (Europe/Warsaw) · state · what it did',
      'city-library-20261123T095623Z-ab12cd',
      '    2026-11-23 09:56       held   12 created, 3 updated, 2 in conflict; ON HOLD:',
      '                                  nothing was written, needs review',
      'theatre-20261123T095700Z-ab12ce',
      '    2026-11-23 09:57       done   音楽祭のお知らせです。東京国際フォーラムで開催',
      '                                  されます。',
      '',
    ]);
  });

  const words = RUNS.rows.flatMap(({ cells }) => cells.flatMap((cell) => cell.split(' ')));
  test.each([20, 40, 80, 200])('of %i columns breaks no word, and is wider only for a long one', (columns) => {
    const text = tableText(RUNS, plain(columns));
    for (const word of words.filter((each) => !/[音東]/.test(each))) expect(text).toContain(word);
    const widest = (line: string): number =>
      Math.max(
        columns,
        ...line
          .trim()
          .split(' ')
          .map(widthOf)
          .map((each) => each + 4),
      );
    expect(text.split('\n').filter((line) => widthOf(line) > widest(line))).toEqual([]);
  });

  test('has colours that do not affect the alignment', () => {
    const rows = [
      { cells: [{ text: 'ok', style: 'good' as const }, 'site'] },
      {
        cells: [{ text: 'BAD', style: 'bad' as const }, 'queue'],
        below: [{ text: '! it is away', style: 'bad' as const }],
      },
    ];
    expect(tableText({ rows }, screen(80))).toBe('<good>ok</>   site\n<bad>BAD</>  queue\n<bad>    ! it is away</>\n');
  });

  test('names only the columns that have a heading, where they are not side by side', () => {
    const headings = ['user', '', 'e-mail', ''];
    const rows = [{ cells: ['calendar-of-the-library', '', 'library@town.example', 'writes for us'] }];
    expect(tableText({ headings, rows }, plain(30)).split('\n')[0]).toBe('user · e-mail');
  });

  test('without rows is empty', () => {
    expect(tableText({ headings: ['run'], rows: [] }, plain(80))).toBe('');
  });
});

describe('a line', () => {
  test('is wrapped with a deeper indent', () => {
    expect(lineText('  ! conflict "Summer fair": title is "Fair" on the site', plain(30))).toEqual([
      '  ! conflict "Summer fair":',
      '      title is "Fair" on the',
      '      site',
    ]);
  });

  test('with a command is not broken, so that it can be copied', () => {
    const line = '    npm run -s calsyncd -- settle summer-fair-abcd1234 feed   (or site)';
    expect(lineText(line, plain(40))).toEqual([line]);
  });
});
