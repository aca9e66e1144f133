import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { firstScreen, headline } from '../../src/cli/open/tell-start.ts';
import { loadConfig } from '../../src/config.ts';

const root = path.resolve(import.meta.dirname, '../..');
const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block]) => block!);

async function helpOf(...argv: string[]): Promise<{ code: number; text: string }> {
  let text = '';
  const out = (more: string): void => {
    text += more;
  };
  const code = await runProgram(argv, {
    out,
    err: out,
    isTerminal: false,
    now: Date.now,
    stopped: new Promise(() => undefined),
  });
  return { code, text };
}

describe('the README', () => {
  const commands = [...readme.matchAll(/npm run -s calsyncd -- ([a-z]+)([^\n#]*)/g)].map(([, command, rest]) => ({
    command: command!,
    flags: rest!.match(/(?<=\s)--?[a-z][a-z-]*/g) ?? [],
  }));

  test('shows commands', () => expect(commands.length).toBeGreaterThan(5));

  test.each(commands)('$command with $flags is a command with these options', async ({ command, flags }) => {
    const { code, text } = await helpOf(command, '--help');
    expect(code).toBe(0);
    for (const flag of flags) expect(text).toContain(flag);
  });

  test.each(['start', 'check', 'test', 'bench', 'calsyncd'])('the script %s is in package.json', (script) => {
    const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(Object.keys(scripts)).toContain(script);
  });

  test.each(blocks('yaml').map((block) => [block.split('\n')[0], block]))(
    'its configuration with "%s" is right',
    (_, block) => {
      const directory = mkdtempSync(path.join(tmpdir(), 'calsyncd-readme-'));
      writeFileSync(path.join(directory, 'calsyncd.yaml'), block);
      const env = Object.fromEntries(
        [...block.matchAll(/\$\{([A-Z_]+)\}/g)].map(([, name]) => [name!, 'a-value-of-some-length']),
      );
      const { problems } = loadConfig({ path: path.join(directory, 'calsyncd.yaml'), env });
      rmSync(directory, { recursive: true });
      expect(problems).toEqual([]);
    },
  );

  test('its first screen is the one that a newcomer sees', () => {
    const { value: config } = loadConfig({ path: path.join(root, 'config/calsyncd.yaml'), env: {} });
    const publicUrl = 'http://127.0.0.1:8080';
    const where = { publicUrl, sites: [{ name: 'site', home: `${publicUrl}/`, isBuiltin: true }] };
    const screen =
      config &&
      headline(config) +
        firstScreen(config, where, { serves: true, syncs: true }, { login: 'admin', password: 'ECtg…' });
    expect(readme).toContain(`\`\`\`\n${screen}`);
  });

  test('the sample configuration is right', () => {
    expect(loadConfig({ path: path.join(root, 'config/calsyncd.yaml'), env: {} }).problems).toEqual([]);
  });
});
