import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Entry {
  readonly engines?: { readonly node?: string };
  readonly optional?: boolean;
}
const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;
const about = read<{ engines: { node: string }; scripts: Record<string, string> }>('package.json');
const { packages } = read<{ packages: Record<string, Entry> }>('package-lock.json');

test('the package asks only for a Node.js that starts the launcher', () => {
  expect(about.engines.node).toBe('>=18');
  expect(packages['']?.engines).toEqual(about.engines);
});

test('npm warns of no engines: after a change of dependencies, run "npm run lock"', () => {
  // npm compares the engines of all but optional packages with the Node.js that runs npm.
  const compared = Object.entries(packages)
    .filter(([place, { engines, optional }]) => place !== '' && engines && !optional)
    .map(([place]) => place);
  expect(compared).toEqual([]);
  const onAnother = Object.entries(about.scripts)
    .filter(([, script]) => !/launch\.js|^(?:REPETITIONS=1 )?npm /.test(script))
    .map(([name]) => name);
  expect(onAnother).toEqual([]);
});
