import { expect, test } from 'vitest';
import {
  addressOf,
  choiceOf,
  chosenSources,
  type Listed,
  type ListChoice,
} from '../../../src/operator/sources/list-choice.ts';
import type { SourceFacts, StateWord } from '../../../src/run/watch/source-state.ts';

const listed = (source: string, word: StateWord, next: number | null, changes = 0, conflicts = 0): Listed => ({
  facts: { source, site: 'builtin', conflicts } as SourceFacts,
  state: { word, since: null, mustAct: word === 'held' ? 'you' : 'nobody', next },
  changes,
});
const ALL = [
  listed('museum', 'well', 3, 9),
  listed('choir', 'well', 2, 0, 1),
  listed('theatre', 'held', 5, 4),
  listed('parish', 'paused', null, 0, 2),
  listed('cinema', 'failing', 4),
];
const names = (choice: Partial<ListChoice>): readonly string[] =>
  chosenSources(ALL, { ...choiceOf(new URLSearchParams()), ...choice }).map(({ facts }) => facts.source);

test.each([
  [{}, ['theatre', 'cinema', 'parish', 'choir', 'museum']],
  [{ sort: 'name' }, ['choir', 'cinema', 'museum', 'parish', 'theatre']],
  [{ sort: 'next' }, ['choir', 'museum', 'cinema', 'theatre', 'parish']],
  [{ sort: 'changes' }, ['museum', 'theatre', 'choir', 'cinema', 'parish']],
  [{ state: 'you' }, ['theatre', 'choir']],
  [{ state: 'well' }, ['choir', 'museum']],
  [{ find: 'M' }, ['cinema', 'museum']],
] as const)('%j shows %j', (choice, shown) => expect(names(choice)).toEqual(shown));

test('an address contains the choice, without any defaults', () => {
  const choice: ListChoice = { state: 'failing', sort: 'next', find: 'a & b', page: 2 };
  expect(addressOf(choice)).toBe('/sources/?state=failing&sort=next&q=a+%26+b&page=2');
  expect(choiceOf(new URL(addressOf(choice), 'http://town.example').searchParams)).toEqual(choice);
  expect(addressOf(choiceOf(new URLSearchParams('state=odd&sort=toString&page=-1')))).toBe('/sources/');
});
