import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyFor, keyOfSlug, nameKey, slugOfName, slugWithKey, sourceKey } from '../../../src/sync/model/slug.ts';

describe('slugs', () => {
  const names: readonly (readonly [string, string])[] = [
    ['Jazz w Żaku', 'jazz-w-zaku'],
    ['Łódź – noc muzeów!', 'lodz-noc-muzeow'],
    ['Rock &amp; Pop', 'rock-pop'],
    ['Müller’s Straße', 'mullers-strasse'],
    ['東京', ''],
    ['  --  ', ''],
    ['C++', 'c'],
    ['Ærø', 'aero'],
    // Neither "omega" nor "1": each server keeps other scripts in its own way.
    ['Ωmega', ''],
    ['Зал 1', ''],
    ['ﬁlm №２', 'film-no2'],
  ];
  it.each(names)('the slug of %j is %j', (name, slug) => expect(slugOfName(name)).toBe(slug));

  it.each([
    ['Café  Müller', 'CAFE MULLER'],
    ['Ямская &amp; сын', 'ямская, Сын'],
    ['ΑΘΗΝΑ', 'Αθήνα'],
    ['Зал №１', 'ЗАЛ No1'],
    ['서울 극장', '서울 극장'.normalize('NFD')],
    [' ★', '★'],
  ])('%j and %j are one name', (one, other) => expect(nameKey(one)).toBe(nameKey(other)));

  it.each([
    ['Зал 1', 'Школа 1'],
    ['社区中心, Street 1', 'מרכז הקהילה, Street 1'],
    ['東京 Jazz', 'Jazz'],
    ['कला', 'कील'],
    ['バス', 'ハス'],
    ['★', '♥'],
  ])('%j and %j are two names', (one, other) => expect(nameKey(one)).not.toBe(nameKey(other)));

  it('the slug of a title in two scripts keeps its Latin part', () =>
    expect(slugWithKey('Ωmega Jazz', keyFor('library', 'uid:1'))).toMatch(/^mega-jazz-[a-z2-7]{14}$/));
  it('a title without Latin letters becomes "event"', () =>
    expect(slugWithKey('東京', keyFor('library', 'uid:1'))).toMatch(/^event-[a-z2-7]{14}$/));
  it('a long title is cut to 60 characters and does not end in a hyphen', () =>
    expect(slugWithKey(`${'a'.repeat(59)} b`, keyFor('s', 'uid:1'))).toMatch(/^a{59}-[a-z2-7]{14}$/));
  // A fixed value: with other slugs, no event on any site would be recognized any more.
  it('is the same in every release', () =>
    expect(slugWithKey('Jazz', keyFor('library', 'uid:1'))).toBe('jazz-w4mprr66potr7j'));

  it('has only a–z, 0–9 and single hyphens, at most 75 characters, so that no server changes it', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 120 }),
        fc.string(),
        fc.string(),
        (title, source, identity) => {
          expect(slugWithKey(title, keyFor(source, identity))).toMatch(/^(?=.{1,75}$)[a-z0-9]+(?:-[a-z0-9]+)*$/);
        },
      ),
    );
  });

  it('its key is found despite what servers append', () => {
    const appended = fc.constantFrom('', '-2', '-17', '__trashed', '-2__trashed', '__trashed-3');
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), appended, (title, source, identity, suffix) => {
        expect(keyOfSlug(slugWithKey(title, keyFor(source, identity)) + suffix)).toBe(keyFor(source, identity));
      }),
    );
  });

  it('the key begins with the key of the source', () =>
    expect(keyFor('library', 'uid:1').startsWith(sourceKey('library'))).toBe(true));
  it.each(['jazz', 'jazz-2', '', 'jazz-abcdefghijklm', 'jazz-abcdefghijklm1'])('%j has no key', (slug) =>
    expect(keyOfSlug(slug)).toBeNull(),
  );
});
