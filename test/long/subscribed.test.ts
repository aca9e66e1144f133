import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { programHome, type Home } from '../support/daemon.ts';
import { output, outputAsync, isInstalled } from '../support/program.ts';

// Subscribers of a running feed see its changes.

let home: Home | undefined;
afterEach(() => home?.close());

const YAML = `builtin: { title: Town calendar, timezone: Europe/Warsaw }
sources:
  library: { url: "file:library.ics", every: 30d, window: { past: 400d, future: 4000d } }
feeds:
  all: { title: Everything on, window: { past: 400d, future: 4000d } }
`;

interface Told {
  readonly title: string;
  readonly start: string;
  readonly status?: string;
  readonly sequence?: number;
}

const calendar = (events: readonly Told[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//library//events//EN',
    ...events.flatMap(({ title, start, status = 'CONFIRMED', sequence = 0 }) => [
      'BEGIN:VEVENT',
      `UID:${title.toLowerCase()}@library.example`,
      'DTSTAMP:20260101T000000Z',
      `SEQUENCE:${sequence}`,
      `DTSTART;TZID=Europe/Warsaw:${start}`,
      'DURATION:PT2H',
      `SUMMARY:${title}`,
      `STATUS:${status}`,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
    '',
  ].join('\r\n');

/** A year that is entirely in the future. */
const YEAR = new Date().getUTCFullYear() + 2;
const jazz: Told = { title: 'Jazz', start: `${YEAR}0301T180000` };
const chess: Told = { title: 'Chess', start: `${YEAR}0302T180000` };
const STAGES: readonly (readonly [name: string, events: readonly Told[], seen: readonly string[]])[] = [
  ['subscribed', [jazz], [`${YEAR}-03-01T17:00 ${YEAR}-03-01T19:00 Jazz`]],
  [
    'a new event',
    [jazz, chess],
    [`${YEAR}-03-01T17:00 ${YEAR}-03-01T19:00 Jazz`, `${YEAR}-03-02T17:00 ${YEAR}-03-02T19:00 Chess`],
  ],
  // Moved across the change to summer time.
  [
    'a moved event',
    [{ ...jazz, start: `${YEAR}0401T193000`, sequence: 1 }, chess],
    [`${YEAR}-03-02T17:00 ${YEAR}-03-02T19:00 Chess`, `${YEAR}-04-01T17:30 ${YEAR}-04-01T19:30 Jazz`],
  ],
  [
    'a cancelled event',
    [
      { ...jazz, start: `${YEAR}0401T193000`, sequence: 1 },
      { ...chess, status: 'CANCELLED', sequence: 1 },
    ],
    [`${YEAR}-03-02T17:00 ${YEAR}-03-02T19:00 Chess CANCELLED`, `${YEAR}-04-01T17:30 ${YEAR}-04-01T19:30 Jazz`],
  ],
];

/** What a subscriber sees now; one that fetches in the background waits for `expected`. */
type See = (expected: readonly string[]) => Promise<readonly string[]>;

/** Subscribes the programs that are installed to a feed. */
async function subscribers(directory: string, url: string): Promise<Readonly<Record<string, See>>> {
  return {
    ...(isInstalled('vdirsyncer', ['--version'], 'apt-get install vdirsyncer') &&
    isInstalled('khal', ['--version'], 'apt-get install khal')
      ? { 'vdirsyncer and khal': await byVdirsyncer(directory, url) }
      : {}),
    ...(isInstalled(
      'dbus-run-session',
      ['--', '/usr/bin/python3', '-c', EVOLUTION_NEEDS],
      'apt-get install evolution-data-server gir1.2-ecal-2.0 python3-gi dbus',
    )
      ? { 'evolution-data-server': await byEvolution(directory, new URL(url)) }
      : {}),
  };
}

test('third-party programs follow a running feed with new, moved and cancelled events', async (context) => {
  home = await programHome(YAML);
  await home.write('library.ics', calendar([jazz]));
  const daemon = home.start();
  await daemon.ready();
  const programs = await subscribers(home.directory, `${daemon.url}/feeds/all.ics`);
  if (Object.keys(programs).length === 0)
    context.skip('NOT RUN: neither khal and vdirsyncer nor evolution-data-server are installed');
  for (const [name, events, seen] of STAGES) {
    await home.write('library.ics', calendar(events));
    expect((await home.command(['sync', 'library'])).code).toBe(0);
    for (const [program, see] of Object.entries(programs))
      expect([name, program, await see(seen)]).toEqual([name, program, seen]);
  }
});

/** A home in which GNOME's evolution-data-server has the feed as its only calendar. */
async function byEvolution(directory: string, { hostname, port, pathname }: URL): Promise<See> {
  const place = path.join(directory, 'evolution');
  await mkdir(path.join(place, 'config', 'evolution', 'sources'), { recursive: true });
  await mkdir(path.join(place, 'run'), { mode: 0o700 });
  await writeFile(
    path.join(place, 'config', 'evolution', 'sources', 'feed.source'),
    [
      '[Data Source]',
      'DisplayName=Feed',
      'Enabled=true',
      'Parent=webcal-stub',
      '[Security]',
      'Method=none',
      '[Refresh]',
      'Enabled=false',
      '[Authentication]',
      `Host=${hostname}`,
      'Method=none',
      `Port=${port}`,
      '[WebDAV Backend]',
      `ResourcePath=${pathname}`,
      '[Calendar]',
      'BackendName=webcal',
      '',
    ].join('\n'),
  );
  // Independent of the machine: no network manager, no desktop settings.
  const env = {
    HOME: place,
    XDG_CONFIG_HOME: path.join(place, 'config'),
    XDG_DATA_HOME: path.join(place, 'data'),
    XDG_CACHE_HOME: path.join(place, 'cache'),
    XDG_RUNTIME_DIR: path.join(place, 'run'),
    GIO_USE_NETWORK_MONITOR: 'base',
    GSETTINGS_BACKEND: 'memory',
  };
  return async (expected) =>
    JSON.parse(
      await outputAsync('dbus-run-session', ['--', '/usr/bin/python3', '-c', EVOLUTION, JSON.stringify(expected)], {
        env,
      }),
    ) as readonly string[];
}

const EVOLUTION_NEEDS = `import gi
gi.require_version('EDataServer', '1.2')
gi.require_version('ECal', '2.0')
from gi.repository import EDataServer, ECal
registry = EDataServer.SourceRegistry.new_sync(None)`;

// evolution-data-server fetches in the background, so this polls until it has what is expected or time is up.
const EVOLUTION = `${EVOLUTION_NEEDS}
import datetime, json, sys, time
client = ECal.Client.connect_sync(registry.ref_source('feed'), ECal.ClientSourceType.EVENTS, 1, None)
client.refresh_sync(None)
def told(value):
    _, zone = client.get_timezone_sync(value.get_tzid(), None)
    return datetime.datetime.fromtimestamp(value.as_timet_with_zone(zone), datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M')
def seen():
    _, events = client.get_object_list_sync('#t', None)
    cancelled = lambda e: ['CANCELLED'] if e.get_status().value_nick == 'cancelled' else []
    return sorted(' '.join([told(e.get_dtstart()), told(e.get_dtend()), e.get_summary()] + cancelled(e)) for e in events)
until = time.monotonic() + 120
while seen() != json.loads(sys.argv[1]) and time.monotonic() < until: time.sleep(0.1)
print(json.dumps(seen()))`;

/** A home in which vdirsyncer fetches the feed, and khal shows it in UTC. */
async function byVdirsyncer(directory: string, url: string): Promise<See> {
  const place = path.join(directory, 'subscriber');
  await mkdir(path.join(place, 'feed'), { recursive: true });
  await writeFile(
    path.join(place, 'vdirsyncer'),
    [
      '[general]',
      `status_path = "${place}/status/"`,
      '[pair feed]',
      'a = "web"',
      'b = "files"',
      'collections = null',
      'conflict_resolution = "a wins"',
      'partial_sync = "revert"',
      '[storage web]',
      'type = "http"',
      `url = "${url}"`,
      '[storage files]',
      'type = "filesystem"',
      `path = "${place}/feed/"`,
      'fileext = ".ics"',
      '',
    ].join('\n'),
  );
  await mkdir(path.join(place, 'config', 'khal'), { recursive: true });
  await writeFile(
    path.join(place, 'config', 'khal', 'config'),
    [
      '[calendars]',
      '[[feed]]',
      `path = ${place}/feed/`,
      'type = calendar',
      '[sqlite]',
      `path = ${place}/khal.db`,
      '[locale]',
      'local_timezone = UTC',
      'default_timezone = UTC',
      'timeformat = %H:%M',
      'dateformat = %Y-%m-%d',
      'longdateformat = %Y-%m-%d',
      'datetimeformat = %Y-%m-%dT%H:%M',
      'longdatetimeformat = %Y-%m-%dT%H:%M',
      '[default]',
      'default_calendar = feed',
      '',
    ].join('\n'),
  );
  const env = {
    VDIRSYNCER_CONFIG: path.join(place, 'vdirsyncer'),
    XDG_CONFIG_HOME: path.join(place, 'config'),
    HOME: place,
    XDG_DATA_HOME: place,
  };
  await outputAsync('vdirsyncer', ['discover'], { env });
  return async () => {
    await outputAsync('vdirsyncer', ['--verbosity', 'ERROR', 'sync'], { env });
    const listed = output(
      'khal',
      [
        '--no-color',
        'list',
        '--once',
        '--day-format',
        '',
        '--format',
        '{start-long-full} {end-long-full} {title} {cancelled}',
        `${YEAR}-01-01T00:00`,
        `${YEAR}-12-31T00:00`,
      ],
      { env },
    );
    return listed
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  };
}
