import { describe, expect, it } from 'vitest';
import { decodeBytes } from '../../src/charset.ts';

/** Text → its bytes in a single-byte encoding. */
function encoded(text: string, encoding: string): Uint8Array {
  const decoder = new TextDecoder(encoding);
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Uint8Array.from([...text].map((character) => bytes.get(character) ?? 0x3f));
}

describe('the encoding of text that does not declare one', () => {
  const texts: readonly (readonly [string, string])[] = [
    ['iso-8859-2', 'žluťoučký kůň, Stadt Žilina'],
    ['windows-1250', 'žluťoučký kůň pěl ďábelské ódy'],
    ['iso-8859-2', 'Zażółć gęślą jaźń, Łódź śpiewa'],
    ['windows-1250', 'Zażółć gęślą jaźń, Łódź śpiewa'],
    ['windows-1252', 'Café „Zum Löwen“ – »Über« Straße für 5 €'],
    ['windows-1252', 'L’été à la façade, Noël, œuvre «ça»'],
    ['windows-1252', 'Año nuevo, ¿qué? ¡Olé!'],
    ['windows-1252', 'Größe: 3×4 m²'],
    ['windows-1251', 'Привет мир, концерт в парке'],
    ['windows-1251', 'Концерт'],
    ['koi8-r', 'Концерт в филармонии, вход свободный'],
    ['iso-8859-5', 'Концерт в филармонии, вход свободный'],
    ['windows-1253', 'Συναυλία στο Μέγαρο Μουσικής'],
    ['windows-1254', 'İstanbul Şarkı günü, çocuk, ığdır'],
    ['windows-1254', 'Title,Start\r\n"İstanbul Şarkı günü, çocuk, ığdır",2027-01-05\r\n'],
    ['windows-1255', 'קונצרט באולם'],
    ['windows-1256', 'حفلة موسيقية'],
    ['windows-1257', 'Šventė Žemaitijoje: ąžuolų giria, ėjimas'],
    ['windows-1250', 'Árvíztűrő tükörfúrógép Győrben, ősz'],
    ['windows-1250', 'Święto żuru'],
    ['iso-8859-2', 'Święto żuru'],
    ['windows-1250', 'Łódź'],
    ['windows-1252', 'Führung'],
    ['windows-1252', '¿Qué?'],
    ['windows-1252', 'Fête à Évry'],
    ['windows-1252', 'Umlaute: äöüßÄÖÜ'],
    ['macintosh', 'Café Müller – Fête'],
    ['macintosh', 'Übung im großen Saal, 5 €'],
    ['macintosh', 'Title,Start\rL’été à Évry,2027-01-05\r'],
  ];
  it.each(texts)('%s: %s', (encoding, text) =>
    expect(decodeBytes(encoded(text, encoding), null)).toEqual({ text, encoding, guessed: true, lost: 0 }),
  );

  // Multi-byte encodings, as bytes: 日本語のコンサート開催中, 音乐会在大剧院举行, 음악회가 열립니다.
  it.each([
    ['shift_jis', '93fa967b8cea82cc8352839383548 15b8367 8a4a8dc392 86', '日本語のコンサート開催中'],
    ['euc-jp', 'c6fccbdcb8eca4cea5b3a5f3a5b5a1bca5c8b3abbac5c3e6', '日本語のコンサート開催中'],
    ['gb18030', 'd2f4c0d6bbe1d4dab4f3bee7d4babed9d0d0', '音乐会在大剧院举行'],
    ['euc-kr', 'c0bdbec7c8b8b0a120bfadb8b3b4cfb4d9', '음악회가 열립니다'],
  ])('%s', (encoding, hex, text) => {
    const bytes = Buffer.concat([
      Buffer.from('Title,Start\r\n"'),
      Buffer.from(hex.replaceAll(' ', ''), 'hex'),
      Buffer.from('",2027-01-05\r\n'),
    ]);
    expect(decodeBytes(bytes, null)).toMatchObject({ text: `Title,Start\r\n"${text}",2027-01-05\r\n`, encoding });
  });

  it.each([
    'Title,Start\r\n"Концерт в филармонии, вход свободный",2027-01-05',
    'Title,Start\r\n"日本語のコンサート開催中",2027-01-05',
  ])('UTF-16 without a byte order mark: %s', (text) => {
    const bytes = Buffer.from(text, 'utf16le');
    expect([decodeBytes(bytes, null).text, decodeBytes(Buffer.from(bytes).swap16(), null).text]).toEqual([text, text]);
  });

  it.each([
    ['one zero byte', 'Title,Start\nJa\0zz,2027-01-05'],
    ['several', 'Title,Start\n"J\0a\0z\0z",2027-01-05'],
    ['nothing else, as after a crash', '\0'.repeat(4_000)],
  ])('%s does not make it UTF-16', (_, text) => {
    expect(decodeBytes(Buffer.from(text), null)).toEqual({ text, encoding: 'utf-8', guessed: false, lost: 0 });
  });
});
