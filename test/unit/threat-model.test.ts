import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const model = readFileSync('docs/threat-model.md', 'utf8');
const rows = model
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  .filter(([first = '']) => !/^(?:tries|-+)$/.test(first));

test('the model is a page of rows: what an attacker tries, what stops it, and the test that tries it', () => {
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter((row) => row.length !== 3 || row.some((cell) => cell === ''))).toEqual([]);
  expect(model.split('\n').length).toBeLessThan(80);
});

describe.each(rows)('%s: %s', (_tries, _stops, attack = '') => {
  test('the test that tries it exists', () => {
    const [, file = '', title = ''] = /^`(test\/[\w/-]+\.test\.ts)`: (.+)$/.exec(attack) ?? [];
    expect({ attack, exists: existsSync(file) }).toEqual({ attack, exists: true });
    const text = readFileSync(file, 'utf8');
    expect(['"', "'", '`'].filter((quote) => text.includes(`${quote}${title}${quote}`))).toHaveLength(1);
  });
});

test('the model and the page on reporting gaps link to each other', () => {
  expect(model).toContain('](../SECURITY.md)');
  expect(readFileSync('SECURITY.md', 'utf8')).toContain('](docs/threat-model.md)');
});
