import { expect, test } from 'vitest';
import { namesInCell } from '../../../src/csv/names-in-cell.ts';

test.each<[string, readonly string[]]>([
  ['', []],
  ['Rock', ['Rock']],
  ['Rock, Roll', ['Rock', 'Roll']],
  ['Rock; Roll|Jazz\nRock', ['Rock', 'Roll', 'Jazz']],
  [String.raw`C:\a, C:\b`, [String.raw`C:\a`, String.raw`C:\b`]],
  ['Rock, Roll;', ['Rock, Roll']],
  ['Rock, Roll; Jazz|Blues ; ', ['Rock, Roll', 'Jazz|Blues']],
  [String.raw`a\;b; \\;`, ['a;b', '\\']],
  [String.raw`C:\a; D:\b;`, [String.raw`C:\a`, String.raw`D:\b`]],
  // No semicolon ends this list, so another program wrote it: the backslash belongs to the name.
  [String.raw`Rock, Roll\;`, ['Rock', 'Roll\\']],
  [';', []],
  [';;', []],
])('the names in %j are %j', (cell, names) => expect(namesInCell(cell, /[,;|\n]/)).toEqual(names));

test('cells crafted to be slow are read', () => {
  for (const cell of [`${'\\'.repeat(30_001)};`, `${'\\;'.repeat(20_000)}x;`, `${';\\\\'.repeat(20_000)};`])
    expect(namesInCell(cell, /[,;|\n]/).length).toBeGreaterThan(0);
});
