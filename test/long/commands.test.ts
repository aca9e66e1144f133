import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import about from '../../package.json' with { type: 'json' };
import { runProgram } from '../../src/cli/program.ts';
import { coming, comingEvents, comingStart } from '../support/coming.ts';
import { calendarText } from '../support/feed-text.ts';
import { programHome, type Daemon, type Ended, type Home } from '../support/daemon.ts';
import { sharedParser } from '../support/shared-parser.ts';

// Commands as people and programs use them: text, JSON, exit codes.

const YAML = `builtin: { title: Town calendar, timezone: Europe/Warsaw }
sources:
  library: { url: "file:library.ics", missing: { after: 1 } }
  theatre: { url: "file:theatre.ics" }
feeds:
  all: { title: Everything on }
`;

let home: Home;
let web: Daemon;
beforeAll(async () => {
  home = await programHome(YAML);
  await home.write('library.ics', calendarText(comingEvents(10)));
  await home.write(
    'theatre.ics',
    calendarText([
      { uid: 'play', title: 'A play', start: comingStart(0) },
      { uid: 'bad', title: 'A bad one', start: comingStart(0) },
    ]).replace(/(UID:bad\r\nDTSTAMP:\S+\r\n)DTSTART\S+/, '$1DTSTART:soon'),
  );
  // A running daemon keeps the database server up, so that each command only attaches to it.
  web = home.start(['--role', 'web']);
  await web.ready();
  for (const [name, value] of Object.entries({ ...home.env, LOG_LEVEL: 'fatal' })) vi.stubEnv(name, value);
});
afterAll(() => home.close());

/** Runs a command in a new process, to test the process itself: its start, its exit code, its streams to the end. */
const spawned = (...args: readonly string[]): Promise<Ended> => home.command(args);
/** Runs the same command line in this process: starting Node.js takes ten times as long as most commands. */
const command = async (...args: readonly string[]): Promise<Ended> => {
  const said = { stdout: '', stderr: '' };
  const code = await runProgram(args, {
    out: (text) => {
      said.stdout += text;
    },
    err: (text) => {
      said.stderr += text;
    },
    isTerminal: false,
    now: () => Date.now(),
    stopped: new Promise(() => undefined),
    parser: sharedParser,
  });
  return { code, ...said };
};
const json = <T>({ stdout }: Ended): T => JSON.parse(stdout) as T;
const total = async (): Promise<number> =>
  (
    (await (await fetch(`${web.url}/api/calendar/events/v1/events?starts_after=1971-01-01`)).json()) as {
      total: number;
    }
  ).total;
interface Reports {
  readonly runs: readonly {
    readonly run: string;
    readonly source: string;
    readonly state: string;
    readonly created: number;
    readonly writes: number;
    readonly problems: readonly { readonly code: string; readonly message: string; readonly where: object }[];
    readonly plan?: readonly object[];
  }[];
}

describe('help and wrong use', () => {
  test('--version prints the version of the program', async () => {
    expect(await spawned('--version')).toMatchObject({
      code: 0,
      stdout: `${about.version}\n`,
    });
  });

  test.each<{ args: readonly string[]; run?: typeof command }>([
    { args: ['nonsense'] },
    { args: ['sync', '--nonsense'], run: spawned },
    { args: ['show'] },
    { args: ['export'] },
    { args: ['password', 'only-a-user'] },
    { args: ['runs', '--limit', 'many'] },
    { args: ['start', '--role', 'king'] },
    { args: ['runs', 'a', 'b'] },
  ])('$args is wrong use: exit code 64, a message, and no stack trace', async ({ args, run = command }) => {
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).not.toBe('');
    expect(stderr).not.toMatch(/\bat .*\.ts:/);
  });
});

