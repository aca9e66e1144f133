import { describe, expect, test } from 'vitest';
import { readEmbed } from '../../../../src/site/embeds/read-embed.ts';

const JSON_TYPE = 'application/json';
const rich = (html: string, more: object = {}): string =>
  JSON.stringify({ version: '1.0', type: 'rich', html, ...more });
const htmlOf = (html: string, isTrusted = false): string | undefined =>
  readEmbed(rich(html), JSON_TYPE, isTrusted)?.html;

describe('the HTML of an unknown site', () => {
  test.each<[string, string, string | undefined]>([
    [
      'a frame is sandboxed',
      '<iframe src="https://x.example/f" onload="x()" allow="camera"></iframe>',
      '<iframe src="https://x.example/f" sandbox="allow-scripts" security="restricted"></iframe>',
    ],
    [
      'its own sandbox is replaced',
      '<iframe sandbox="allow-same-origin allow-scripts" src="https://x.example/f"></iframe>',
      '<iframe sandbox="allow-scripts" src="https://x.example/f" security="restricted"></iframe>',
    ],
    [
      'a script is removed, the quotation stays',
      '<blockquote>Hi <a href="https://x.example" onclick="x()">x</a></blockquote><script src="https://x.example/a.js"></script>',
      '<blockquote>Hi <a href="https://x.example">x</a></blockquote>',
    ],
    ['a frame with a script address is refused', '<iframe src="javascript:alert(1)"></iframe>', undefined],
    ['markup without a frame or a quotation is refused', '<div><p>Hi</p></div>', undefined],
    ['an empty text is refused', '', undefined],
  ])('%s', (_, html, kept) => expect(htmlOf(html)).toBe(kept));
});

test('a known provider keeps its player, without scripts', () => {
  expect(
    htmlOf(
      '<iframe width="200" src="https://www.youtube.com/embed/x" allow="autoplay" allowfullscreen></iframe><script>x()</script>',
      true,
    ),
  ).toBe('<iframe width="200" src="https://www.youtube.com/embed/x" allow="autoplay" allowfullscreen></iframe>');
});

test('texts lose their markup, and invalid addresses and sizes are dropped', () => {
  expect(
    readEmbed(
      rich('<blockquote>x</blockquote>', {
        title: 'A <b>b</b> &amp; c',
        author_url: 'javascript:x',
        provider_url: 'https://p.example',
        width: '640',
        height: -1,
        cache_age: 5,
        secret: 'x',
      }),
      JSON_TYPE,
      false,
    ),
  ).toEqual({
    version: '1.0',
    type: 'rich',
    title: 'A b & c',
    provider_url: 'https://p.example/',
    width: 640,
    html: '<blockquote>x</blockquote>',
  });
});

test('photos and links get HTML of our own', () => {
  expect(
    readEmbed(
      JSON.stringify({ type: 'photo', url: 'https://x.example/a.jpg', title: '"A"', width: 10, height: 5 }),
      JSON_TYPE,
      false,
    ),
  ).toMatchObject({
    type: 'photo',
    url: 'https://x.example/a.jpg',
    html: '<a href="https://x.example/a.jpg"><img src="https://x.example/a.jpg" alt="&quot;A&quot;"></a>',
  });
  expect(
    readEmbed(JSON.stringify({ type: 'link', url: 'https://x.example/', title: 'A' }), JSON_TYPE, false)?.html,
  ).toBe('<a href="https://x.example/">A</a>');
});

test('XML is read, too', () => {
  const xml =
    '<?xml version="1.0"?>\n<oembed><version>1.0</version><type>rich</type><title>A &amp;amp; ' +
    'B</title><width>600</width><html>&lt;blockquote&gt;x&lt;/blockquote&gt;</html><author_name><![CDATA[Ann ' +
    '<3]]></author_name></oembed>';
  expect(readEmbed(xml, 'text/xml; charset=utf-8', false)).toMatchObject({
    title: 'A & B',
    width: 600,
    html: '<blockquote>x</blockquote>',
  });
});

test.each([
  '',
  'nonsense',
  '[]',
  'null',
  '"x"',
  '{}',
  rich('<iframe src="https://x.example"></iframe>').replace('rich', 'spell'),
  '<html></html>',
])('%s is not an embed', (text) => {
  expect(readEmbed(text, JSON_TYPE, false)).toBeUndefined();
});
