import { describe, expect, it } from 'vitest';
import { decodeBytes } from '../../src/charset.ts';

/** Text → its bytes in a single-byte encoding. */
function encoded(text: string, encoding: string): Uint8Array {
  const decoder = new TextDecoder(encoding);
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Uint8Array.from([...text].map((character) => bytes.get(character) ?? 0x3f));
}

describe('the encoding of text that does not say it', () => {
  const texts: readonly (readonly [string, string])[] = [
    ['iso-8859-2', 'žluťoučký kůň, Stadt Žilina'], ['windows-1250', 'žluťoučký kůň pěl ďábelské ódy'], ['iso-8859-2', 'Zażółć gęślą jaźń, Łódź śpiewa'], ['windows-1250', 'Zażółć gęślą jaźń, Łódź śpiewa'],
    ['windows-1252', 'Café „Zum Löwen“ – »Über« Straße für 5 €'], ['windows-1252', 'L’été à la façade, Noël, œuvre «ça»'], ['windows-1252', 'Año nuevo, ¿qué? ¡Olé!'], ['windows-1252', 'Größe: 3×4 m²'],
    ['windows-1251', 'Привет мир, концерт в парке'],
  ];
  it.each(texts)('%s: %s', (encoding, text) => expect(decodeBytes(encoded(text, encoding), null)).toEqual({ text, encoding, guessed: true, lost: 0 }));
});