describe('check', () => {
  test('accepts a good file', async () => {
    expect(await command('check')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2 sources, 1 exported feed') as string,
    });
    expect(json(await spawned('check', '--json'))).toMatchObject({
      ok: true,
      problems: [],
      sources: ['library', 'theatre'],
      feeds: ['all'],
    });
  });

  test('lists every problem at once, with line and column', async () => {
    const file = await home.write(
      'bad.yaml',
      'sources:\n  library:\n    url: ftp://library.example/\n    every: ' +
        'often\n    unknown_key: 1\n  theatre:\n    timezone: Europe/Nowhere\n' +
        '    auth: { bearer: "${NOT_SET}" }\n',
    );
    const { code, stdout } = await command('check', '--json', '--config', file);
    expect(code).toBe(1);
    const { ok, problems } = JSON.parse(stdout) as {
      ok: boolean;
      problems: { where: { line?: number; column?: number }; message: string }[];
    };
    expect(ok).toBe(false);
    expect([...new Set(problems.map(({ where }) => where.line))].toSorted()).toEqual(
      [3, 4, 5, 6, 7, 8].filter((line) => problems.some(({ where }) => where.line === line)),
    );
    expect(problems.map(({ where }) => where.line)).toEqual(expect.arrayContaining([3, 4, 5, 7, 8]));
    expect(problems.filter(({ where }) => where.column === undefined)).toEqual([]);
    const inWords = await spawned('check', '--config', file);
    expect(inWords).toMatchObject({ code: 1, stdout: '' });
    expect(inWords.stderr).toMatch(/bad\.yaml:4:\d+, sources\.library\.every/);
  });

  test('says that a file does not exist', async () => {
    expect(await command('check', '--config', '/nowhere/calsyncd.yaml')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('/nowhere/calsyncd.yaml cannot be read: it does not exist') as string,
    });
  });
});

describe('sync, runs and show', () => {
  test('a dry run prints the plan, writes nothing and exits with 2', async () => {
    const dry = await spawned('sync', '--dry-run', '--json');
    expect(dry.code).toBe(2);
    const [library] = json<Reports>(dry).runs;
    expect(library).toMatchObject({ source: 'library', state: 'done', created: 10, writes: 0 });
    expect(library!.plan).toHaveLength(10);
    expect(library!.plan![0]).toMatchObject({
      action: 'create',
      title: 'Event number 0',
      because: 'new in the feed',
      fields: { title: { from: null, to: 'Event number 0' } },
    });
    const inWords = await command('sync', '--dry-run', 'library');
    expect(inWords).toMatchObject({ code: 2, stdout: expect.stringContaining('Event number 9') as string });
    expect(await total()).toBe(0);
    expect(json<{ runs: unknown[] }>(await command('runs', '--json')).runs).toEqual([]);
  });

  test('a run writes, reports problems with line and UID, and the next one has nothing to do', async () => {
    const first = await spawned('sync', '--json');
    expect(first.code).toBe(0);
    const [library, theatre] = json<Reports>(first).runs;
    expect(library).toMatchObject({ source: 'library', state: 'done', created: 10, problems: [] });
    expect(theatre).toMatchObject({
      source: 'theatre',
      state: 'done',
      created: 1,
      problems: [{ where: { uid: 'bad', line: expect.any(Number) as number } }],
    });
    expect(await total()).toBe(11);
    expect(await command('sync', '--dry-run')).toMatchObject({ code: 0 });
    expect(json<Reports>(await command('sync', '--json', '--full', 'library')).runs).toMatchObject([
      { source: 'library', state: 'unchanged', writes: 0 },
    ]);
    expect(await command('sync', 'library')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('10 unchanged') as string,
    });
  });

  test('runs lists the history, and show prints one run in full', async () => {
    const { runs } = json<{ runs: { run: string; source: string; state: string; times: number }[] }>(
      await command('runs', '--json'),
    );
    const [last, ...first] = runs.map(({ source, state, times }) => `${source} ${state} ${times}`);
    expect(last).toBe('library unchanged 2');
    // Both were read at the same time.
    expect(first.toSorted()).toEqual(['library done 1', 'theatre done 1']);
    expect(json<{ runs: unknown[] }>(await command('runs', 'theatre', '--json')).runs).toHaveLength(1);
    const { run } = runs.find(({ source, state }) => source === 'library' && state === 'done')!;
    expect((await command('runs', '--limit', '1')).stdout.split('\n')).toHaveLength(2);
    const shown = json<{ run: string; actions: { kind: string; outcome: { kind: string } }[] }>(
      await spawned('show', run, '--json'),
    );
    expect(shown).toMatchObject({ run, source: 'library', state: 'done' });
    expect(shown.actions).toHaveLength(10);
    expect((await command('show', run)).stdout).toContain('10 created');
    expect(await command('show', 'no-such-run')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('There is no run "no-such-run"') as string,
    });
  });

  test('a failed run exits with 1, a held one with 2, and neither writes', async () => {
    await home.write('library.ics', '<html>Log in</html>');
    const failed = await command('sync', 'library', '--json');
    expect(failed.code).toBe(1);
    expect(json<Reports>(failed).runs).toMatchObject([
      { state: 'failed', writes: 0, problems: [{ code: 'not-a-calendar' }] },
    ]);
    await home.write('library.ics', calendarText(comingEvents(10).filter((_, index) => index % 9 === 0)));
    const held = await spawned('sync', 'library', '--json');
    expect(held.code).toBe(2);
    expect(json<Reports>(held).runs).toMatchObject([{ state: 'held', writes: 0 }]);
    expect(await command('sync', 'library')).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('8 of 10') as string,
    });
    expect(await total()).toBe(11);
    await home.write('library.ics', calendarText(comingEvents(10)));
    expect(await command('sync', 'library')).toMatchObject({ code: 0 });
  });

  test('sync refuses a source that is not configured and names those that are', async () => {
    const { code, stderr } = await command('sync', 'museum');
    expect(code).not.toBe(0);
    expect(stderr).toContain('no source "museum". It has: library, theatre');
  });
});

