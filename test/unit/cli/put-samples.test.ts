import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { putSamples } from '../../../src/cli/open/put-samples.ts';
import { withCommandAsCalled } from '../../../src/cli/terminal/output.ts';
import { loadConfig } from '../../../src/config.ts';
import { scratchPath } from '../../support/scratch.ts';

const directory = mkdtempSync(scratchPath('samples'));
const file = path.join(directory, 'config', 'calsyncd.yaml');
afterEach(() => rmSync(path.join(directory, 'config'), { recursive: true, force: true }));
afterAll(() => rmSync(directory, { recursive: true }));

test('an empty folder gets the sample configuration, which has no problems', () => {
  expect(putSamples(file)).toBe(`There was no configuration here, so a sample was put into ${file}.`);
  expect(readFileSync(file)).toEqual(readFileSync('config/calsyncd.yaml'));
  expect(loadConfig({ path: file, env: {} })).toMatchObject({ problems: [], doubts: [], warnings: [] });
});

test('an existing configuration folder stays as it is, even an empty one', () => {
  mkdirSync(path.dirname(file));
  expect(putSamples(file)).toBeUndefined();
  expect(readdirSync(path.dirname(file))).toEqual([]);
});

test('a folder with a configuration keeps it, and gets nothing else', () => {
  mkdirSync(path.dirname(file));
  writeFileSync(file, '# mine\n');
  expect(putSamples(file)).toBeUndefined();
  expect(readdirSync(path.dirname(file))).toEqual(['calsyncd.yaml']);
  expect(readFileSync(file, 'utf8')).toBe('# mine\n');
});

test('where nothing can be written, the message says why', () => {
  writeFileSync(path.join(directory, 'config'), '');
  const below = path.join(directory, 'config', 'more', 'calsyncd.yaml');
  expect(putSamples(below)).toMatch(/^There is no configuration here, and no sample can be put into .*: \w+/);
});

test('messages name commands as they are run in a checkout, from an installed package, or as set for a service', () => {
  const text = '"npm run -s calsyncd -- show 7" tells more';
  expect(withCommandAsCalled(text, '/home/ada/calsyncd/src', undefined)).toBe(text);
  expect(withCommandAsCalled(text, '/home/ada/town/node_modules/calsyncd/src', undefined)).toBe(
    '"npx calsyncd show 7" tells more',
  );
  expect(withCommandAsCalled(text, '/opt/calsyncd/src', 'calsyncd')).toBe('"calsyncd show 7" tells more');
});
