import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SHORT_COMMANDS } from '../../../src/cli/short-commands.js';

test('every short command exists', () => {
  const commands = readdirSync('src/cli/commands').map((file) => path.basename(file, '.ts'));
  expect(commands).toEqual(expect.arrayContaining(SHORT_COMMANDS.filter((name) => !name.startsWith('-'))));
});

test.each([
  ['version', 1],
  ['preview', 2],
])('the number of times Node.js starts for "%s" is %i', (command, starts) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, ['src/launch.js', command, '--help'], {
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      NODE_OPTIONS: '--import=data:text/javascript,console.error(process.pid,`of`,process.env.TZ)',
      TZ: 'America/New_York',
    },
  });
  expect(stdout).toContain(`Usage: calsyncd ${command}`);
  expect(stderr.match(/^\d+ of /gm)).toHaveLength(starts);
  expect(status).toBe(0);
});

test('the launcher itself runs in UTC, too, whatever TZ says', () => {
  const { stdout } = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      "process.argv = [process.argv[0], 'src/launch.js', 'version', '--help']; await import('./src/launch.js'); console.log(new Date(0).getHours());",
    ],
    { encoding: 'utf8', env: { PATH: process.env['PATH'], TZ: 'America/New_York' } },
  );
  expect(stdout).toMatch(/^0$/m);
});

test('the version is shown without loading any command', () => {
  const telling = `import { registerHooks } from 'node:module';
    registerHooks({ load: (url, context, next) => { console.error(url); return next(url, context); } });`;
  const { stdout, stderr } = spawnSync(process.execPath, ['src/launch.js', '--version'], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(telling)}` },
  });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(stderr).toContain('src/cli/program.ts');
  expect(stderr).not.toContain('src/cli/commands/');
});

test.each(['version', 'preview'])(
  'the launcher resolves the source files of "%s" without asking Node.js',
  (command) => {
    const spy =
      'import{registerHooks}from"node:module";registerHooks({resolve(name,context,next){console.error("asked:",name);return(next(name,context))}})';
    const { status, stdout, stderr } = spawnSync(process.execPath, ['src/launch.js', command, '--help'], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(spy)}` },
    });
    expect(stdout).toContain(`Usage: calsyncd ${command}`);
    expect(stderr).toContain('asked: commander');
    expect(stderr.match(/^asked: \..*\.ts$/m)).toBeNull();
    expect(status).toBe(0);
  },
);
