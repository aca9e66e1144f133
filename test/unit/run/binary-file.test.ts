import { expect, test } from 'vitest';
import { gzipSync } from 'node:zlib';
import { binaryFile } from '../../../src/run/parse/binary-file.ts';

test.each<[string, Uint8Array, RegExp | null]>([
  [
    'gzip that the server does not tell of',
    gzipSync('BEGIN:VCALENDAR'),
    /^This is a gzip file, not a feed\. Its server must say Content-Encoding: gzip/,
  ],
  [
    'a workbook',
    Buffer.from('PK\x03\x04\x14\0\x06\0[Content_Types].xml', 'latin1'),
    /an Excel workbook, not a feed\. Save it as CSV UTF-8/,
  ],
  [
    'a spreadsheet of LibreOffice',
    Buffer.from('PK\x03\x04\x14\0mimetypeapplication/vnd.oasis.opendocument.spreadsheet', 'latin1'),
    /a LibreOffice spreadsheet/,
  ],
  ['another archive', Buffer.from('PK\x03\x04\x14\0town.ics', 'latin1'), /a ZIP archive, not a feed\. Unpack it/],
  ['a workbook of long ago', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), /an old Excel workbook/],
  ['a PDF', Buffer.from('%PDF-1.7\n'), /a PDF, not a feed/],
  ['a PNG', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d]), /a picture/],
  ['a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), /a picture/],
  ['a GIF', Buffer.from('GIF89a'), /a picture/],
  ['a database', Buffer.from('SQLite format 3\0'), /a database file/],
  ['a calendar', Buffer.from('BEGIN:VCALENDAR'), null],
  ['UTF-16', Buffer.from('\uFEFFTitle', 'utf16le'), null],
  ['nothing', Buffer.alloc(0), null],
])('%s', (_, bytes, message) => {
  expect(binaryFile(bytes) ?? '').toMatch(message ?? /^$/);
});
