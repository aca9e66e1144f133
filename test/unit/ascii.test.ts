import { describe, expect, test } from 'vitest';
import { foldedWords } from '../../src/ascii.ts';

describe('folded words', () => {
  test.each([
    ['Café Ångström', 'cafe angstrom'],
    ['ŁÓDŹ – straße', 'lodz strasse'],
    ['Ёлка', 'елка'],
    ['Ἀθήνα', 'αθηνα'],
    ['שָׁלוֹם', 'שלום'],
    ['مُحَمَّد', 'محمد'],
    ['❤️ Party 1️⃣', 'party 1'],
    ['Ｆｕｌｌ　ｗｉｄｔｈ', 'full width'],
  ])('%s loses accents and punctuation', (text, words) => {
    expect(foldedWords(text)).toBe(words);
  });

  test.each([
    ['art and a nail', 'कला', 'कील'],
    ['gas and dregs', 'ガス', 'カス'],
    ['near and far', 'ใกล้', 'ไกล'],
    ['two tones', 'ป่า', 'ป้า'],
  ])('marks that distinguish words are kept: %s', (_what, one, other) => {
    expect(foldedWords(one)).not.toBe(foldedWords(other));
    expect(foldedWords(`“${one}”, ${other}!`)).toBe(`${one.normalize('NFC')} ${other.normalize('NFC')}`);
  });
});
