import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../../src/ical/read/decode.ts';

const bytesOf = (text: string, encoding: BufferEncoding = 'utf8'): Uint8Array => Buffer.from(text, encoding);

describe('decodeText', () => {
  it.each([
    ['plain UTF-8', bytesOf('SUMMARY:Zażółć'), null, 'SUMMARY:Zażółć', 'utf-8'],
    ['a byte order mark is not part of the text', bytesOf('\uFEFFBEGIN:VCALENDAR'), null, 'BEGIN:VCALENDAR', 'utf-8'],
    [
      'UTF-16 with a byte order mark',
      Buffer.concat([Buffer.from([0xff, 0xfe]), bytesOf('SUMMARY:ä', 'utf16le')]),
      null,
      'SUMMARY:ä',
      'utf-16le',
    ],
    [
      'UTF-16 without one',
      bytesOf('BEGIN:VCALENDAR\r\nSUMMARY:ä', 'utf16le'),
      null,
      'BEGIN:VCALENDAR\r\nSUMMARY:ä',
      'utf-16le',
    ],
    [
      'UTF-8 that is declared as Latin-1',
      bytesOf('SUMMARY:ä'),
      'text/calendar; charset=ISO-8859-1',
      'SUMMARY:ä',
      'utf-8',
    ],
    [
      'Latin-1 that is declared',
      bytesOf('SUMMARY:Müller', 'latin1'),
      'text/calendar; charset="iso-8859-1"',
      'SUMMARY:Müller',
      'windows-1252',
    ],
    [
      'windows-1252 that is not declared',
      Uint8Array.from([...bytesOf('SUMMARY:Caf'), 0xe9, 0x20, 0x80, 0x35]),
      null,
      'SUMMARY:Café €5',
      'windows-1252',
    ],
    [
      'windows-1250 that is declared',
      Uint8Array.from([...bytesOf('SUMMARY:'), 0xbf, 0xf3, 0xb3, 0x77]),
      'text/calendar;charset=windows-1250',
      'SUMMARY:żółw',
      'windows-1250',
    ],
    [
      'NUL and other controls are removed, line ends and tabs are kept',
      bytesOf('SUM\0MARY:a\u0007b\tc\r\nd'),
      null,
      'SUMMARY:ab\tc\r\nd',
      'utf-8',
    ],
    ['an unknown charset is ignored', bytesOf('SUMMARY:ä'), 'text/calendar; charset=klingon', 'SUMMARY:ä', 'utf-8'],
  ] as const)('%s', (_, bytes, contentType, text, encoding) => {
    expect(decodeText(bytes, contentType)).toMatchObject({ text, encoding });
  });

  it('moves a fold inside a character behind it, so that lines keep their numbers', () => {
    const [first, second, third] = [...bytesOf('€')] as [number, number, number];
    const folded = Uint8Array.from([
      ...bytesOf('SUMMARY:a'),
      first,
      ...bytesOf('\r\n '),
      second,
      ...bytesOf('\r\n '),
      third,
      ...bytesOf('b\r\nUID:x'),
    ]);
    expect(decodeText(folded, null).text).toBe('SUMMARY:a€\r\n \r\n b\r\nUID:x');
  });

  it('leaves alone bytes that only look like the rest of a character', () => {
    // U+0A20 and U+8041 in UTF-16BE: a line feed, a blank and a continuation byte to a reader of octets.
    const wide = Buffer.from('\uFEFFSUMMARY:\u0A20\u8041x', 'utf16le').swap16();
    const before = wide.toString('hex');
    expect(decodeText(wide, null)).toMatchObject({ text: 'SUMMARY:\u0A20\u8041x', encoding: 'utf-16be' });
    expect(wide.toString('hex')).toBe(before);
    const polish = Uint8Array.from([...bytesOf('SUMMARY:w\r\n '), 0xb3, 0xb9, 0xbf, 0x9c, ...bytesOf('\r\nUID:x')]);
    expect(decodeText(polish, 'text/calendar; charset=windows-1250').text).toBe('SUMMARY:w\r\n łążś\r\nUID:x');
  });

  it('moves folds inside two-byte characters, too', () => {
    const japanese = Uint8Array.from([
      ...bytesOf('SUMMARY:'),
      0x93,
      0xfa,
      0x96,
      ...bytesOf('\r\n '),
      0x7b,
      0x8c,
      ...bytesOf('\r\n '),
      0xea,
      ...bytesOf('\r\nUID:x\r\n y'),
    ]);
    expect(decodeText(japanese, 'text/calendar; charset=Shift_JIS')).toMatchObject({
      text: 'SUMMARY:日本語\r\n \r\n \r\nUID:xy\r\n ',
      problems: [],
    });
  });

  it('reports what it guessed and what was lost', () => {
    expect(decodeText(bytesOf('SUMMARY:M\xfcller', 'latin1'), null).problems).toMatchObject([
      { code: 'charset-guessed' },
    ]);
    const mostlyUtf8 = Buffer.concat([bytesOf('Zażółć gęślą jaźń, zażółć gęślą jaźń'), Buffer.from([0xff])]);
    expect(decodeText(mostlyUtf8, null)).toMatchObject({
      encoding: 'utf-8',
      problems: [{ code: 'charset-broken', message: 'One character is not valid utf-8 and was replaced.' }],
    });
  });

  it('reads single lines in another encoding than the rest', () => {
    const utf8 = 'SUMMARY:Führung für Mütter, Größe\r\n';
    const decodedWith = (line: Uint8Array, before = '') =>
      decodeText(Buffer.concat([bytesOf(before), ...Array<Uint8Array>(9).fill(bytesOf(utf8)), line]), null);
    const pasted = Buffer.concat([
      bytesOf('DESCRIPTION:'),
      Uint8Array.from([0x84]),
      bytesOf('Café Größe', 'latin1'),
      Uint8Array.from([0x93]),
    ]);
    expect(decodedWith(pasted)).toMatchObject({
      text: `${utf8.repeat(9)}DESCRIPTION:„Café Größe“`,
      problems: [{ message: 'One line is not in utf-8 as the others are; it was read as windows-1252.' }],
    });
    expect(decodedWith(bytesOf('LOCATION:Café\r\n', 'latin1'), '\uFEFF').text).toBe(
      `${utf8.repeat(9)}LOCATION:Café\r\n`,
    );
  });

  it.each(['', '\uFEFF'])(
    'reports nothing for a replacement character in the feed itself, which begins with %j',
    (mark) => {
      const text = 'SUMMARY:Caf\uFFFD\r\n';
      expect(decodeText(bytesOf(mark + text), null)).toMatchObject({ text, problems: [] });
    },
  );

  it.each([
    ['at the end of the feed', Buffer.from('LOCATION:Caf\xc3', 'latin1'), 'LOCATION:Caf\uFFFD'],
    ['before an ellipsis', Buffer.from('LOCATION:Caf\xc3...\r\n', 'latin1'), 'LOCATION:Caf\uFFFD...\r\n'],
    ['after two of its three bytes', Buffer.from('LOCATION:Caf\xe2\x80', 'latin1'), 'LOCATION:Caf\uFFFD'],
    ['after intact ones', Buffer.from('LOCATION:\xc3\xbcber M\xc3tter', 'latin1'), 'LOCATION:über M\uFFFDtter'],
  ])('reads a character that is cut off %s as broken, not as another encoding', (_, line, text) => {
    const utf8 = bytesOf('SUMMARY:Führung für Mütter, Größe\r\n');
    const { text: read, problems } = decodeText(Buffer.concat([utf8, utf8, line]), null);
    expect(read.slice(read.lastIndexOf('LOCATION'))).toBe(text);
    expect(problems).toMatchObject([{ message: 'One character is not valid utf-8 and was replaced.' }]);
  });

  it('folding octets anywhere changes nothing but the folds', () => {
    fc.assert(
      fc.property(
        fc
          .string({ unit: 'grapheme', maxLength: 60 })
          .map((text) => text.replace(/[\s\p{Cc}\p{Noncharacter_Code_Point}\uFEFF\uFFFD]/gu, 'x')),
        fc.integer({ min: 1, max: 7 }),
        (text, width) => {
          const octets = [...bytesOf(`SUMMARY:${text}`)];
          const folded = octets.flatMap((octet, at) =>
            at > 0 && at % width === 0 ? [0x0d, 0x0a, 0x20, octet] : [octet],
          );
          expect(decodeText(Uint8Array.from(folded), null).text.replaceAll('\r\n ', '')).toBe(`SUMMARY:${text}`);
        },
      ),
    );
  });

  it('reads any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(typeof decodeText(bytes, null).text).toBe('string');
      }),
    );
  });
});
