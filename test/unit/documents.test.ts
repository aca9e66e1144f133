import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/**/*.md')];
// Paths in the repository's folders, and files at its root. Any other bare name is that of a file next to one named
// before.
const OURS =
  /^(?:src|test|config|docs|\.ci|\.vscode)\/|^[\w.-]+\.(?:md|json|yml)$|^vitest\.config\.ts$|^\.[a-z]+(?:rc\.json|config|ignore)$/;

/** The files and folders that a document names, in links or as code. */
function namedIn(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  const links = [...text.matchAll(/\]\((?!https?:)([^)#\s]+)[^)]*\)/g)].map(([, to]) =>
    path.posix.join(path.posix.dirname(file), to!),
  );
  const code = [...text.matchAll(/`([^`\s]+)`/g)].map(([, name]) => name!).filter((name) => OURS.test(name));
  return [...links, ...code];
}

describe.each(DOCUMENTS)('%s', (file) => {
  test('names only files that exist', () => {
    expect(namedIn(file).filter((name) => !existsSync(name))).toEqual([]);
  });
});

test('the check sees what it looks for', () => {
  expect(namedIn('CONTRIBUTING.md')).toEqual(
    expect.arrayContaining(['ARCHITECTURE.md', 'docs/decisions/README.md', 'src/contract/api.ts', 'test/long/']),
  );
  expect(namedIn('docs/decisions/README.md')).toContain('docs/decisions/06-absence.md');
  expect(DOCUMENTS.length).toBeGreaterThan(12);
});

test('each decision is listed, under its number', () => {
  const records = globSync('docs/decisions/[0-9]*.md').toSorted();
  const list = readFileSync('docs/decisions/README.md', 'utf8');
  for (const [index, record] of records.entries()) {
    expect(readFileSync(record, 'utf8')).toMatch(new RegExp(`^# ${index + 1}\\. `));
    expect(list).toContain(`(${path.basename(record)})`);
  }
});

test('the changelog has the version, and LICENSE the licence, of package.json', () => {
  const { version, license } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, string>;
  expect(readFileSync('CHANGELOG.md', 'utf8')).toMatch(new RegExp(`^## ${version!.replaceAll('.', '\\.')}\\b`, 'm'));
  expect(readFileSync('LICENSE', 'utf8')).toMatch(new RegExp(`^${license} License\n`));
});