describe('export and password', () => {
  test('export writes to standard output or to a file what the daemon serves', async () => {
    const { code, stdout } = await spawned('export', 'all');
    expect(code).toBe(0);
    expect(stdout.match(/^BEGIN:VEVENT\r$/gm)).toHaveLength(11);
    const file = path.join(home.directory, 'out.ics');
    expect(await spawned('export', 'all', '-o', file)).toMatchObject({ code: 0, stdout: '' });
    expect(await readFile(file, 'utf8')).toBe(stdout);
    expect(await (await fetch(`${web.url}/feeds/all.ics`)).text()).toBe(stdout);
    expect(json(await command('export', 'all', '-o', file, '--json'))).toMatchObject({ feed: 'all', events: 11, file });
    expect((await command('export', 'none')).code).toBe(64);
    expect(await command('export', 'all', '-o', '/nowhere/out.ics')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('/nowhere/out.ics cannot be written') as string,
    });
  });

  test('a password from the command line allows writing through the REST interface, within its role', async () => {
    const made = await spawned('password', 'anna', 'calendar app', '--json');
    expect(made.code).toBe(0);
    const { username, application_password: password } = json<{ username: string; application_password: string }>(made);
    const events = `${web.url}/api/calendar/events/v1/events`;
    const write = (authorization: string): Promise<Response> =>
      fetch(events, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({
          title: 'By hand',
          start_date: `${coming(60)} 10:00:00`,
          end_date: `${coming(60)} 11:00:00`,
        }),
      });
    expect((await write('')).status).toBe(401);
    expect((await write(`Basic ${btoa(`${username}:wrong`)}`)).status).toBe(401);
    expect((await write(`Basic ${btoa(`${username}:${password}`)}`)).status).toBe(201);
    expect((await command('password', 'anna', 'second')).stdout).toMatch(/(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}/);
    const { username: eva, application_password: secret } = json<{ username: string; application_password: string }>(
      await command('password', 'eva', 'phone', '--role', 'subscriber', '--email', 'eva@town.example', '--json'),
    );
    expect((await write(`Basic ${btoa(`${eva}:${secret}`)}`)).status).toBe(403);
    expect(await command('password', 'ewa', '--account', '--role', 'editor')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"ewa" (editor) signs in') as string,
    });
    // Runs ignore the event that a person created.
    expect(json<Reports>(await command('sync', '--full', '--json')).runs.map(({ state }) => state)).toEqual([
      'unchanged',
      'unchanged',
    ]);
    expect(await total()).toBe(12);
  });
});

describe('forget --event', () => {
  test('removes an event from the site and cancels it for subscribers at once, and no run brings it back', async () => {
    const find = async () =>
      (
        (await (
          await fetch(`${web.url}/api/calendar/events/v1/events?search=play&starts_after=1971-01-01`)
        ).json()) as { events: readonly { slug: string; title: string }[] }
      ).events;
    const [play] = await find();
    const feed = async (): Promise<string> => (await fetch(`${web.url}/feeds/all.ics`)).text();
    expect(await feed()).toContain('SUMMARY:A play');
    const { code, stdout } = await spawned('forget', '--event', play!.slug, '--yes');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /is now in the trash of the site\. Subscribers of a feed get it as cancelled/,
      ) as string,
    });
    expect(await find()).toEqual([]);
    const page = await fetch(`${web.url}/event/${play!.slug}/`);
    expect([page.status, /a play/i.test(await page.text())]).toEqual([410, false]);
    const cancelled = (await feed()).split('BEGIN:VEVENT').filter((event) => event.includes('STATUS:CANCELLED'));
    expect(cancelled).toEqual([expect.stringMatching(/^\r\nUID:[^\r]+@calsyncd\r\n/) as string]);
    expect(cancelled.join()).not.toMatch(/play|SUMMARY|LOCATION|DESCRIPTION/);
    expect(json<Reports>(await command('sync', '--full', '--json')).runs.map(({ created }) => created)).toEqual([0, 0]);
    expect(await find()).toEqual([]);
    expect(json(await command('forget', '--event', play!.slug, '--yes', '--json'))).toEqual({
      event: play!.slug,
      sites: [{ site: expect.any(String), trashed: false, uids: [expect.stringMatching(/@calsyncd$/)] }],
    });
    expect(await command('forget', '--event', 'nothing-of-the-kind', '--yes')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('has an event with the slug') as string,
    });
    for (const args of [['forget'], ['forget', 'theatre', '--event', play!.slug]])
      expect((await command(...args)).code).toBe(64);
  });
});

