import { expect, test } from 'vitest';
import { headingsIn, pageFromMarkdown } from '../../../src/html/markdown.ts';

const bodyOf = (markdown: string): string =>
  pageFromMarkdown(markdown, (target, kind) => (kind === 'link' ? `https://x.example/${target}` : undefined))
    .body.markup.replaceAll('\n', '')
    .trim();

test.each([
  ['A line\nand another.', '<p>A lineand another.</p>'],
  [
    '**Bold**, `a < b` & [a link](to.md).',
    '<p><b>Bold</b>, <code>a &lt; b</code> &amp; <a href="https://x.example/to.md">a link</a>.</p>',
  ],
  ['- one\n- two\n  more\n\nAfter.', '<ul><li>one</li><li>twomore</li></ul><p>After.</p>'],
  ['1. one\n2. two', '<ol><li>one</li><li>two</li></ol>'],
  ['- one\n  - inner', '<ul><li>one<ul><li>inner</li></ul></li></ul>'],
  [
    '1. so:\n\n   ```sh\n   ls\n   ```\n\n2. two',
    '<ol><li><p>so:</p><pre class="code" tabindex="0">ls</pre></li><li><p>two</p></li></ol>',
  ],
  ['```\n# no heading <b>\n```', '<pre class="code" tabindex="0"># no heading &lt;b&gt;</pre>'],
  ['<!-- unseen -->', ''],
  [
    '| a | b |\n| - | - |\n| `x\\|y` | 2 |',
    '<div class="wide" tabindex="0"><table class="t" role="table"><thead role="rowgroup"><tr role="row">' +
      '<th scope="col" role="columnheader">a</th><th scope="col" role="columnheader">b</th></tr></thead>' +
      '<tbody role="rowgroup"><tr role="row"><td role="cell"><div><code>x|y</code></div></td>' +
      '<td role="cell" data-l="b"><div>2</div></td></tr></tbody></table></div>',
  ],
  [String.raw`3 \* 4`, '<p>3 * 4</p>'],
])('%j is %j', (markdown, expected) => {
  expect(bodyOf(markdown)).toBe(expected);
});

test('headings have the ids that links use, and the first one is the title', () => {
  const text = '# A page\n\n## What `it` does, when?\n\ntext\n\n## What it does when\n\n```\n# none\n```\n';
  expect(headingsIn(text).map(({ id, level }) => [level, id])).toEqual([
    [1, 'a-page'],
    [2, 'what-it-does-when'],
    [2, 'what-it-does-when-1'],
  ]);
  expect(pageFromMarkdown(text, () => undefined).title).toBe('A page');
  expect(bodyOf(text)).toMatch(
    /^<h2 id="what-it-does-when">What <code>it<\/code> does, when\?<\/h2><p>text<\/p><h2 id="what-it-does-when-1">/,
  );
});

test('a link that leads nowhere, or to a script, becomes plain text', () => {
  expect(pageFromMarkdown('[a](../x.ts)', () => undefined).body.markup).toBe('<p>a</p>');
  expect(pageFromMarkdown('[a](x)', () => 'javascript:alert(1)').body.markup).toBe('<p>a</p>');
});
