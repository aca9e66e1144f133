import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crossCheck } from '../../../src/config/cross-checks.ts';
import type { ConfigFile } from '../../../src/config/declaration.ts';
import { readConfigText } from '../../../src/config/read-file.ts';
import { resolveConfig } from '../../../src/config/resolve.ts';
import { repetitions } from '../../support/repetitions.ts';
import { anyText } from '../../support/any-text.ts';

const sample = readFileSync('config/calsyncd.yaml', 'utf8');
const pieces = [
  '\n',
  '  ',
  '\t',
  ':',
  ': ',
  '- ',
  '[',
  ']',
  '{',
  '}',
  '"',
  "'",
  '#',
  '&a',
  '*a',
  '<<: *a',
  '!!binary x',
  '? ',
  '---\n',
  '|',
  '>',
  '%',
  '${X}',
  '${',
  '__proto__: 1',
  '~',
  'null',
  '0',
  '1e9',
  '.inf',
  'sources',
  'url',
  'every: 1h',
  '\u0000',
  '\ufeff',
  '😀',
];

// A valid file as a person (or a cat on the keyboard) may have damaged it.
const damaged = fc
  .array(
    fc.record({
      at: fc.nat(sample.length),
      cut: fc.nat(30),
      put: fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 8 })),
    }),
    { maxLength: 6 },
  )
  .map((edits) => edits.reduce((text, { at, cut, put }) => text.slice(0, at) + put + text.slice(at + cut), sample));

function read(text: string): void {
  const { content, reading } = readConfigText('f.yaml', text, {});
  crossCheck(content, reading);
  const lines = text.split('\n').length;
  for (const { message, where } of [...reading.problems, ...reading.warnings]) {
    expect(message).toMatch(/[.?]$/);
    expect(where.line ?? 1).toBeLessThanOrEqual(lines);
  }
  expect(
    reading.problems.length > 0 ||
      resolveConfig(content as ConfigFile, '/f.yaml').sources.every(({ url, name }) => url !== '' && name !== ''),
  ).toBe(true);
}

test('no text makes reading throw, and what is accepted is usable', () => {
  fc.assert(fc.property(damaged, read), { numRuns: repetitions(1_500) });
  fc.assert(fc.property(anyText(), read), { numRuns: repetitions(300) });
});

test('aliases that grow exponentially are read quickly', () => {
  const levels = Array.from({ length: 30 }, (_, level) => `l${level + 1}: &l${level + 1} [*l${level}, *l${level}]`);
  const { reading } = readConfigText(
    'f.yaml',
    `l0: &l0 [a, a]\n${levels.join('\n')}\nsources: *l30\nfetch: { allow_files: *l30 }\n`,
    {},
  );
  expect(reading.problems.length).toBeGreaterThan(30);
});
