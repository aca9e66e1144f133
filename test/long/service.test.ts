import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { needsProgram, output } from '../support/program.ts';
import { scratchPath } from '../support/scratch.ts';
import { textOf } from '../support/documents.ts';

// The unit that docs/production.md installs, as systemd itself sees it.

const UNIT = 'config/calsyncd.service';
const text = textOf(UNIT);
const directory = mkdtempSync(scratchPath('service'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
beforeEach((context) => needsProgram(context, 'systemd-analyze', ['--version'], 'apt-get install systemd'));

test('systemd knows each of its words', () => {
  // Its programs need not be installed where it is checked.
  const copy = path.join(directory, 'calsyncd.service');
  writeFileSync(copy, text.replace('/usr/bin/node', process.execPath));
  chmodSync(copy, 0o644);
  expect(output('sh', ['-c', `systemd-analyze verify --man=no ${copy} 2>&1`])).toBe('');
});

test('it leaves little to be attacked', () => {
  const said = output('systemd-analyze', ['security', '--offline=yes', '--threshold=20', UNIT]);
  expect(said).toMatch(/Overall exposure level for calsyncd\.service: [01]\.\d OK/);
});

test('it starts what there is, with variables that are read', () => {
  expect(existsSync(/\/opt\/calsyncd\/(\S+\.js) start$/m.exec(text)?.[1] ?? '')).toBe(true);
  const variables = [...(/^Environment=(.*)$/m.exec(text)?.[1] ?? '').matchAll(/([A-Z_]+)=/g)].map(([, name]) => name);
  expect(variables).toEqual(['CONFIG', 'DATA_DIR', 'NODE_COMPILE_CACHE']);
  const page = textOf('docs/production.md');
  for (const place of ['/opt/calsyncd', '/etc/calsyncd', '/var/lib/calsyncd', 'config/calsyncd.service'])
    expect(page).toContain(place);
});
