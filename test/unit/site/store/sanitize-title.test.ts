import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberedSlug, sanitizeTitle, storedSlug } from '../../../../src/site/store/sanitize-title.ts';

// The first eight are recorded answers of a real site.
describe('sanitizeTitle', () => {
  it.each([
    ['Święto Łodzi/2027 & co', 'swieto-lodzi-2027-co'],
    ['UID.Event_1@Example.COM', 'uid-event_1example-com'],
    ['🎉 Party 日本語', '%f0%9f%8e%89-party-%e6%97%a5%e6%9c%ac%e8%aa%9e'],
    ['It\'s 5 x 10 -- "ok"... 1/2 (c) R&D <3', 'its-5-x-10-ok-1-2-c-rd'],
    ['TZ +02:00', 'tz-0200'],
    ['Cost 25.50', 'cost-25-50'],
    ['R&amp;D &lt;b&gt;', 'rd-b'],
    ['ąęć ŁÓDŹ', 'aec-lodz'],
    ['<b>Bold</b> move', 'bold-move'],
    ['“Quotes” – and — dashes…', 'quotes-and-dashes'],
    ['non\u00a0breaking', 'non-breaking'],
    ['100% sure', '100-sure'],
    ['Straße Ærø', 'strasse-aero'],
    ['Чайковский', '%d1%87%d0%b0%d0%b9%d0%ba%d0%be%d0%b2%d1%81%d0%ba%d0%b8%d0%b9'],
    ['%D1%87 encoded', '%d1%87-encoded'],
    ['3×4', '3x4'],
    ['--a--', 'a'],
    ['€10 - €20', 'e10-e20'],
    ['£5', '5'],
    ['!!!', ''],
    ['phoenix__trashed', 'phoenix__trashed'],
  ])('%s → %s', (text, slug) => expect(sanitizeTitle(text)).toBe(slug));

  it('gives at most 200 bytes of slug characters, and leaves a slug unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (text) => {
        const slug = sanitizeTitle(text);
        expect(slug).toMatch(/^(?:[a-z0-9_-]|%[0-9a-f]{2}){0,200}$/);
        expect(slug.length).toBeLessThanOrEqual(200);
        expect(sanitizeTitle(slug)).toBe(slug);
      }),
    );
  });
  it('never splits a character', () =>
    expect(() => decodeURIComponent(sanitizeTitle('日本語'.repeat(40)))).not.toThrow());
});

describe('storedSlug', () => {
  it.each([
    ['Live-Music', 'live-music'],
    ['C++', 'c++'],
    ['日本語', '%e6%97%a5%e6%9c%ac%e8%aa%9e'],
    ['%E6%97%A5-日', '%e6%97%a5-%e6%97%a5'],
    ['\ud800', '%ef%bf%bd'],
  ])('%s → %s', (slug, stored) => expect(storedSlug(slug)).toBe(stored));

  it('leaves a slug unchanged', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (text) => {
        expect(storedSlug(sanitizeTitle(text))).toBe(sanitizeTitle(text));
      }),
    ));
});

describe('numberedSlug', () => {
  it.each([
    ['a', 1, 'a'],
    ['a', 2, 'a-2'],
    ['x'.repeat(200), 12, `${'x'.repeat(197)}-12`],
    ['%e6%97%a5'.repeat(22), 2, `${'%e6%97%a5'.repeat(22)}-2`],
    ['%e6%97%a5'.repeat(23), 2, `${'%e6%97%a5'.repeat(22)}-2`],
  ])('%s with the number %d', (slug, number, expected) => expect(numberedSlug(slug, number)).toBe(expected));
});
