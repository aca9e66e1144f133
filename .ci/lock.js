// After `npm install`: takes out of the lock file which Node.js each package asks for. npm compares that with the
// Node.js that runs npm, and warns; but all of them run on the one that comes along (src/launch.js).
import { readFileSync, writeFileSync } from 'node:fs';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
for (const [place, entry] of Object.entries(lock.packages)) {
  if (place !== '' && !entry.optional) delete entry.engines;
}
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
