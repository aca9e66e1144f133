import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { linesFromMarkdown } from '../../../src/html/markdown.ts';

test('Markdown becomes lines without markup', () =>
  expect(
    linesFromMarkdown(
      'First.\n\n### Feeds in\n\n- `preview` shows **it**, see [alerts](docs/alerts.md) & more.\n- Two\n',
    ),
  ).toEqual([
    { text: 'First.', isHeading: false },
    { text: '', isHeading: false },
    { text: 'Feeds in', isHeading: true },
    { text: '', isHeading: false },
    { text: '- "preview" shows it, see alerts & more.', isHeading: false },
    { text: '- Two', isHeading: false },
  ]));

test('no line of the changelog keeps markup', () => {
  const text = readFileSync('CHANGELOG.md', 'utf8');
  const lines = linesFromMarkdown(text).map((line) => line.text);
  expect(lines.filter((line) => /^#|`|\]\(|\*\*/.test(line))).toEqual([]);
  // No item is lost.
  const items = text.match(/^- /gm)?.length ?? 0;
  expect(lines.filter((line) => line.startsWith('- '))).toHaveLength(items);
});
