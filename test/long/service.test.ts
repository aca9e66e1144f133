import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { needsProgram, output } from '../support/program.ts';
import { scratchPath } from '../support/scratch.ts';
import { textOf } from '../support/documents.ts';

// The unit that docs/production.md installs, checked by systemd itself.

const UNIT = 'config/calsyncd.service';
const text = textOf(UNIT);
const directory = mkdtempSync(scratchPath('service'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
beforeEach((context) => needsProgram(context, 'systemd-analyze', ['--version'], 'apt-get install systemd'));

test('systemd accepts the unit without warnings', () => {
  // The programs need not be installed on this machine.
  const copy = path.join(directory, 'calsyncd.service');
  writeFileSync(copy, text.replace('/usr/bin/node', process.execPath));
  chmodSync(copy, 0o644);
  expect(output('sh', ['-c', `systemd-analyze verify --man=no ${copy} 2>&1`])).toBe('');
});

test('systemd rates the exposure of the unit as OK', () => {
  const said = output('systemd-analyze', ['security', '--offline=yes', '--threshold=20', UNIT]);
  expect(said).toMatch(/Overall exposure level for calsyncd\.service: [01]\.\d OK/);
});

const assignedIn = (script: string): readonly (readonly [name: string, value: string])[] =>
  [...script.matchAll(/\b([A-Z_]+)=(\/\S+|calsyncd)/g)].map(([, name = '', value = '']) => [name, value]);

test('the unit starts an existing file, sets the expected variables, and its paths are in the documentation', () => {
  expect(existsSync(/\/opt\/calsyncd\/(\S+\.js) start$/m.exec(text)?.[1] ?? '')).toBe(true);
  const variables = assignedIn(/^Environment=.*$/gm.exec(text)?.[0] ?? '').map(([name]) => name);
  expect(variables).toEqual(['CONFIG', 'DATA_DIR', 'NODE_COMPILE_CACHE']);
  const page = textOf('docs/production.md');
  for (const place of ['/opt/calsyncd', '/etc/calsyncd', '/var/lib/calsyncd', 'config/calsyncd.service'])
    expect(page).toContain(place);
});

const ENVIRONMENT = `# a comment
; another one
SITE_APPLICATION_PASSWORD=abcd efgh ijkl $HOME \`id\`
QUOTED="two  blanks"
  # an indented one
   \t
  INDENTED = "behind it"  \r
BACKSLASHES=pa\\ss\\\\word
IN_QUOTES="pa\\ss \\"\\$x"
IN_SINGLE_QUOTES='pa\\ss'
export SHELL_WORD=ignored
without a value
LAST='x=y'`;

test('commands get the settings of the service, and read its secrets as systemd does', (context) => {
  if (process.getuid?.() !== 0) return context.skip('it takes root');
  const script = textOf('config/calsyncd.sh');
  const ofService = [...text.matchAll(/^Environment=(.*)$/gm)].map(([, line = '']) => line).join(' ');
  // The service manager sets HOME for the service.
  const ofCommands = assignedIn(script).filter(([name]) => name !== 'HOME');
  expect(ofCommands.toSorted()).toEqual(assignedIn(ofService).toSorted());

  const printer = path.join(directory, 'printer.mjs');
  writeFileSync(printer, 'console.log(JSON.stringify([process.getuid(), process.argv.slice(2), process.env]))');
  writeFileSync(path.join(directory, 'environment'), ENVIRONMENT);
  chmodSync(directory, 0o755);
  const here = path.join(directory, 'calsyncd');
  const state = path.join(directory, 'state');
  const started = script
    .replaceAll('/etc/calsyncd/environment', path.join(directory, 'environment'))
    .replaceAll('/var/lib/calsyncd', state)
    .replace('-o calsyncd -g calsyncd', '-o nobody -g nogroup')
    .replace('--user=calsyncd', '--user=nobody')
    .replace('/usr/bin/node /opt/calsyncd/src/launch.js', `${process.execPath} ${printer}`);
  writeFileSync(here, started, { mode: 0o755 });
  const [uid, words, environment] = JSON.parse(output(here, ['show', 'a b'])) as [number, unknown, unknown];
  expect([uid, words]).toEqual([65_534, ['show', 'a b']]);
  expect(environment).toMatchObject({
    CONFIG: '/etc/calsyncd/calsyncd.yaml',
    SITE_APPLICATION_PASSWORD: 'abcd efgh ijkl $HOME `id`',
    QUOTED: 'two  blanks',
    INDENTED: 'behind it',
    BACKSLASHES: String.raw`pass\word`,
    IN_QUOTES: String.raw`pa\ss "$x`,
    IN_SINGLE_QUOTES: String.raw`pa\ss`,
    LAST: 'x=y',
  });
  expect(environment).not.toHaveProperty('SHELL_WORD');
  // Also before the first start of the service, for example when restoring a backup on a new machine.
  expect(statSync(state)).toMatchObject({ uid: 65_534 });
  expect(statSync(state).mode & 0o777).toBe(0o700);
  // Without arguments, the program would start a second daemon.
  expect((JSON.parse(output(here, [])) as unknown[])[1]).toEqual(['--help']);
});
