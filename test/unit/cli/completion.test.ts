import { describe, expect, test } from 'vitest';
import { wantedAt, type Shape } from '../../../src/cli/complete/wanted.ts';

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

describe('what is wanted at the end of a command line', () => {
  test.each([
    [[''], APPROVE, { kind: 'command' }],
    [['app'], undefined, { kind: 'command' }],
    [['nonsense', ''], undefined, { kind: 'nothing' }],
    [['approve', ''], APPROVE, value('run')],
    [['approve', 'last', ''], APPROVE, value('source')],
    [['approve', 'last', 'town', ''], APPROVE, { kind: 'nothing' }],
    [['approve', '--reason', 'be'], APPROVE, value('text')],
    [['approve', '--reason', 'because', ''], APPROVE, value('run')],
    [['approve', '--reason=because', ''], APPROVE, value('run')],
    [['approve', 'x', '--except', 'a', 'b', ''], APPROVE, value('slugs')],
    [['approve', 'x', '--except', 'a', '--reason', ''], APPROVE, value('text')],
    [['approve', '-o', 'x'], APPROVE, value('file')],
    [['approve', '--config', ''], APPROVE, value('file')],
    [['sync', 'a', 'b', ''], SYNC, value('sources')],
    [['sync', '--full', ''], SYNC, value('sources')],
  ])('%j', (words, shape, wanted) => expect(wantedAt(words, shape)).toEqual(wanted));

  test('options that are there already are not offered again, but for those that take several values', () => {
    const wanted = wantedAt(['approve', '--except', 'a', '--json', '-o', 'file', '--'], APPROVE);
    expect(wanted.kind === 'option' && wanted.options.map(({ name }) => name)).toEqual([
      '--except',
      '--reason',
      '--config',
      '--help',
    ]);
  });
});
