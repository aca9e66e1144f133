import { describe, expect, test } from 'vitest';
import { knownNames, slugsMeant } from '../../../src/cli/text/unknown-name.ts';

const SOURCES = ['city-library', 'theatre', 'sports-club'];

describe('an unknown name', () => {
  test.each([
    ['teatre', 'Did you mean "theatre"? It has: city-library, theatre, sports-club.'],
    ['libary', 'Did you mean "city-library"? It has: city-library, theatre, sports-club.'],
    ['CLUB', 'Did you mean "sports-club"? It has: city-library, theatre, sports-club.'],
    ['museum', 'It has: city-library, theatre, sports-club.'],
  ])('%s: %s', (name, said) => expect(knownNames(name, SOURCES)).toBe(said));

  test('is answered with a few of many names, and how many more there are', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => `source-${index}`);
    expect(knownNames('nothing', many)).toMatch(/^It has: source-0, source-1, .* and 99,988 more\.$/);
  });

  test('is answered even if there are no names at all', () => {
    expect(knownNames('library', [])).toBe('It has: none.');
  });
});

describe('an unknown slug', () => {
  const SLUGS = [
    'play-1-2bodt2s63wcbgo',
    'play-10-2bodt2s63wcbga',
    'story-time-t7psc4and6ktmp',
    'story-time-t7psc4and6ktmq',
    'by-hand',
  ];
  test.each([
    ['play-1', ['play-1-2bodt2s63wcbgo']],
    ['play-1-2bodt2s63wcbgo__trashed', ['play-1-2bodt2s63wcbgo']],
    ['story-time-t7psc4and6ktmq-2', ['story-time-t7psc4and6ktmq']],
    ['play-1-2bodt2s63wcbgx', ['play-1-2bodt2s63wcbgo']],
    ['stoy-time', ['story-time-t7psc4and6ktmp', 'story-time-t7psc4and6ktmq']],
    ['by-hnad', ['by-hand']],
    ['museum', []],
    ['play-10-2bodt2s6', ['play-10-2bodt2s63wcbga']],
  ])('%s may mean %j', (slug, meant) => expect(slugsMeant(slug, SLUGS)).toEqual(meant));
});
