import { expect, test } from 'vitest';
import { calendarPieces } from '../../../src/sync/formats/calendar-pieces.ts';

const event = (uid: string, indent = ''): string =>
  `BEGIN:VEVENT\r\n${indent}UID:${uid}\r\n${indent}SUMMARY:Concert\r\nEND:VEVENT\r\n`;
const calendar = (...events: readonly string[]): string =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${events.join('')}END:VCALENDAR\r\n`;

test.each<[what: string, text: string, single: readonly string[] | undefined]>([
  ['events one after the other', calendar(event('1'), event('2')), ['1', '2']],
  ['two events of one UID, which belong together', calendar(event('1'), event('1'), event('2')), ['2']],
  ['an indented event, which affects how the others are unfolded', calendar(event('1'), event('2', '  ')), undefined],
  ['an event within another', calendar(`BEGIN:VEVENT\r\n${event('1')}END:VEVENT\r\n`), undefined],
  ['an event without an end', calendar('BEGIN:VEVENT\r\nUID:1\r\n'), undefined],
])('%s', (_, text, single) => {
  const pieces = calendarPieces(text);
  expect(pieces && [...pieces.single.keys()]).toEqual(single ?? null);
});

const digestIn = (text: string): string | undefined => {
  const pieces = calendarPieces(text);
  const piece = pieces?.single.get('2');
  return piece && pieces?.digestOf(piece);
};

test('an event that moves to another VCALENDAR gets another digest', () => {
  const before = calendar(event('1'), event('2')) + calendar(event('3'));
  const after = calendar(event('1')) + calendar(event('2'), event('3'));
  expect(calendarPieces(after)?.frame).toBe(calendarPieces(before)?.frame);
  expect(digestIn(after)).not.toBe(digestIn(before));
  expect(digestIn(calendar(event('2'), event('1')) + calendar(event('3')))).toBe(digestIn(before));
});
