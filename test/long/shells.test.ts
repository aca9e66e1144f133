import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { comingEvents } from '../support/coming.ts';
import { calendarText } from '../support/feed-text.ts';
import { programHome, type Daemon, type Home } from '../support/daemon.ts';
import { needsProgram, output, isInstalled } from '../support/program.ts';
import { inTerminal, type Terminal } from '../support/terminal.ts';

// Commands at the keyboard: completion in real shells, and terminals with a width and colours.

const YAML = `builtin: { title: Town calendar, timezone: Europe/Warsaw }
sources:
  city-library: { url: "file:library.ics" }
  city-theatre: { url: "file:theatre.ics", paused: true }
  museum: { url: "file:museum.ics", paused: true }
feeds:
  everything: { title: Everything on }
`;
const INSTALL = 'apt-get install --no-install-recommends zsh fish';

let home: Home;
let daemon: Daemon;
let env: Record<string, string | undefined>;
let run: string;
beforeAll(async () => {
  home = await programHome(YAML);
  for (const name of ['library.ics', 'theatre.ics', 'museum.ics'])
    await home.write(name, calendarText(comingEvents(12)));
  const bin = path.join(home.directory, 'bin');
  await mkdir(bin);
  await writeFile(path.join(bin, 'calsyncd'), `#!/bin/sh\nexec node ${path.resolve('src/launch.js')} "$@"\n`);
  await chmod(path.join(bin, 'calsyncd'), 0o755);
  // Without these variables, a terminal behaves like that of a person.
  env = {
    ...home.env,
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    CI: undefined,
    NO_COLOR: undefined,
    FORCE_COLOR: undefined,
    LOG_LEVEL: 'fatal',
    HOME: home.directory,
  };
  daemon = home.start();
  await daemon.ready();
  const { runs } = JSON.parse((await home.command(['runs', '--json'])).stdout) as { runs: readonly { run: string }[] };
  run = runs[0]?.run ?? '';
});
afterAll(() => home.close());

/** What is typed before the Tab key, and what is then offered. */
const OFFERED: readonly (readonly [typed: string, offered: readonly string[]])[] = [
  ['sy', ['sync']],
  ['sync city-', ['city-library', 'city-theatre']],
  ['sync city-library --f', ['--full']],
  ['export ev', ['everything']],
  ['events --state con', ['conflict']],
  ['explain event-number-11', ['event-number-11-']],
  ['keys builtin.timez', ['builtin.timezone']],
  ['help comp', ['completion']],
  ['config restore ', ['1']],
];

/** What was offered; a name with a generated ending is cut off before that. */
const asKnown = (found: readonly string[], offered: readonly string[]): readonly string[] =>
  found.map((each, index) => (offered[index]?.endsWith('-') ? each.slice(0, offered[index].length) : each));

describe('completion', () => {
  const script = (shell: string): string =>
    output('calsyncd', ['completion', shell], { env: env as Record<string, string> });

  test('bash offers commands, names, options and files', async (context) => {
    needsProgram(context, 'bash', ['--version'], 'it comes with most systems');
    const file = await home.write('completion.bash', script('bash'));
    const offers = (typed: string): readonly string[] => {
      const words = ['calsyncd', ...typed.split(' ')];
      const lines = output(
        'bash',
        [
          '--norc',
          '-c',
          `source ${file}; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); ` +
            `COMP_CWORD=${words.length - 1}; _calsyncd; printf '%s\\n' "\${COMPREPLY[@]}"`,
        ],
        { env: env as Record<string, string> },
      );
      return lines.trim().split('\n');
    };
    for (const [typed, offered] of [...OFFERED, ['show city', ['city-library-']] as const])
      expect(asKnown(offers(typed), offered)).toEqual(offered);
    expect(offers(`preview ${home.directory}/lib`)).toEqual([`${home.directory}/library.ics`]);
  });

  test('fish offers commands, names and options', (context) => {
    needsProgram(context, 'fish', ['--version'], INSTALL);
    const file = path.join(home.directory, '.config/fish/completions');
    output('mkdir', ['-p', file]);
    output('sh', ['-c', `calsyncd completion fish > ${file}/calsyncd.fish`], { env: env as Record<string, string> });
    for (const [typed, offered] of OFFERED) {
      const lines = output('fish', ['-c', `complete -C "calsyncd ${typed}"`], { env: env as Record<string, string> });
      const found = lines
        .trim()
        .split('\n')
        .map((line) => line.split('\t')[0] ?? '');
      expect(asKnown(found, offered)).toEqual(offered);
    }
  });

  const terminals: Terminal[] = [];
  afterAll(() => {
    for (const terminal of terminals) terminal.kill();
  });
  const shellIn = (words: readonly string[]): Terminal => {
    const shell = inTerminal(200, words, env);
    terminals.push(shell);
    return shell;
  };

  test.for<readonly [program: string, words: readonly string[], setUp: string]>([
    ['bash', ['bash', '--norc', '-i'], 'source <(calsyncd completion bash); echo rea""dy\r'],
    [
      'zsh',
      ['zsh', '-f', '-i'],
      'autoload -Uz compinit; compinit -D; source <(calsyncd completion zsh); echo rea""dy\r',
    ],
  ])('%s completes what is typed in a terminal', async ([program, words, setUp], { skip }) => {
    skip(!isInstalled(program, ['--version'], INSTALL), INSTALL);
    const shell = shellIn(words);
    shell.type(setUp);
    await shell.shows('ready');
    shell.type('calsyncd export ev\t');
    await shell.shows('export everything');
    shell.type('\u0015calsyncd show city\t');
    await shell.shows(run.slice(0, -6));
    shell.type('\u0015calsyncd sync city-library --fu\t');
    await shell.shows('--full');
    expect(shell.shown()).not.toContain('command not found');
  });
});

