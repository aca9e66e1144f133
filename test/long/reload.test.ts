import { readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { programHome, type Daemon, type Home } from '../support/daemon.ts';
import { until } from '../support/until.ts';

const SAMPLES = path.resolve('config/samples');
const config = (title: string, ...sources: readonly string[]): string =>
  `builtin: { title: ${title} }\nsources:\n${sources.join('')}fetch: { allow_files: [${SAMPLES}] }\n`;
const THEATRE = `  theatre: { url: "file:${SAMPLES}/theatre.ics" }\n`;
const LIBRARY = `  library: { url: "file:${SAMPLES}/library.ics" }\n`;

let home: Home | undefined;
afterEach(async () => {
  await home?.close();
  home = undefined;
});

const titled = (daemon: Daemon, title: string): Promise<true> =>
  until(`the title ${title}`, async () => {
    const page = await fetch(`${daemon.url}/`).then((answer) => answer.text());
    return page.includes(`<title>${title}`) ? (true as const) : undefined;
  });
const statusOf = async (daemon: Daemon, address: string): Promise<number> =>
  (await fetch(`${daemon.url}${address}`)).status;

test('an edited file takes effect without a restart, a broken one changes nothing, and the next good one is used again', async () => {
  home = await programHome(config('Town', THEATRE));
  const daemon = home.start();
  await daemon.ready();
  const told = daemon.heard('"changes":"1 source new; builtin.title changed"');
  await home.write('calsyncd.yaml', config('City', THEATRE, LIBRARY));
  await told;
  await titled(daemon, 'City');
  await until('a run of the new source', () => /"source":"library"/.test(daemon.stderr()) || undefined);

  const broken = daemon.heard('calsyncd.yaml:3:');
  await home.write('calsyncd.yaml', `builtin: { title: Village }\nsources:\n  library: { url: 3\n`);
  await broken;
  expect([await statusOf(daemon, '/readyz'), await statusOf(daemon, '/')]).toEqual([200, 200]);
  const doctor = await home.command(['doctor', '--config', await home.write('other.yaml', config('City', THEATRE))]);
  expect(doctor.stdout).toMatch(/^BAD +configuration[\s\S]*calsyncd\.yaml:3:/m);

  const mended = daemon.heard('"changes":"1 source removed; builtin.title changed"');
  const removed = daemon.heard('"sources":["theatre"],"msg":"sources were removed; their events stay on the site.');
  await home.write('calsyncd.yaml', config('Village', LIBRARY));
  await mended;
  await removed;
  await titled(daemon, 'Village');
  expect((await daemon.stop('SIGTERM')).code).toBe(0);
});

test('SIGHUP reloads the file at once', async () => {
  home = await programHome(config('Town', THEATRE));
  const daemon = home.start();
  await daemon.ready();
  await home.write('calsyncd.yaml', config('City', THEATRE));
  const told = daemon.heard('"changes":"builtin.title changed"');
  process.kill(daemon.pid(), 'SIGHUP');
  await told;
  await titled(daemon, 'City');
  expect((await daemon.stop('SIGTERM')).code).toBe(0);
});

test('each of several processes notices that a mounted folder was swapped', async () => {
  home = await programHome('');
  const { directory } = home;
  rmSync(path.join(directory, 'calsyncd.yaml'));
  for (const [version, text] of [
    ['one', config('Town', THEATRE)],
    ['two', config('City', THEATRE, LIBRARY)],
  ] as const) {
    await mkdir(path.join(directory, version));
    await writeFile(path.join(directory, version, 'calsyncd.yaml'), text);
  }
  symlinkSync('one', path.join(directory, '..data'));
  symlinkSync(path.join('..data', 'calsyncd.yaml'), path.join(directory, 'calsyncd.yaml'));
  const web = home.start(['--role', 'web']);
  await web.ready();
  const worker = home.start(['--role', 'worker']);
  await worker.ready();
  const heard = [web, worker].map((daemon) => daemon.heard('"changes":"1 source new; builtin.title changed"'));
  symlinkSync('two', path.join(directory, '..data_tmp'));
  renameSync(path.join(directory, '..data_tmp'), path.join(directory, '..data'));
  await Promise.all(heard);
  await titled(web, 'City');
  await until('a run of the new source', () => /"source":"library"/.test(worker.stderr()) || undefined);
  expect(readFileSync(path.join(directory, 'one', 'calsyncd.yaml'), 'utf8')).toContain('Town');
  expect(await readFile(home.env['CONFIG'] ?? '', 'utf8')).toContain('City');
});
