/** For bytes in a known binary format, a sentence that names it and says what to do; null if they may be text. */
export function binaryFile(bytes: Uint8Array): string | null {
  const kind = KINDS.find(({ start }) => start.every((byte, at) => bytes[at] === byte));
  if (kind === undefined) return null;
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { what, advice } = kind.containers?.find(({ holds }) => content.includes(holds)) ?? kind;
  return `This is ${what}, not a feed. ${advice}`;
}

/** A format and the advice for it. */
interface Kind {
  readonly what: string;
  readonly advice: string;
}

/** A container format, recognised by bytes in its table of contents. */
interface Container extends Kind {
  readonly holds: Buffer;
}

const PICTURE = 'a picture';
const AS_CSV = 'Save it as CSV UTF-8, or publish the sheet as CSV, and use that.';
const ASK_PUBLISHER = 'Ask the publisher for the calendar as iCalendar (.ics) or CSV.';

const bytesOf = (text: string): readonly number[] => [...Buffer.from(text, 'latin1')];

const ARCHIVES: readonly Container[] = [
  { what: 'an Excel workbook', holds: Buffer.from('xl/workbook.'), advice: AS_CSV },
  { what: 'a Word document', holds: Buffer.from('word/document.'), advice: ASK_PUBLISHER },
  { what: 'a PowerPoint presentation', holds: Buffer.from('ppt/presentation.'), advice: ASK_PUBLISHER },
  { what: 'an Office file', holds: Buffer.from('[Content_Types].xml'), advice: ASK_PUBLISHER },
  { what: 'a LibreOffice spreadsheet', holds: Buffer.from('opendocument.spreadsheet'), advice: AS_CSV },
  { what: 'a LibreOffice document', holds: Buffer.from('vnd.oasis.opendocument.'), advice: ASK_PUBLISHER },
];

// Office files from before 2007 contain streams with names in UTF-16.
const OLD_OFFICE: readonly Container[] = [
  { what: 'an old Word document', holds: Buffer.from('WordDocument', 'utf16le'), advice: ASK_PUBLISHER },
  {
    what: 'an old PowerPoint presentation',
    holds: Buffer.from('PowerPoint Document', 'utf16le'),
    advice: ASK_PUBLISHER,
  },
  { what: 'an old Excel workbook', holds: Buffer.from('Book', 'utf16le'), advice: AS_CSV },
  { what: 'an old Excel workbook', holds: Buffer.from('Workbook', 'utf16le'), advice: AS_CSV },
];

const KINDS: readonly (Kind & { readonly start: readonly number[]; readonly containers?: readonly Container[] })[] = [
  {
    what: 'a gzip file',
    start: [0x1f, 0x8b],
    advice: 'Its server must say Content-Encoding: gzip, or send it unpacked.',
  },
  {
    what: 'a ZIP archive',
    start: bytesOf('PK\x03\x04'),
    advice: 'Unpack it, and use the address of the .ics or .csv file in it.',
    containers: ARCHIVES,
  },
  { what: 'an old Office file', start: [0xd0, 0xcf, 0x11, 0xe0], advice: ASK_PUBLISHER, containers: OLD_OFFICE },
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
