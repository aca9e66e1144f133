import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { headingsIn, pageFromMarkdown } from '../../../src/html/markdown.ts';
import { ROUTES } from '../../../src/operator/routes.ts';
import { DOCUMENTS, textOf } from '../../support/documents.ts';

const withoutBlocks = (text: string): string => text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
const targetsIn = (text: string): readonly string[] =>
  [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
const codeIn = (text: string): readonly string[] =>
  [...withoutBlocks(text).matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** What is wrong with a link of a document; undefined if nothing is. */
function faultOf(file: string, target: string): string | undefined {
  if (/^https?:/.test(target)) return URL.canParse(target) ? undefined : `${target}: no address`;
  const [name = '', anchor] = target.split('#');
  const to = name === '' ? file : path.posix.join(path.posix.dirname(file), name);
  if (!existsSync(to)) return `${target}: no such file`;
  if (anchor === undefined) return undefined;
  return headingsIn(textOf(to)).some(({ id }) => id === anchor) ? undefined : `${target}: no such heading`;
}

const PATTERNS = ROUTES.map(({ path: pathname }) => new URLPattern({ pathname }));
// The console itself, and paths that are not pages.
const OTHER_PATHS = /^\/operator(?:\/?|\/live|\/signout)$/;
const isPage = (address: string): boolean => {
  const pathname = address.replace(/[?#].*/, '').replace(/^\/operator/, '');
  return OTHER_PATHS.test(address) || PATTERNS.some((pattern) => pattern.test({ pathname }));
};

describe.each([...DOCUMENTS, 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'])('%s', (file) => {
  const text = textOf(file);

  test('links to existing files and headings, and to valid addresses', () => {
    expect(targetsIn(text).flatMap((target) => faultOf(file, target) ?? [])).toEqual([]);
  });

  test('names only pages of the console that exist', () => {
    const named = codeIn(text).filter((code) => /^\/operator(?:\/|$)/.test(code));
    expect(named.filter((code) => !isPage(code))).toEqual([]);
  });
});

test('the checks see what they look for', () => {
  expect(targetsIn('[a](b.md) `[no](link)` [c](#d)')).toEqual(['b.md', 'link', '#d']);
  expect(faultOf('README.md', 'docs/nowhere.md')).toBe('docs/nowhere.md: no such file');
  expect(faultOf('README.md', '#nowhere')).toBe('#nowhere: no such heading');
  expect(faultOf('README.md', '#the-console')).toBeUndefined();
  expect(isPage('/operator/nowhere/')).toBe(false);
  expect(isPage('/operator/sources/NAME/settings/')).toBe(true);
});

// The texts of a page of help, as a person reads them.
const shownOf = (markdown: string): string =>
  pageFromMarkdown(markdown, () => undefined)
    .body.markup.replaceAll(/<pre[\s\S]*?<\/pre>|<code>[\s\S]*?<\/code>/g, '')
    .replaceAll(/<[^>]+>/g, '');

describe.each(DOCUMENTS.filter((file) => file.startsWith('docs/')))('%s in the console', (file) => {
  test('shows no Markdown syntax', () => {
    expect(shownOf(textOf(file)).match(/.*(?:\*\*|``|\]\(|^#{1,6} |^\|.*\||<!--).*/gm) ?? []).toEqual([]);
  });
});

test('every page of docs/ is linked from its index, or from ARCHITECTURE.md', () => {
  const linked = [...targetsIn(textOf('docs/README.md')), ...targetsIn(textOf('ARCHITECTURE.md'))];
  const names = new Set(linked.map((target) => path.posix.basename(target.replace(/#.*/, ''))));
  const lost = DOCUMENTS.filter((file) => file.startsWith('docs/')).map((file) => path.basename(file));
  expect(lost.filter((name) => name !== 'README.md' && !names.has(name))).toEqual([]);
});
