import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runProgram } from '../../../src/cli/program.ts';
import { loadConfig } from '../../../src/config.ts';
import { blocksIn, commandsIn, DOCUMENTS, isOurConfiguration, textOf, variablesOf } from '../../support/documents.ts';

const helps = new Map<string, Promise<string>>();

const helpOf = (command: string): Promise<string> => {
  const known = helps.get(command) ?? askHelp(command);
  helps.set(command, known);
  return known;
};

async function askHelp(command: string): Promise<string> {
  let text = '';
  const out = (more: string): void => {
    text += more;
  };
  const stopped = new Promise<void>(() => undefined);
  const code = await runProgram([command, '--help'], { out, err: out, isTerminal: false, now: Date.now, stopped });
  return code === 0 ? text : '';
}

function problemsOf(block: string): readonly unknown[] {
  const directory = mkdtempSync(path.join(tmpdir(), 'calsyncd-docs-'));
  const file = path.join(directory, 'calsyncd.yaml');
  writeFileSync(file, block);
  const { problems } = loadConfig({ path: file, env: variablesOf(block) });
  rmSync(directory, { recursive: true });
  return problems;
}

describe.each(DOCUMENTS)('%s', (file) => {
  const text = textOf(file);

  test('names only commands and options that exist', async () => {
    const wrong: string[] = [];
    for (const { command, flags } of commandsIn(blocksIn(text, 'sh').join('\n'))) {
      const help = await helpOf(command);
      if (!help.startsWith(`Usage: calsyncd ${command}`)) wrong.push(command);
      wrong.push(...flags.filter((flag) => !help.includes(flag)).map((flag) => `${command} ${flag}`));
    }
    expect(wrong).toEqual([]);
  });

  test('shows only valid configurations', () => {
    const wrong = blocksIn(text, 'yaml')
      .filter(isOurConfiguration)
      .map((block) => ({ block, problems: problemsOf(block) }))
      .filter(({ problems }) => problems.length > 0);
    expect(wrong).toEqual([]);
  });

  test('uses only known languages for blocks of code', () => {
    const known = ['', 'csv', 'html', 'ini', 'json', 'nginx', 'apache', 'caddy', 'sh', 'yaml'];
    const named = [...text.matchAll(/^ *```(\w*)\n[\s\S]*?^ *```$/gm)].map(([, language]) => language);
    expect(named.filter((language) => !known.includes(language ?? ''))).toEqual([]);
  });
});

test('the checks see what they look for', () => {
  expect(commandsIn('npm run -s calsyncd -- preview URL --report r.html   # a page')).toEqual([
    { command: 'preview', flags: ['--report'] },
  ]);
  expect(commandsIn('docker compose exec web calsyncd password admin --account')).toEqual([
    { command: 'password', flags: ['--account'] },
  ]);
  expect(commandsIn(blocksIn(textOf('docs/commands.md'), 'sh').join('\n')).length).toBeGreaterThan(20);
  expect(problemsOf('sources: { a: { url: 7 } }')).not.toEqual([]);
  expect(blocksIn('1. so\n\n   ```sh\n   calsyncd check\n   ```\n', 'sh')).toEqual(['calsyncd check\n']);
});
