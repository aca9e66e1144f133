import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { linesFromMarkdown } from '../../../src/html/markdown.ts';

test('Markdown becomes lines without its marks', () =>
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

test('nothing of the changelog keeps a mark', () => {
  const text = readFileSync('CHANGELOG.md', 'utf8');
  const lines = linesFromMarkdown(text).map((line) => line.text);
  expect(lines.filter((line) => /^#|`|\]\(|\*\*/.test(line))).toEqual([]);
  // No sentence is lost with them.
  const items = text.match(/^- /gm)?.length ?? 0;
  expect(lines.filter((line) => line.startsWith('- '))).toHaveLength(items);
});