describe('users', () => {
  const users = async (): Promise<readonly string[]> =>
    json<{ users: readonly { username: string; role: string }[] }>(await command('users', '--json')).users.map(
      ({ username, role }) => `${username}: ${role}`,
    );

  test('are added with a password that signs in, change their role and are removed', async () => {
    const before = await users();
    const added = await command('users', 'add', 'zoe', 'author', '--email', 'zoe@town.example', '--json');
    expect(added.code).toBe(0);
    const { password } = json<{ password: string }>(added);
    expect(password).toMatch(/^\S{16,}$/);
    expect(await command('users', 'role', 'zoe', 'editor')).toMatchObject({
      code: 0,
      stdout: '"zoe" is now: editor.\n',
    });
    expect((await users()).filter((each) => !before.includes(each))).toEqual(['zoe: editor']);
    expect((await command('users')).stdout).not.toContain(password);
    expect(await command('users', 'remove', 'zoe')).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('add --yes to do it') as string,
    });
    expect(await command('users', 'remove', 'zoe', '--yes')).toMatchObject({ code: 0 });
    expect(await users()).toEqual(before);
  });

  test.each([
    'remove calsyncd',
    'role calsyncd author',
    'remove nobody',
    'add bert',
    'add bert king',
    'ad bert editor',
  ])('users %s changes nothing, and says why', async (words) => {
    const before = await users();
    const { code, stderr } = await command('users', ...words.split(' '), '--yes');
    expect([1, 64]).toContain(code);
    expect(stderr).toMatch(/^[A-Z"].+\.\n$/);
    expect(await users()).toEqual(before);
  });

  test('the last administrator cannot be removed or demoted', async () => {
    const administrators = (await users()).flatMap((each) => /^(.*): administrator$/.exec(each)?.[1] ?? []);
    for (const login of administrators.slice(1)) await command('users', 'remove', login, '--yes');
    const [last = ''] = administrators;
    for (const words of [
      ['remove', last],
      ['role', last, 'editor'],
      ['remove', last],
    ]) {
      const { code, stderr } = await command('users', ...words, '--yes');
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('the only administrator') as string,
      });
    }
    expect(await users()).toContain(`${last}: administrator`);
  });
});

describe('names', () => {
  test('of runs can be shortened to a prefix, to "last", or to "last" and a source', async () => {
    const { runs } = json<Reports>(await command('runs', '--json'));
    const of = (source: string) => runs.filter((one) => one.source === source).map(({ run }) => run);
    const [last, ...earlier] = of('library');
    expect(json<{ run: string }>(await command('show', 'last', 'library', '--json')).run).toBe(last);
    expect(json<{ run: string }>(await command('show', 'last', '--json')).run).toBe(runs[0]?.run);
    const short = last!.slice(0, -1);
    expect(earlier.some((run) => run.startsWith(short))).toBe(false);
    expect(await command('show', short)).toMatchObject({ code: 0, stderr: `The run ${last}.\n` });
    const several = await command('show', 'l');
    expect(several).toMatchObject({ code: 64, stdout: '' });
    expect(several.stderr).toMatch(/^\S+ runs begin with "l"; the latest first:\n {2}library-/);
  });

  test.each([
    [['show', 'last', 'libary'], 'Did you mean "library"?'],
    [['show', 'library-20000101', 'library'], 'A source can only follow "last": "last library".'],
    [['explain', 'event-numbr'], 'No source has written an event with the slug "event-numbr".'],
    [['sources', 'teatre'], 'Did you mean "theatre"? It has: library, theatre.'],
    [['export', 'al'], 'Did you mean "all"? Known feeds: all.'],
    [['sync', '--ful'], 'Did you mean --full?'],
    [['synk'], 'There is no command "synk". Did you mean sync?'],
  ])('%j: %s', async (words, said) => {
    const { code, stderr } = await command(...words);
    expect(code).toBe(64);
    expect(stderr).toContain(said);
  });
});
