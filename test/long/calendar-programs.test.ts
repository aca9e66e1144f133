import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { calendarReaders } from '../support/calendar-readers.ts';
import { needsProgram, output, outputAsync } from '../support/program.ts';
import { variedReadings } from '../support/varied-events.ts';
import { variedFeed } from '../support/varied-feed.ts';

// Third-party programs read what we export, with the same events, titles and instants.

let directory = '';
let file = '';
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'calsyncd-programs-'));
  file = path.join(directory, 'all.ics');
  await writeFile(file, await variedFeed());
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test('ical.js, node-ical, python3-icalendar and libical read the exported feed alike', () => {
  for (const [name, read] of Object.entries(calendarReaders()))
    expect([name, read(file).toSorted((a, b) => (a.uid < b.uid ? -1 : 1))]).toEqual([name, variedReadings]);
});

test('khal imports the exported feed', async (context) => {
  needsProgram(context, 'khal', ['--version'], 'apt-get install khal');
  const env = await khalHome('imported');
  khal(env, 'import', '--batch', '-a', 'feed', file);
  expect(readByKhal(env)).toEqual(asKhalReads());
});

test('vdirsyncer fetches the feed, and khal reads what it has fetched', async (context) => {
  needsProgram(context, 'vdirsyncer', ['--version'], 'apt-get install vdirsyncer');
  needsProgram(context, 'khal', ['--version'], 'apt-get install khal');
  const body = await variedFeed();
  const server = createServer((_request, response) =>
    response.writeHead(200, { 'content-type': 'text/calendar; charset=utf-8' }).end(body),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const env = await khalHome('fetched');
    const config = path.join(directory, 'vdirsyncer');
    await writeFile(
      config,
      [
        '[general]',
        `status_path = "${directory}/status/"`,
        '[pair feed]',
        'a = "web"',
        'b = "files"',
        'collections = null',
        'conflict_resolution = "a wins"',
        '[storage web]',
        'type = "http"',
        `url = "http://127.0.0.1:${(server.address() as AddressInfo).port}/feeds/all.ics"`,
        '[storage files]',
        'type = "filesystem"',
        `path = "${directory}/fetched/feed/"`,
        'fileext = ".ics"',
        '',
      ].join('\n'),
    );
    for (const args of [['discover'], ['sync']]) await outputAsync('vdirsyncer', ['-c', config, ...args]);
    expect(await readdir(path.join(directory, 'fetched/feed'))).toHaveLength(variedReadings.length);
    // vdirsyncer gives events UIDs of its own.
    expect(readByKhal(env).map(withoutUid).toSorted()).toEqual(asKhalReads().map(withoutUid).toSorted());
  } finally {
    server.close();
  }
});

async function khalHome(name: string): Promise<Record<string, string>> {
  const home = path.join(directory, name);
  await writeFile(
    path.join(directory, `${name}.conf`),
    [
      '[calendars]',
      '[[feed]]',
      `path = ${home}/feed/`,
      'type = calendar',
      '[sqlite]',
      `path = ${home}.db`,
      '[locale]',
      'local_timezone = UTC',
      'default_timezone = UTC',
      'timeformat = %H:%M:%S',
      'dateformat = %Y-%m-%d',
      'longdateformat = %Y-%m-%d',
      'datetimeformat = %Y-%m-%dT%H:%M:%S',
      'longdatetimeformat = %Y-%m-%dT%H:%M:%S',
      '[default]',
      'default_calendar = feed',
      '',
    ].join('\n'),
  );
  await mkdir(path.join(home, 'feed'), { recursive: true });
  return { KHAL_CONFIG: path.join(directory, `${name}.conf`), HOME: home, XDG_DATA_HOME: home };
}

const khal = (env: Record<string, string>, ...args: readonly string[]): string =>
  output('khal', ['--no-color', '-c', env['KHAL_CONFIG']!, ...args], { env });

function readByKhal(env: Record<string, string>): readonly string[] {
  const format = '{uid}|{start-long-full}|{end-long-full}|{title}';
  const text = khal(
    env,
    'list',
    '--once',
    '--notstarted',
    '--day-format',
    '',
    '--format',
    format,
    '2026-10-01T00:00:00',
    '2028-01-01T00:00:00',
  );
  return text
    .split('\n')
    .filter((line) => line.includes('|'))
    .toSorted();
}

const withoutUid = (line: string): string => line.slice(line.indexOf('|'));

/** In UTC to the second; for khal, an all-day event ends with its last day, and one without an end lasts an hour. */
function asKhalReads(): readonly string[] {
  return variedReadings
    .map(({ uid, title, start, end }) => {
      const last = typeof end === 'number' ? end + (end === start ? 3_600_000 : 0) : Date.parse(end) - 86_400_000;
      return [uid, told(typeof start === 'number' ? start : Date.parse(start)), told(last), title].join('|');
    })
    .toSorted();
}

const told = (instant: number): string => new Date(instant).toISOString().slice(0, 19);
