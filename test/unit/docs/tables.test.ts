import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { FEED_ADVICE, isForPublisher } from '../../../src/feed-codes.ts';
import { SERVICE_ADVICE } from '../../../src/ical/read/known-pages.ts';
import { blocksIn, textOf } from '../../support/documents.ts';

/** The rows of the tables in a text, as their cells. */
const rowsIn = (text: string): readonly (readonly string[])[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\| ?-/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));

test('docs/troubleshooting.md lists each code of a problem that no publisher can fix, once', () => {
  const declared = [...readFileSync('src/codes.ts', 'utf8').matchAll(/^  \| '([^']+)'/gm)].map(([, code = '']) => code);
  const codes = [...declared, ...Object.keys(FEED_ADVICE).filter((code) => !isForPublisher(code))];
  const cells = rowsIn(textOf('docs/troubleshooting.md')).map(([seen = '']) => seen);
  const placed = cells.flatMap((seen) =>
    [...seen.matchAll(/`([a-z]+[-_][a-z_-]+|[a-z]{4,})`/g)].map(([, code = '']) => code),
  );
  expect(codes.length).toBeGreaterThan(100);
  expect(codes.filter((code) => !placed.includes(code))).toEqual([]);
  expect(placed.filter((code, index) => placed.indexOf(code) < index)).toEqual([]);
});

const partsOf = (words: string): readonly string[] => words.toLowerCase().split('…').filter(Boolean);

test('docs/troubleshooting.md quotes only messages of the program', () => {
  const said = filesBelow('src').map((file) => readFileSync(file, 'utf8').toLowerCase());
  const quoted = rowsIn(textOf('docs/troubleshooting.md')).flatMap(([seen = '']) =>
    [...seen.matchAll(/"([^"]+)"(?!, of systemd)/g)].map(([, words = '']) => words),
  );
  expect(quoted.length).toBeGreaterThan(25);
  expect(quoted.filter((words) => !partsOf(words).every((part) => said.some((text) => text.includes(part))))).toEqual(
    [],
  );
});

test('docs/feeds.md lists the services that the console knows, with its advice', () => {
  const shown = /<!-- services -->([\s\S]*)<!-- \/services -->/.exec(textOf('docs/feeds.md'))?.[1] ?? '';
  expect(rowsIn(shown).slice(1)).toEqual(
    SERVICE_ADVICE.map(([name, advice]) => [name, advice.replace(/https:\S*(?=\.$)/, '`$&`')]),
  );
});

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.join(folder, name));

const commands = readdirSync('src/cli/commands').map((file) => file.replace('.ts', ''));

test('docs/commands.md shows each command that a person types', () => {
  const [page = ''] = blocksIn(textOf('docs/commands.md'), 'sh');
  expect(commands.filter((name) => name !== 'complete' && !new RegExp(`\\b${name}\\b`).test(page))).toEqual([]);
});

test('docs/json.md names each command', () => {
  const page = textOf('docs/json.md');
  expect(commands.filter((name) => !new RegExp(`(?:\`|calsyncd )${name}\\b`).test(page))).toEqual([]);
});

test('docs/configuration.md lists the environment variables that are read', () => {
  const source = readFileSync('src/config/from-environment.ts', 'utf8');
  const read = [...source.matchAll(/'([A-Z][A-Z_]{3,})'/g)].map(([, name = '']) => name);
  const shown = rowsIn(textOf('docs/configuration.md'))
    .flatMap(([name = '']) => [...name.matchAll(/`([A-Z_]+)`/g)])
    .map(([, name = '']) => name);
  expect(shown.toSorted()).toEqual([...new Set([...read, 'CONFIG'])].toSorted());
});
