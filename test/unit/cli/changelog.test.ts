import { expect, test } from 'vitest';
import { compareVersions, newsSince } from '../../../src/cli/text/changelog.ts';

const CHANGELOG = `# Changelog

## 0.10.0, not released yet

- Third

## 0.2.0, 2027-03-01

### Feeds

- Second

## 0.1.0, 2027-01-01

The first version.
`;

test.each([
  ['0.1.0', '0.10.0', ['0.10.0', '0.2.0']],
  ['0.1.0', '0.2.0', ['0.2.0']],
  ['0.2.0', '0.2.0', []],
  [undefined, '0.2.0', ['0.2.0']],
  ['0.10.0', '0.2.0', []],
  ['0.0.1', '9.0.0', ['0.10.0', '0.2.0', '0.1.0']],
] as const)('news from %s to %s', (before, now, versions) =>
  expect(newsSince(CHANGELOG, before, now).map(({ version }) => version)).toEqual(versions),
);

test('an entry is shown as it is written', () =>
  expect(newsSince(CHANGELOG, '0.1.0', '0.2.0')).toEqual([{ version: '0.2.0', text: '### Feeds\n\n- Second' }]));

test('versions are compared number by number', () => {
  expect(['0.10.0', '0.2.0', '1.0.0', '0.2.0'].toSorted(compareVersions)).toEqual([
    '0.2.0',
    '0.2.0',
    '0.10.0',
    '1.0.0',
  ]);
});
