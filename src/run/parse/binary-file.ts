/** For bytes of a known binary format, a sentence that names it and says what to do; null where they may be text. */
export function binaryFile(bytes: Uint8Array): string | null {
  const kind = KINDS.find(({ start }) => start.every((byte, at) => bytes[at] === byte));
  if (kind === undefined) return null;
  // Spreadsheets and office documents are ZIP archives whose first entries reveal the kind.
  const names = kind.what === ZIP ? Buffer.from(bytes.subarray(0, 4_000)).toString('latin1') : '';
  const inside = ARCHIVES.find(({ names: own }) => own.test(names));
  return inside === undefined
    ? `This is ${kind.what}, not a feed. ${kind.advice}`
    : `This is ${inside.what}, not a feed. ${AS_CSV}`;
}

const ARCHIVES: readonly { readonly what: string; readonly names: RegExp }[] = [
  { what: 'an Excel workbook', names: /xl\/|\[Content_Types\]/ },
  { what: 'a LibreOffice spreadsheet', names: /opendocument\.spreadsheet/ },
];

const ZIP = 'a ZIP archive';
const PICTURE = 'a picture';
const AS_CSV = 'Save it as CSV UTF-8, or publish the sheet as CSV, and use that.';
const ASK_PUBLISHER = 'Ask the publisher for the calendar as iCalendar (.ics) or CSV.';

const bytesOf = (text: string): readonly number[] => [...Buffer.from(text, 'latin1')];

const KINDS: readonly { readonly what: string; readonly start: readonly number[]; readonly advice: string }[] = [
  {
    what: 'a gzip file',
    start: [0x1f, 0x8b],
    advice: 'Its server must say Content-Encoding: gzip, or send it unpacked.',
  },
  {
    what: ZIP,
    start: bytesOf('PK\x03\x04'),
    advice: 'Unpack it, and use the address of the .ics or .csv file in it.',
  },
  { what: 'an old Excel workbook', start: [0xd0, 0xcf, 0x11, 0xe0], advice: AS_CSV },
  { what: 'a PDF', start: bytesOf('%PDF-'), advice: ASK_PUBLISHER },
  // PNG, JPEG and GIF.
  { what: PICTURE, start: bytesOf('\x89PNG'), advice: ASK_PUBLISHER },
  { what: PICTURE, start: [0xff, 0xd8, 0xff], advice: ASK_PUBLISHER },
  { what: PICTURE, start: bytesOf('GIF8'), advice: ASK_PUBLISHER },
  {
    what: 'a database file',
    start: bytesOf('SQLite format 3'),
    advice: 'Export it as iCalendar (.ics) or CSV.',
  },
];