describe('in a terminal', () => {
  const PYTHON = 'python3 comes with most systems';
  const shownBy = async (
    columns: number,
    words: readonly string[],
    more: Record<string, string> = {},
  ): Promise<string> => {
    const terminal = inTerminal(columns, ['calsyncd', ...words], { ...env, ...more });
    await terminal.ended;
    return terminal.shown();
  };

  test('tables fit the width, and have colours unless NO_COLOR is set', async (context) => {
    needsProgram(context, 'python3', ['-c', 'import pty'], PYTHON);
    const wide = await shownBy(160, ['runs', 'city-library']);
    expect(wide).toContain('began (Europe/Warsaw)');
    expect(wide).toContain(`${run}  `);
    expect(wide).toContain('\u001b[32mdone\u001b[39m');
    const narrow = await shownBy(60, ['runs', 'city-library'], { NO_COLOR: '1' });
    expect(narrow).not.toContain('\u001b[');
    expect(narrow).toContain(`${run}\n`);
    expect(narrow.split('\n').filter((line) => line.length > 60)).toEqual([]);
    expect(await shownBy(160, ['runs', 'city-library'], { COLUMNS: '60', NO_COLOR: '1' })).toBe(narrow);
  });

  test('JSON has no colours and no line breaks of the terminal', async (context) => {
    needsProgram(context, 'python3', ['-c', 'import pty'], PYTHON);
    const shown = await shownBy(40, ['sources', '--json'], { FORCE_COLOR: '1' });
    expect(JSON.parse(shown)).toHaveProperty('sources');
  });

  test('a command that cannot be undone asks first, and anything but yes means no', async (context) => {
    needsProgram(context, 'python3', ['-c', 'import pty'], PYTHON);
    await home.command(['users', 'add', 'anna', 'editor']);
    const answered = async (keys: string): Promise<readonly [code: number | null, shown: string]> => {
      const terminal = inTerminal(160, ['calsyncd', 'users', 'remove', 'anna'], env);
      await terminal.shows('This cannot be undone. Do it? [y/N] ');
      terminal.type(keys);
      return [await terminal.ended, terminal.shown()];
    };
    for (const keys of ['\r', 'n\r', '\u0004', '\u0003']) {
      const [code, shown] = await answered(keys);
      expect(code).not.toBe(0);
      expect(shown).not.toContain('Removed');
    }
    const [code, shown] = await answered('y\r');
    expect(code).toBe(0);
    expect(shown).toContain('Removed "anna".');
  });

  test('runs --follow shows new runs and their outcome until Ctrl-C', async (context) => {
    needsProgram(context, 'python3', ['-c', 'import pty'], PYTHON);
    const terminal = inTerminal(160, ['calsyncd', 'runs', 'city-library', '--follow'], { ...env, NO_COLOR: '1' });
    await terminal.shows(run);
    const synced = JSON.parse((await home.command(['sync', 'city-library', '--full', '--json'])).stdout) as {
      runs: readonly { run: string }[];
    };
    await terminal.shows(synced.runs[0]?.run ?? 'a run');
    await terminal.shows('12 unchanged');
    terminal.type('\u0003');
    expect(await terminal.ended).toBe(0);
  });
});
