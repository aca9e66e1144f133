import { expect, test } from 'vitest';
import { gzipSync } from 'node:zlib';
import { adviceOn } from '../../../src/run/discover/refusals.ts';
import { binaryFile } from '../../../src/run/parse/binary-file.ts';

/** The first entry of an archive, a picture's worth of bytes, and the entry that names the document. */
const office = (entry: string): Buffer =>
  Buffer.concat(
    ['PK\x03\x04\x14\0\x06\0[Content_Types].xml', '\0'.repeat(10_000), `PK\x01\x02${entry}`].map((part) =>
      Buffer.from(part, 'latin1'),
    ),
  );
const oldOffice = (stream: string): Buffer =>
  Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]), Buffer.from(stream, 'utf16le')]);

test.each<[string, Uint8Array, RegExp | null]>([
  [
    'gzip that the server does not declare',
    gzipSync('BEGIN:VCALENDAR'),
    /^This is a gzip file, not a feed\. Its server must say Content-Encoding: gzip/,
  ],
  ['a workbook', office('xl/workbook.xml'), /an Excel workbook, not a feed\. Save it as CSV UTF-8/],
  ['a binary workbook', office('xl/workbook.bin'), /an Excel workbook/],
  ['a Word document', office('word/document.xml'), /a Word document, not a feed\. Ask the publisher/],
  ['a presentation', office('ppt/presentation.xml'), /a PowerPoint presentation, not a feed\. Ask the publisher/],
  ['another file of Office', office('visio/document.xml'), /an Office file, not a feed\. Ask the publisher/],
  [
    'a spreadsheet of LibreOffice',
    Buffer.from('PK\x03\x04\x14\0mimetypeapplication/vnd.oasis.opendocument.spreadsheet', 'latin1'),
    /a LibreOffice spreadsheet/,
  ],
  [
    'a document of LibreOffice',
    Buffer.from('PK\x03\x04\x14\0mimetypeapplication/vnd.oasis.opendocument.text', 'latin1'),
    /a LibreOffice document, not a feed\. Ask the publisher/,
  ],
  ['another archive', Buffer.from('PK\x03\x04\x14\0town.ics', 'latin1'), /a ZIP archive, not a feed\. Unpack it/],
  ['an old workbook', oldOffice('Workbook'), /an old Excel workbook, not a feed\. Save it as CSV/],
  ['an even older workbook', oldOffice('Book'), /an old Excel workbook/],
  ['an old document', oldOffice('WordDocument'), /an old Word document, not a feed\. Ask the publisher/],
  ['an old presentation', oldOffice('PowerPoint Document'), /an old PowerPoint presentation/],
  ['another old file', oldOffice('VisioDocument'), /an old Office file/],
  ['a PDF', Buffer.from('%PDF-1.7\n'), /a PDF, not a feed/],
  ['a PNG', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d]), /a picture/],
  ['a JPEG', Buffer.from([0xff, 0xd8, 0xff, 0xe0]), /a picture/],
  ['a GIF', Buffer.from('GIF89a'), /a picture/],
  ['a database', Buffer.from('SQLite format 3\0'), /a database file/],
  ['a calendar', Buffer.from('BEGIN:VCALENDAR'), null],
  ['UTF-16', Buffer.from('\uFEFFTitle', 'utf16le'), null],
  ['empty', Buffer.alloc(0), null],
])('a body that is %s', (_, bytes, message) => {
  expect(binaryFile(bytes) ?? '').toMatch(message ?? /^$/);
});

test('a binary file gets no general advice, as its own message says what to do', () => {
  expect(adviceOn('feed-binary', 'https://town.example/events.ics.gz')).toBeUndefined();
});
