import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { firstScreen, headline } from '../../src/cli/open/tell-start.ts';
import { loadConfig } from '../../src/config.ts';

const root = path.resolve(import.meta.dirname, '../..');
const readme = readFileSync(path.join(root, 'README.md'), 'utf8');

describe('the README', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const named = new Set(
    [...readme.matchAll(/\bnpm (?:run (?:-s )?([\w:-]+)|(start|test)\b)/g)].map(([, run, short]) => run ?? short),
  );

  test.each(['start', 'check', 'test', 'bench', 'calsyncd'])('the script %s is in package.json', (script) => {
    expect(Object.keys(scripts)).toContain(script);
    expect([...named]).toContain(script);
  });

  test('every script that it names is in package.json', () =>
    expect([...named].filter((script) => !Object.keys(scripts).includes(script ?? ''))).toEqual([]));

  test('its first screen is the one that a newcomer sees', () => {
    const { value: config } = loadConfig({ path: path.join(root, 'config/calsyncd.yaml'), env: {} });
    const publicUrl = 'http://127.0.0.1:8080';
    const where = { publicUrl, sites: [{ name: 'site', home: `${publicUrl}/`, isBuiltin: true }] };
    const screen =
      config &&
      headline(config) +
        firstScreen(config, where, { serves: true, syncs: true }, { login: 'admin', password: 'ECtg…' });
    expect(readme).toContain(`\`\`\`\n${screen}`);
  });

  test('the sample configuration has no problems', () => {
    expect(loadConfig({ path: path.join(root, 'config/calsyncd.yaml'), env: {} }).problems).toEqual([]);
  });
});
