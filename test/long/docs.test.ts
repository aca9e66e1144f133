import { spawn } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LIBRARY } from '../support/docs-world.ts';
import { blocksIn, textOf } from '../support/documents.ts';
import { programHome, type Daemon, type Home } from '../support/daemon.ts';
import { body, feedServer, type FeedServer } from '../support/feed-server.ts';
import { coming, comingEvents } from '../support/coming.ts';
import { calendarText } from '../support/feed-text.ts';

// Types what docs/ tells people to type, into a shell beside a real daemon, page by page.

let home: Home;
let daemon: Daemon;
let feeds: FeedServer;
/** The commands that add the first source, which the other pages start from. */
let first: { readonly looked: Typed; readonly synced: Typed };

interface Typed {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Replaces the addresses of the examples by local servers, which the address guard has to let through. */
const here = (text: string): string =>
  text.replaceAll(LIBRARY, `${feeds.url}/`).replaceAll('http://127.0.0.1:8080', daemon.url);
const allowed = (configuration: string): string =>
  `${here(configuration)}\nfetch: { allow_addresses: [127.0.0.1/32] }\n`;

beforeAll(async () => {
  feeds = await feedServer();
  feeds.on('/events.ics', body(calendarText(comingEvents(12))));
  home = await programHome('fetch: { allow_addresses: [127.0.0.1/32] }\nsources: {}\n');
  daemon = home.start();
  await daemon.ready();
  const bin = path.join(home.directory, 'bin');
  await mkdir(bin);
  const program = path.resolve('src/launch.js');
  await writeFile(path.join(bin, 'calsyncd'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  await chmod(path.join(bin, 'calsyncd'), 0o755);
  const page = textOf('docs/first-source.md');
  const [look = '', sync = ''] = blocksIn(page, 'sh');
  const looked = await typed(look);
  await home.write('calsyncd.yaml', allowed(blocksIn(page, 'yaml')[0] ?? ''));
  first = { looked, synced: await typed(sync) };
});
afterAll(async () => {
  await home.close();
  await feeds.close();
});

async function typed(script: string): Promise<Typed> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', here(script)], {
    cwd: home.directory,
    env: { ...home.env, HOME: home.directory, PATH: `${path.join(home.directory, 'bin')}:${process.env['PATH']}` },
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    said.out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said.err += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve) => {
    child.once('close', resolve);
  });
  return { code, ...said };
}

/** Runs all shell blocks of a page in order; returns what each printed. */
async function walk(page: string): Promise<readonly string[]> {
  const outputs: string[] = [];
  for (const block of blocksIn(textOf(page), 'sh')) {
    const { code, out, err } = await typed(block);
    expect([page, block, code, code === 0 ? '' : `${out}${err}`]).toEqual([page, block, 0, '']);
    outputs.push(out);
  }
  return outputs;
}

test('the page about the first source adds it, with its events', async () => {
  expect(first.looked).toMatchObject({ code: 0, out: expect.stringContaining('To add it to the configuration:') });
  expect(first.synced).toMatchObject({ code: 0, out: expect.stringContaining('city-library') });
  const { out } = await typed('calsyncd events --json');
  expect(JSON.parse(out)).toMatchObject({ total: 12, bySource: { 'city-library': 12 } });
});

test('the pages about feeds and rules show what their commands preview', async () => {
  expect((await walk('docs/feeds.md'))[0]).toContain('Event number 1');
  expect((await walk('docs/rules.md'))[0]).toContain('Event number 1');
});

test('the table in the page about CSV is read as it stands', async () => {
  const [table = ''] = blocksIn(textOf('docs/csv.md'), 'csv');
  // Moved, because its dates pass.
  const ahead = table.replaceAll(/\b\d{4}-\d\d-\d\d\b/g, coming(0));
  expect(ahead).not.toBe(table);
  await writeFile(path.join(home.directory, 'table.csv'), ahead);
  const [preview = ''] = await walk('docs/csv.md');
  expect(preview).toContain('Story time');
  expect(preview).toContain('Chess evening');
});

test('programs read and write as the page about REST says', async () => {
  const page = 'docs/rest.md';
  const [read = '', written = '', mistaken = ''] = await walk(page);
  expect(read).toContain('"openapi":');
  expect(read).toContain('Event number');
  expect(JSON.parse(written.slice(written.indexOf('{"')))).toMatchObject({ title: 'Open day', status: 'publish' });
  const example = JSON.parse(blocksIn(textOf(page), 'json')[0] ?? '') as { code: string; data: { status: number } };
  expect(JSON.parse(mistaken)).toMatchObject({ code: example.code, data: { status: example.data.status } });
});

test('the page about the configuration shows its versions and restores one', async () => {
  await walk('docs/configuration.md');
  expect(await readFile(path.join(home.directory, 'calsyncd.yaml'), 'utf8')).not.toContain('city-library');
});

/** The blocks of a page, except for those for root on a server. */
const typedHere = (page: string): readonly string[] =>
  blocksIn(textOf(page), 'sh').filter((block) => !block.includes('sudo '));

test('a backup is made, inspected, refused and restored, and an upgrade is reverted', async () => {
  const [make = '', empty = '', replace = '', look = '', files = ''] = typedHere('docs/backup.md');
  const [before = '', after = '', back = ''] = typedHere('docs/upgrade.md');
  expect((await typed(make)).out).toMatch(/^Wrote .*town\.tar\.zst: /);
  expect((await typed(files)).out).toMatch(/^Wrote .*town-files\.tar\.zst: .* files of PostgreSQL/);
  expect((await typed(before)).code).toBe(0);
  expect((await typed(replace)).err).toContain('calsyncd is running on this database');
  const looked = await typed(look);
  expect([looked.code, looked.err]).toEqual([0, expect.not.stringContaining('rror')]);
  expect(looked.out).toContain('"what": "calsyncd backup"');
  await daemon.stop('SIGTERM');
  expect((await typed(empty)).err).toContain('add --yes to do it');
  const physical = files.replace('backup', 'restore').replace('--physical', '--yes');
  for (const block of [physical, replace, back]) expect((await typed(block)).out).toContain('Restored');
  expect((await typed(after)).out).toContain('"version --all" says what it brings');
  // The way to another data directory.
  const elsewhere = `export DATA_DIR=${path.join(home.directory, 'elsewhere')}\n`;
  expect((await typed(`${elsewhere}${empty}`)).out).toContain('Restored');
  expect(JSON.parse((await typed(`${elsewhere}calsyncd runs --json`)).out)).toMatchObject({
    runs: expect.arrayContaining([expect.objectContaining({ source: 'city-library', report: expect.anything() })]),
  });
});
