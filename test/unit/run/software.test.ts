import { expect, test } from 'vitest';
import { softwareOf } from '../../../src/run/parse/software.ts';

const calendar = (line: string): string => `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${line}\r\nEND:VCALENDAR\r\n`;

test.each<[string, Uint8Array, string | null]>([
  ['a name', Buffer.from(calendar('PRODID:-//Town//Events 2//EN')), '-//Town//Events 2//EN'],
  ['a name in two lines', Buffer.from(calendar('PRODID:-//Town//Ev\r\n ents 2//EN')), '-//Town//Events 2//EN'],
  ['no name', Buffer.from(calendar('METHOD:PUBLISH')), null],
  ['a name without letters', Buffer.from(calendar('PRODID: ')), null],
  ['characters that no database can store', Buffer.from(calendar('PRODID:-//To\0wn\u001b//EN\0')), '-//Town//EN'],
  ['UTF-16', Buffer.from(`\uFEFF${calendar('PRODID:-//Town//EN')}`, 'utf16le'), '-//Town//EN'],
  ['Latin-1', Buffer.from(calendar('PRODID:-//K\u00f6ln//DE'), 'latin1'), '-//K\u00f6ln//DE'],
])('the program that made a calendar: %s', (_, bytes, name) => {
  expect(softwareOf(bytes)).toBe(name);
});
