import { expect, test } from 'vitest';
import { nestedRepetition } from '../../../src/sync/drafts/nested-repetition.ts';
import { groupRepeatingRules, slowRules } from '../../../src/sync/drafts/slow-rules.ts';

test.each(['(a+)+', '^(\\w+\\s?)*$', '(?i)(?:a|b)+x', '((ab)*)*', '([a-z]+){2,}', '(x|y){3,}', '(?<name>a*)*'])(
  '%s may take for ever',
  (matches) => {
    expect(slowRules({ only: [], skip: [{ field: 'title', matches }] })).toEqual([
      `skip { field: title, matches: "${matches}" }`,
    ]);
  },
);
test.each([
  '^Jazz',
  '(?i)jazz|rock',
  '^(a|b)$',
  '(\\+)+',
  '[(+]+',
  'a+b*c{2,}',
  '(ab)+',
  '(?:Mon|Tue)day',
  ')+',
  '(a+){2}',
])('%s does not take for ever', (matches) => {
  expect(slowRules({ only: [{ field: 'title', matches }], skip: [] })).toEqual([]);
});
test.each([
  ['(a?a?)*', true],
  ['^(a|a){50}$', true],
  ['(ab)+c', true],
  ['a+b*c{2,}', false],
  ['(\\))+', true],
  ['\\)+', false],
  ['(a|b)?', false],
])('%s repeats a group: %s', (matches, isIt) => {
  const rules = { only: [], skip: [], set: [{ when: [{ field: 'title', matches }], only_where_empty: false }] };
  expect(groupRepeatingRules(rules)).toHaveLength(isIt ? 1 : 0);
});
test('a very long expression counts as slow without being analysed', () => {
  expect(nestedRepetition('[('.repeat(500_000))).toEqual({ from: 0, to: 1_000_000 });
});
test('rules are named by their place in the settings', () => {
  const rule = { field: 'title', matches: '(a+)+' };
  expect(
    slowRules({
      only: [rule],
      skip: [],
      set: [
        { when: [], only_where_empty: false },
        { when: [rule], only_where_empty: false },
      ],
    }),
  ).toEqual(['only { field: title, matches: "(a+)+" }', 'set 2, when { field: title, matches: "(a+)+" }']);
});
