import { describe, expect, test } from 'vitest';
import { linkedHtml } from '../../../src/html/linked-html.ts';

const REL = 'rel="noopener nofollow ugc"';
const link = (address: string, href = address): string => `<a href="${href}" ${REL}>${address}</a>`;

describe('addresses in a text', () => {
  test.each([
    ['See https://town.example/a?b=1&amp;c=2.', `See ${link('https://town.example/a?b=1&amp;c=2')}.`],
    ['www.town.example, or not', `${link('www.town.example', 'https://www.town.example')}, or not`],
    ['(https://town.example/jazz)', `(${link('https://town.example/jazz')})`],
    ['https://town.example/Jazz_(music)', link('https://town.example/Jazz_(music)')],
    ['team [https://town.example/] and', `team [${link('https://town.example/')}] and`],
    ['[https://town.example/?title=].', `[${link('https://town.example/?title=')}].`],
    [
      '[Tickets](https://town.example/a), {www.town.example}',
      `[Tickets](${link('https://town.example/a')}), {${link('www.town.example', 'https://www.town.example')}}`,
    ],
    ['https://town.example/?a[]=1', link('https://town.example/?a[]=1')],
    ['“https://town.example/”', `“${link('https://town.example/')}”`],
    ['Write to kasa@town.example!', 'Write to <a href="mailto:kasa@town.example">kasa@town.example</a>!'],
    ['<p>https://a.example</p><p>b</p>', `<p>${link('https://a.example')}</p><p>b</p>`],
    // An existing link stays as it is, with its content.
    ['<a href="https://a.example">https://a.example</a>', '<a href="https://a.example">https://a.example</a>'],
    ['<a href="https://a.example"><b>www.a.example</b></a>', '<a href="https://a.example"><b>www.a.example</b></a>'],
    ['nothing here @ all, a.b.c, http://', 'nothing here @ all, a.b.c, http://'],
    [
      '5 &lt; 6 &amp; www.a.example/&lt;b&gt;',
      `5 &lt; 6 &amp; ${link('www.a.example/', 'https://www.a.example/')}&lt;b&gt;`,
    ],
    [
      'javascript:alert(1) https://x.example/"onload="1',
      `javascript:alert(1) ${link('https://x.example/')}&quot;onload=&quot;1`,
    ],
    ['<script>https://a.example</script><img src=x onerror=1>', '<img src="x" />'],
  ])('%s', (source, shown) => expect(linkedHtml(source).markup).toBe(shown));

  test.each([
    ['a long word', 'a'.repeat(200_000)],
    ['beginnings of addresses', 'www.'.repeat(50_000)],
    ['beginnings of mailboxes', 'a@'.repeat(100_000)],
    ['dots', `x@${'a.'.repeat(100_000)}`],
    ['brackets', `https://a.example/${'(('.repeat(100_000)}`],
    ['ends of sentences', `https://a.example/${'.'.repeat(200_000)}x`],
    // In each of them, the end of a sentence was once looked for from each dot on: half a minute of work.
    ['addresses full of dots', `https://a.example/${'.'.repeat(1_900)}x `.repeat(5_000).trim()],
  ])('a text of %s keeps all of its words', (_, text) => {
    const words = linkedHtml(text).markup.replace(/<[^<>]*>/g, '');
    expect(words).toBe(text);
  });
});
