// After `npm install`: takes out of the lock file which Node.js each package asks for. npm compares that with the
// Node.js that
// runs npm, and warns; but the packages run on the one that comes along (src/launch.js). Those that npm runs itself
// keep theirs.
import { readFileSync, writeFileSync } from 'node:fs';

const RUN_BY_NPM = ['node_modules/oxfmt', 'node_modules/oxlint'];

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
for (const [place, entry] of Object.entries(lock.packages)) {
  if (place !== '' && !entry.optional && !RUN_BY_NPM.includes(place)) delete entry.engines;
}
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
