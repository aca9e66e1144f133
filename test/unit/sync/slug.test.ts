import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyFor, keyOfSlug, slugOfName, slugWithKey, sourceKey } from '../../../src/sync/model/slug.ts';

describe('slugs', () => {
  const names: readonly (readonly [string, string])[] = [
    ['Jazz w Żaku', 'jazz-w-zaku'],
    ['Łódź – noc muzeów!', 'lodz-noc-muzeow'],
    ['Rock &amp; Pop', 'rock-pop'],
    ['Müller’s Straße', 'mullers-strasse'],
    ['東京', ''],
    ['  --  ', ''],
    ['C++', 'c'],
    ['Ærø Ωmega', 'aero-mega'],
  ];
  it.each(names)('the slug of %j is %j', (name, slug) => expect(slugOfName(name)).toBe(slug));

  it('a title of which nothing is left becomes event', () =>
    expect(slugWithKey('東京', keyFor('library', 'uid:1'))).toMatch(/^event-[a-z2-7]{14}$/));
  it('a long title is cut to 60 characters and ends in no hyphen', () =>
    expect(slugWithKey(`${'a'.repeat(59)} b`, keyFor('s', 'uid:1'))).toMatch(/^a{59}-[a-z2-7]{14}$/));
  // Written down once: a change of these would make strangers of all events on all sites.
  it('is what it always was', () =>
    expect(slugWithKey('Jazz', keyFor('library', 'uid:1'))).toBe('jazz-w4mprr66potr7j'));

  it('no server changes it: only a–z, 0–9 and single hyphens, at most 75 characters', () => {
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

  it('its key is read through what servers append', () => {
    const appended = fc.constantFrom('', '-2', '-17', '__trashed', '-2__trashed', '__trashed-3');
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), appended, (title, source, identity, suffix) => {
        expect(keyOfSlug(slugWithKey(title, keyFor(source, identity)) + suffix)).toBe(keyFor(source, identity));
      }),
    );
  });

  it('the key begins with the source’s', () =>
    expect(keyFor('library', 'uid:1').startsWith(sourceKey('library'))).toBe(true));
  it.each(['jazz', 'jazz-2', '', 'jazz-abcdefghijklm', 'jazz-abcdefghijklm1'])('%j has no key', (slug) =>
    expect(keyOfSlug(slug)).toBeNull(),
  );
});
