import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeEntities } from '../../../../src/html/references.ts';
import {
  renderBody,
  renderTitle,
  renderWebsite,
  storedText,
  storedTitle,
  termName,
} from '../../../../src/site/store/render.ts';

const plain = (text: string): string =>
  decodeEntities(text)
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .trim();

describe('renderTitle', () => {
  it.each([
    ['It\'s 5 x 10 -- "ok"... 1/2 (c) R&D <3', 'It&#8217;s 5 x 10 &#8212; &#8220;ok&#8221;&#8230; 1/2 (c) R&#038;D <3'],
    ['All day "false"', 'All day &#8220;false&#8221;'],
    ['"q" \'a\'', '&#8220;q&#8221; &#8216;a&#8217;'],
    ['Fundacja A & B', 'Fundacja A &#038; B'],
    ['R&amp;D &lt;b&gt;', 'R&amp;D &lt;b&gt;'],
    ['3x4', '3&#215;4'],
    ['a - b', 'a &#8211; b'],
    ['10--12', '10&#8211;12'],
    ["the '90s", 'the &#8217;90s'],
    ['He said "a 6\'2" man"', 'He said &#8220;a 6&#8217;2&#8243; man&#8221;'],
    ['"12" vinyl"', '&#8220;12&#8221; vinyl&#8221;'],
    ["('quoted')", '(&#8216;quoted&#8217;)'],
    ['<i title="x">Slanted "text"</i>', '<i title="x">Slanted &#8220;text&#8221;</i>'],
    ['<code>"x"</code> "y"', '<code>"x"</code> &#8220;y&#8221;'],
    // Tags in a row.
    ['<p><b><code><i>"x"</i></code></b></p> "y"', '<p><b><code><i>"x"</i></code></b></p> &#8220;y&#8221;'],
    ['<b></b><pre>"a"</pre><b></b> "c"', '<b></b><pre>"a"</pre><b></b> &#8220;c&#8221;'],
    ['<codec><b>"x"</b></codec>', '<codec><b>&#8220;x&#8221;</b></codec>'],
    ['<br><b "x" y', '<br><b "x" y'],
    ['<i><!-- "x" --><b>"y"</b>', '<i><!-- "x" --><b>&#8220;y&#8221;</b>'],
    [' trimmed ', 'trimmed'],
    ['well-known', 'well-known'],
  ])('%s', (title, rendered) => expect(renderTitle(title)).toBe(rendered));

  it('changes punctuation only, not words', () => {
    fc.assert(
      fc.property(
        fc
          .array(fc.constantFrom('Jazz', '"', "'", 'łódź', ' ', '(', ')', 'R&D', '2027', '!', ','), { maxLength: 12 })
          .map((parts) => parts.join('')),
        (title) => {
          expect(plain(renderTitle(title))).toBe(plain(title));
        },
      ),
    );
  });
});

describe('renderBody', () => {
  it.each([
    ['', ''],
    [' ', ''],
    ['Opis', '<p>Opis</p>'],
    ['<p>Opis</p>', '<p>Opis</p>'],
    ['<!-- -->', '<p><!-- --></p>'],
    ['line1\nline2', '<p>line1<br />\nline2</p>'],
    ['<a\nhref="x">b</a>\nc', '<p><a\nhref="x">b</a><br />\nc</p>'],
    ['one\n\ntwo', '<p>one</p>\n<p>two</p>'],
    ['one\r\n\r\n\r\ntwo', '<p>one</p>\n<p>two</p>'],
    ['a<br><br>b', '<p>a</p>\n<p>b</p>'],
    ['<ul>\n<li>a</li>\n<li>b</li>\n</ul>', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
    ['text <div>block</div> more', '<p>text </p>\n<div>block</div>\n<p> more</p>'],
    ['<blockquote>said</blockquote>', '<blockquote><p>said</p></blockquote>'],
    ['<pre>a\n\nb "c"</pre>', '<pre>a\n\nb "c"</pre>'],
    [
      '<p onclick="x()">a</p><script>alert(1)</script><iframe src="https://y.test/"></iframe>',
      '<p onclick="x()">a</p>\n<p><script>alert(1)</script><iframe src="https://y.test/"></iframe></p>',
    ],
    ['it\'s "q" & more', '<p>it&#8217;s &#8220;q&#8221; &#038; more</p>'],
    ['<a\nhref="x">a</a>', '<p><a\nhref="x">a</a></p>'],
  ])('%j', (text, html) => expect(renderBody(text)).toBe(html));

  it('leaves whole paragraphs alone', () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{1,9}(?: [a-z]{1,9}){0,4}$/), { minLength: 1, maxLength: 5 }),
        (texts) => {
          const html = texts.map((text) => `<p>${text}</p>`).join('\n');
          expect(renderBody(html)).toBe(html);
          expect(renderBody(texts.join('\n\n'))).toBe(html);
        },
      ),
    );
  });
});

describe('what is stored', () => {
  it.each([
    ['<p onclick="x()">a</p><iframe src="https://y.test/"></iframe>', '<p>a</p>'],
    ['5 < 6 & 7', '5 &lt; 6 &amp; 7'],
    ['https://x.example/?a=1&copy=2&region=de', 'https://x.example/?a=1&amp;copy=2&amp;region=de'],
    ['back\\slash', 'back\\slash'],
    ['a\0b', 'ab'],
    ['\ud800', '\ufffd'],
  ])('of %j by an author without the right to any HTML', (text, stored) =>
    expect(storedText(text, false)).toBe(stored),
  );
  it('by others is the text itself', () =>
    expect(storedText('<script>x</script> & \\', true)).toBe('<script>x</script> & \\'));
  it.each([
    ['Rock & Roll', 'Rock &amp; Roll'],
    ['R&amp;B', 'R&amp;B'],
    ['a<b', 'a&lt;b'],
  ])('of the name %s is %s', (name, stored) => expect(termName(name)).toBe(stored));
  it.each([
    ["https://x.example/?a=1&b=2'", 'https://x.example/?a=1&amp;b=2&#039;'],
    ['https://x.example/?q="x"&quot=1', 'https://x.example/?q=&#034;x&#034;&amp;quot=1'],
    ['https://x.example/<script>', 'https://x.example/&#060;script&#062;'],
  ])('as the address %s is shown as %s, also when it is sent back', (address, answered) => {
    expect(renderWebsite(address)).toBe(answered);
    expect(renderWebsite(answered)).toBe(answered);
  });
});

describe('storedTitle', () => {
  it.each([
    ['Sc <script>1</script> author', false, 'Sc author'],
    ['A <b>bold</b>  move', false, 'A <b>bold</b>  move'],
    ['Two  blanks', false, 'Two  blanks'],
    ['Sc <script>1</script> editor', true, 'Sc <script>1</script> editor'],
  ])('%s (any HTML: %s) → %s', (title, anyHtml, stored) => expect(storedTitle(title, anyHtml)).toBe(stored));
});
