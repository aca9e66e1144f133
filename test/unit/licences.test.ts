import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { comingAlong } from '../../.ci/licences.js';

/** Licences under which a program of any licence may use a package as it is. */
const ALLOWED = ['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0'];
/**
 * Copyleft licences that cover only their own files: these libraries are separate and optional files, which users can
 * replace.
 */
const AS_LIBRARY: Readonly<Record<string, RegExp>> = {
  'MPL-2.0': /^@resvg\/resvg-js/,
  'LGPL-3.0-or-later': /^@img\/sharp-libvips-/,
  'Apache-2.0 AND LGPL-3.0-or-later': /^@img\/sharp-win32-/,
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT': /^@img\/sharp-wasm32$/,
};

const packages = comingAlong();
const isFine = ({ name, licence }: { name: string; licence: string }): boolean =>
  ALLOWED.includes(licence) || (AS_LIBRARY[licence]?.test(name) ?? false);

test('every package that is installed with the program has an allowed licence', () => {
  expect(packages.length).toBeGreaterThan(100);
  expect(packages.filter((each) => !isFine(each)).map(({ name, licence }) => `${name}: ${licence}`)).toEqual([]);
});

test('installed packages name the same licence as the lock file', () => {
  const installed = packages.filter(({ place }) => existsSync(path.join(place, 'package.json')));
  expect(installed.length).toBeGreaterThan(60);
  const other = installed.flatMap(({ place, name, licence }) => {
    const { license } = JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8')) as { license?: unknown };
    return license === licence ? [] : [`${name}: ${String(license)}, not ${licence}`];
  });
  expect(other).toEqual([]);
});

test('the check refuses other licences', () => {
  expect(isFine({ name: 'gnu', licence: 'GPL-3.0-only' })).toBe(false);
  expect(isFine({ name: 'other', licence: 'LGPL-3.0-or-later' })).toBe(false);
  expect(isFine({ name: 'none', licence: 'unknown' })).toBe(false);
});

test('no package runs an install script, whatever the version of npm', () => {
  expect(readFileSync('.npmrc', 'utf8')).toMatch(/^ignore-scripts=true$/m);
});
