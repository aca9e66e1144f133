import { readFileSync } from 'node:fs';
import path from 'node:path';
import { programHome } from '../support/daemon.ts';

// Stores the database that this version leaves behind, so that test/integration/db/upgrade.test.ts can upgrade it with
// every later one: `npm run keep-version`, or under another name `npm run keep-version -- 0.1.0-at-097`.

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
const file = path.resolve('test/released', `${process.argv[2] ?? version}.tar.zst`);
const home = await programHome(`builtin: { title: Town, timezone: Europe/Warsaw }
sources: { theatre: { url: "file:theatre.ics", language: pl, every: 1h } }
`);
try {
  await home.write('theatre.ics', readFileSync('config/samples/theatre.ics'));
  const commands = [
    ['sync'],
    ['password', 'clerk', '--account', '--role', 'editor'],
    ['password', 'clerk', 'program'],
    ['backup', file, '--yes'],
  ];
  for (const words of commands) {
    const { code, stdout, stderr } = await home.command(words);
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}:\n${stderr}`);
    // The other commands print passwords.
    if (words[0] === 'backup') process.stdout.write(stdout);
  }
} finally {
  await home.close();
}
