import { describe, expect, test } from 'vitest';
import { CANDIDATES_MAX, candidatesFor } from '../../../src/cli/complete/candidates.ts';
import { wantedAt, splitOptionValues, type Shape } from '../../../src/cli/complete/wanted.ts';

const APPROVE: Shape = {
  usage: 'approve <run> [source]',
  options: [
    ['--except <slugs...>', 'leave these events as they are'],
    ['-o, --output <file>', 'the file to write'],
    ['--reason <text>', 'why'],
  ],
};
const SYNC: Shape = { usage: 'sync [sources...]', options: [['--full', 'compare everything']] };
const value = (name: string) => ({ kind: 'value', name });

describe('what is completed at the end of a command line', () => {
  test.each([
    [[''], APPROVE, { kind: 'command' }],
    [['app'], undefined, { kind: 'command' }],
    [['nonsense', ''], undefined, { kind: 'nothing' }],
    [['help', 'app'], undefined, { kind: 'command' }],
    [['help', 'approve', ''], undefined, { kind: 'nothing' }],
    [['approve', ''], APPROVE, value('run')],
    [['approve', 'last', ''], APPROVE, value('source')],
    [['approve', 'last', 'town', ''], APPROVE, { kind: 'nothing' }],
    [['approve', '--reason', 'be'], APPROVE, value('text')],
    [['approve', '--reason', 'because', ''], APPROVE, value('run')],
    [['approve', 'x', '--except', 'a', 'b', ''], APPROVE, value('slugs')],
    [['approve', 'x', '--except', 'a', '--reason', ''], APPROVE, value('text')],
    [['approve', '-o', 'x'], APPROVE, value('file')],
    [['approve', '--config', ''], APPROVE, value('file')],
    [['sync', 'a', 'b', ''], SYNC, value('sources')],
    [['sync', '--full', ''], SYNC, value('sources')],
  ])('%j', (words, shape, wanted) => expect(wantedAt(words, shape)).toEqual(wanted));

  test('options already given are not offered again, except those that take several values', () => {
    const wanted = wantedAt(['approve', '--except', 'a', '--json', '-o', 'file', '--'], APPROVE);
    expect(wanted.kind === 'option' && wanted.options.map(({ name }) => name)).toEqual([
      '--except',
      '--reason',
      '--config',
      '--help',
    ]);
  });
});

test.each([
  ['zsh and fish', ['approve', '--reason=be'], ['approve', '--reason', 'be'], '--reason='],
  ['zsh and fish, before the value', ['approve', '--reason='], ['approve', '--reason', ''], '--reason='],
  ['bash', ['approve', '--reason', '=', 'be'], ['approve', '--reason', 'be'], ''],
  ['bash, before the value', ['approve', '--reason', '='], ['approve', '--reason', ''], ''],
  ['all shells, further on', ['approve', '--reason=a=b', 'l'], ['approve', '--reason', 'a=b', 'l'], ''],
])('an option and its value are split as typed in %s', (_, typed, words, before) => {
  expect(splitOptionValues(typed)).toEqual({ words, before });
});

test('keys are offered in full, and by their last part, which follows the name of a source', async () => {
  const { words } = await candidatesFor('key', { config: undefined, ask: async () => [] }, '');
  expect(words).toEqual(expect.arrayContaining(['site.url', 'sources.NAME.every', 'every']));
  expect(words).toHaveLength(new Set(words).size);
  expect(words.length).toBeLessThan(CANDIDATES_MAX);
});
