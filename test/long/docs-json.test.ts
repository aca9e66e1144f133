import { afterAll, beforeAll, expect, test } from 'vitest';
import { docsWorld, type DocsWorld } from '../support/docs-world.ts';
import { textOf } from '../support/documents.ts';

// Runs each command of docs/json.md in order: what it prints has the shape of the example below it.

const ELSE = '…';
/** The longest printed list for each list of an example: one that is always empty would prove nothing. */
const lists = new Map<string, number>();

/** Where a value has another shape than its example. */
function differences(example: unknown, value: unknown, at: string): readonly string[] {
  if (example === ELSE || example === null || value === null) return [];
  if (Array.isArray(example)) return listDifferences(example, value, at);
  if (typeof example !== 'object')
    return typeof example === typeof value ? [] : [`${at}: ${typeof value}, not ${typeof example}`];
  if (typeof value !== 'object' || Array.isArray(value)) return [`${at}: no object`];
  const shown = Object.keys(example).filter((key) => key !== ELSE);
  const extra = ELSE in example ? [] : Object.keys(value).filter((key) => !shown.includes(key));
  return [
    ...extra.map((key) => `${at}.${key}: not in the example`),
    ...shown.flatMap((key) =>
      key in value
        ? differences(
            (example as Record<string, unknown>)[key],
            (value as Record<string, unknown>)[key],
            `${at}.${key}`,
          )
        : [`${at}.${key}: only in the example`],
    ),
  ];
}

function listDifferences([example]: readonly unknown[], value: unknown, at: string): readonly string[] {
  if (!Array.isArray(value)) return [`${at}: no list`];
  if (example === undefined) return [];
  const name = at.replaceAll(/\[\d+\]/g, '[]');
  lists.set(name, Math.max(lists.get(name) ?? 0, value.length));
  return value.flatMap((one, index) => differences(example, one, `${at}[${index}]`)).slice(0, 3);
}

const page = textOf('docs/json.md');
const pairs = [...page.matchAll(/```sh\n(calsyncd [^\n]*)\n```\n\n```json\n([\s\S]*?)```/g)].map(
  ([, line = '', json = '']) => ({ line, example: JSON.parse(json) as unknown }),
);

let world: DocsWorld;
beforeAll(async () => {
  world = await docsWorld();
});
afterAll(() => world.close());

test('each command prints JSON in the shape of the example below it', async () => {
  expect(pairs.length).toBe(page.match(/```sh/g)?.length);
  const wrong: string[] = [];
  for (const { line, example } of pairs) {
    const { out } = await world.run(line);
    const value = JSON.parse(out) as unknown;
    wrong.push(...differences(example, value, line));
  }
  expect(wrong).toEqual([]);
  expect([...lists].filter(([, length]) => length === 0)).toEqual([]);
}, 120_000);

test('a different shape is found', () => {
  expect(differences({ a: 1, b: [{ c: '' }] }, { a: 2, b: [{ c: 'x' }] }, '')).toEqual([]);
  expect(differences({ a: 1 }, { a: '1' }, '')).toHaveLength(1);
  expect(differences({ a: 1 }, { a: 1, b: 2 }, '')).toHaveLength(1);
  expect(differences({ a: 1, '…': '…' }, { a: 1, b: 2 }, '')).toHaveLength(0);
  expect(differences({ a: [1] }, { a: 1 }, '')).toHaveLength(1);
  expect(differences({ a: [1] }, { a: [2, '3'] }, '')).toHaveLength(1);
  expect(differences({ a: 1 }, {}, '')).toHaveLength(1);
});
