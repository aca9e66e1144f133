import { describe, expect, test } from 'vitest';
import { cardSvg, drawable, wrapped } from '../../../../src/site/pages/card/card-svg.ts';

const TEXTS = {
  title: 'Jazz',
  when: 'Saturday 28 November 2026, 19:00',
  place: 'Teatr Mały',
  calendar: 'Town calendar',
  month: 'Nov',
  day: '28',
  weekday: 'Sat',
};
const textsIn = (svg: string): readonly string[] =>
  [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);

describe('the part of a text that the font can draw', () => {
  test.each([
    ['Żółta łódź', 'Żółta łódź'],
    ['Ревизор', 'Ревизор'],
    ['ערב שירה', 'ערב שירה'],
    ['Jazz 🎷 & Blues', 'Jazz & Blues'],
    ['Jazz at 早春', 'Jazz at'],
    ['早春音乐会 2026', ''],
    ['🎷🎷', ''],
    ['a\u0000\u202eb\nc', 'ab c'],
    ['\ud800x', 'x'],
  ])('of %j is %j', (text, expected) => expect(drawable(text)).toBe(expected));
});

describe('wrapped lines', () => {
  test('break between words', () => expect(wrapped('one two three', 6)).toEqual(['one two', 'three']));
  test('break words that are too wide', () =>
    expect(wrapped('x'.repeat(20), 7.4).map(({ length }) => length)).toEqual([10, 10]));
  test('are none for a blank text', () => expect(wrapped(' ', 5)).toEqual([]));
});

describe('the picture of an event', () => {
  test('shows title, day, place and calendar as escaped text', () =>
    expect(textsIn(cardSvg({ ...TEXTS, title: '<b>Jazz</b> & "Blues"' }, '#0b5b6b'))).toEqual([
      'Nov',
      '28',
      'Sat',
      '&lt;b&gt;Jazz&lt;/b&gt; &amp;',
      '&quot;Blues&quot;',
      TEXTS.when,
      TEXTS.place,
      TEXTS.calendar,
    ]));

  test('shortens texts that are too long, and keeps them within the picture', () => {
    const svg = cardSvg({ ...TEXTS, title: 'Łódź '.repeat(60), place: 'Hall '.repeat(60) }, '#ffd400');
    const lines = textsIn(svg);
    expect(lines.filter((text) => text.endsWith('…'))).toHaveLength(2);
    for (const [, y] of svg.matchAll(/<text y="([\d.]+)"/g)) expect(Number(y)).toBeLessThan(630);
    expect(svg).toContain('fill="#12272d"');
  });

  test('shows the calendar’s name instead of a title that the font cannot draw', () =>
    expect(
      textsIn(cardSvg({ ...TEXTS, title: '早春音乐会' }, '#0b5b6b')).filter((text) => text === 'Town calendar'),
    ).toHaveLength(2));

  test('aligns right-to-left text to the right', () =>
    expect(cardSvg({ ...TEXTS, title: 'ערב שירה' }, '#0b5b6b')).toMatch(/x="1140" text-anchor="end"[^>]*>ערב/));
});
