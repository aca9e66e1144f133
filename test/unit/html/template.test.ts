import fc from 'fast-check';
import { DomUtils, parseDocument } from 'htmlparser2';
import { describe, expect, test } from 'vitest';
import { feedReportPage } from '../../../src/publisher/report-page.ts';
import { narrowerFeeds } from '../../../src/feeds/pages/subscribe-page.ts';
import { comingList } from '../../../src/feeds/pages/in-words.ts';
import { pageWordsIn } from '../../../src/feeds/words/page-language.ts';
import { safeElement, safeFrame, safeLink } from '../../../src/html/link.ts';
import { sanitized } from '../../../src/html/sanitize.ts';
import { assumeSafeHtml, html, joinHtml, scriptJson, type HtmlPart } from '../../../src/html/template.ts';
import { approvalForm, loginForm, newPasswordNote, problemNote } from '../../../src/site/authorize/forms.ts';
import { lookOf } from '../../../src/look/look.ts';
import { authorizeWordsIn } from '../../../src/site/authorize/words.ts';
import { frameOf, htmlDocument } from '../../../src/site/pages/frame/layout.ts';
import { webLink } from '../../../src/site/pages/event/links.ts';
import { xmlFromEmbed } from '../../../src/site/requests/embed-xml.ts';
import { anyText } from '../../support/any-text.ts';

const SIGNS = [
  '<',
  '>',
  '&',
  '"',
  "'",
  '`',
  '=',
  '/',
  ' ',
  '\n',
  '&amp;',
  '&lt',
  '&#38;',
  '</p>',
  '<b>',
  '<!--',
  ']]>',
];
/** Texts that look like markup. */
const texts = fc.array(fc.oneof(fc.constantFrom(...SIGNS), anyText())).map((parts) => parts.join(''));

const element = (markup: string, name: string, attributes: Readonly<Record<string, string>> = {}) =>
  DomUtils.findOne(
    (found) => found.name === name && Object.entries(attributes).every(([key, value]) => found.attribs[key] === value),
    parseDocument(markup).children,
  );
const textIn = (...asked: Parameters<typeof element>): string => DomUtils.textContent(element(...asked) ?? []);

describe('a template', () => {
  test.each<[string, HtmlPart, string]>([
    ['a text', `<b> & "x" 'y'`, '&lt;b&gt; &amp; &quot;x&quot; &#39;y&#39;'],
    ['a number', 0, '0'],
    ['HTML', html`<b>${'&'}</b>`, '<b>&amp;</b>'],
    ['a list', ['<', html`<br>`, ['&', undefined]], '&lt;<br>&amp;'],
    ['false', false, ''],
    ['null', null, ''],
    ['undefined', undefined, ''],
    ['an empty text', '', ''],
    ['HTML from outside', sanitized('<b onclick="x()">a</b><script>x()</script>'), '<b>a</b>'],
    ['markup declared safe', assumeSafeHtml('a > b'), 'a > b'],
    ['parts with a separator', joinHtml(['a', false, '', html`<i>b</i>`], html`<br>`), 'a<br><i>b</i>'],
    ['texts with a text as separator', joinHtml(['a', 'b'], ' & '), 'a &amp; b'],
  ])('takes %s', (_, part, markup) => expect(html`<p>${part}</p>`.markup).toBe(`<p>${markup}</p>`));

  test('shows any text as it is, between tags and in attributes', () =>
    fc.assert(
      fc.property(texts, texts, (inside, attribute) => {
        const { markup } = html`<div><p title="${attribute}" lang="de">${inside}</p><i>after</i></div>`;
        const { attribs } = element(markup, 'p') ?? {};
        expect([attribs, textIn(markup, 'p'), textIn(markup, 'i')]).toEqual([
          { title: attribute, lang: 'de' },
          inside,
          'after',
        ]);
      }),
    ));

  test('passes any value to a script as JSON', () =>
    fc.assert(
      fc.property(fc.oneof(texts, fc.jsonValue()), (value) => {
        const { markup } = html`<div><script>${scriptJson(value)}</script><p>after</p></div>`;
        expect(JSON.parse(textIn(markup, 'script'))).toEqual(JSON.parse(JSON.stringify(value)));
        expect(textIn(markup, 'p')).toBe('after');
      }),
    ));

  test('refuses an object that only looks like HTML', () => {
    // @ts-expect-error: an object of the same form has no part in a template.
    const part: HtmlPart = { markup: '<b>' };
    expect(() => html`${part}`).toThrow(TypeError);
  });
});

describe('a link', () => {
  test.each([
    'https://town.example/?a=1&b="2"',
    'HTTP://town.example/',
    'mailto:a@town.example',
    'tel:+48123',
    'webcal://town.example/a.ics',
    '/event/jazz/',
    '/',
  ])('leads to %s', (href) =>
    expect(
      element(safeLink({ class: 'x', href, download: true, lang: undefined }, 'shown').markup, 'a')?.attribs,
    ).toEqual({ class: 'x', href, download: '' }),
  );

  test.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example/',
    '\\\\evil.example/',
    'event/jazz/',
    '',
  ])('does not lead to %j, but shows the same content', (href) =>
    expect(safeLink({ href }, html`<b>${'a & b'}</b>`).markup).toBe('<b>a &amp; b</b>'),
  );

  test.each(['javascript:alert(1)', 'data:text/html,x', '//evil.example/a.png', 'java\nscript:alert(1)', ''])(
    'pictures, head elements and frames refuse %j',
    (address) =>
      expect([
        safeElement('img', { src: address, alt: '' }),
        safeElement('link', { rel: 'canonical', href: address }),
        safeElement('meta', { property: 'og:image', content: address }),
        safeFrame({ src: address }),
      ]).toEqual([undefined, undefined, undefined, undefined]),
  );

  test('pictures, head elements and frames accept a safe address', () => {
    const src = 'https://town.example/a.png?b="c"&d';
    expect(safeElement('img', { src, alt: '<a>', width: 30, height: undefined })?.markup).toBe(
      '<img src="https://town.example/a.png?b=&quot;c&quot;&amp;d" alt="&lt;a&gt;" width="30">',
    );
    expect(safeElement('link', { rel: 'canonical', href: '/a' })?.markup).toBe('<link rel="canonical" href="/a">');
    expect(safeFrame({ src: '/a', sandbox: true })?.markup).toBe('<iframe src="/a" sandbox></iframe>');
  });

  test('leads nowhere else, whatever the address', () =>
    fc.assert(
      fc.property(
        fc
          .tuple(fc.constantFrom('', '/', '//', '\\', 'javascript:', 'https:', 'mailto:', ' ', '\t'), texts)
          .map((parts) => parts.join('')),
        (href) => {
          const link = element(safeLink({ href }, 'x').markup, 'a');
          if (!link) return;
          const url = URL.parse(link.attribs['href'] ?? '', 'https://own.example/a/b');
          // An address that browsers cannot read leads nowhere.
          if (!url) return;
          expect(['http:', 'https:', 'mailto:', 'tel:', 'webcal:']).toContain(url.protocol);
          expect(href.startsWith('/') ? url.host : 'own.example').toBe('own.example');
        },
      ),
    ));
});

/** Only characters that both an address and XML can contain. */
const printable = (text: string): string => text.replace(/[^\u0020-\ud7ff]/g, '');

const SETTINGS = {
  title: 'Site',
  description: '',
  timezone: 'Europe/Warsaw',
  languages: ['en'],
  publicUrl: 'https://site.example',
  namespace: 'calendar/events/v1',
  trashDays: 30,
};
const frame = frameOf(SETTINGS);
const place = { base: '', token: 't', once: 'o', words: authorizeWordsIn('en') };
const look = lookOf({ title: 'Town calendar', publicUrl: 'https://cal.example', language: 'en' });
const feeds = { words: pageWordsIn('en'), publicUrl: 'https://cal.example', base: '', look };
const asking = (app_name: string) => ({ app_name, app_id: '', success_url: '', reject_url: '' });
const coming = {
  start: { kind: 'date', day: '2027-01-10' },
  startsAt: 0,
  endsAt: 1,
  lastDay: '2027-01-10',
  isCancelled: false,
  mark: '',
} as const;
const none = { first: [], left: 0 };
const report = {
  format: 'ical',
  program: null,
  read: '2026-11-20T00:00:00.000Z',
  window: { from: '2026-11-20', to: '2026-11-21' },
  events: 0,
  bytes: 0,
  problems: 0,
  kinds: [],
} as const;
const reportOn = (feed: string, good: readonly string[] = []): string =>
  feedReportPage({ ...report, feed, good }, { version: '1' });

describe('pages', () => {
  test.each<[string, (text: string) => string, (markup: string) => string | undefined, ((text: string) => string)?]>([
    [
      'the title of a page',
      (title) => htmlDocument(frame, { title, main: html`` }),
      (page) => textIn(page, 'title'),
      (title) => (title === '' ? 'Site' : `${title} – Site`),
    ],
    [
      'the name of the site',
      (title) => htmlDocument(frameOf({ ...SETTINGS, title }), { title: '', main: html`` }),
      (page) => textIn(page, 'a', { href: '/' }),
    ],
    [
      'a web address',
      (text) => webLink(`https://x.example/${printable(text)}`).markup,
      (page) => element(page, 'a')?.attribs['href'],
      (text) => `https://x.example/${printable(text)}`,
    ],
    [
      'a login',
      (text) => loginForm(place, asking(''), text).markup,
      (page) => element(page, 'input', { name: 'login' })?.attribs['value'],
    ],
    [
      'the request of an application',
      (text) => loginForm(place, asking(text), '').markup,
      (page) => element(page, 'input', { name: 'app_name' })?.attribs['value'],
    ],
    [
      'the name of an application',
      (text) => approvalForm(place, asking(text)).markup,
      (page) => element(page, 'input', { name: 'app_name' })?.attribs['value'],
    ],
    ['the user of a new password', (text) => newPasswordNote(place, text, 'x').markup, (page) => textIn(page, 'b')],
    ['a problem', (text) => html`${problemNote(text)}`.markup, (page) => textIn(page, 'p')],
    [
      'the title of a coming event',
      (title) => comingList(feeds.words, [{ ...coming, title }], 0, 1).markup,
      (page) => textIn(page, 'h3'),
    ],
    [
      'the name of a choice',
      (name) =>
        narrowerFeeds(feeds, {
          categories: { first: [{ value: 'a', slug: 'a', name }], left: 0 },
          tags: none,
          venue: none,
          organizer: none,
        }).markup,
      (page) => textIn(page, 'a'),
    ],
    ['the address in a report', (text) => reportOn(text), (page) => textIn(page, 'p', { class: 'feed' })],
    ['a good point in a report', (text) => reportOn('x', [text]), (page) => textIn(page, 'li'), (text) => `${text}.`],
    ['an error as XML', (text) => xmlFromEmbed({ text: printable(text) }), (xml) => textIn(xml, 'text'), printable],
  ])('show any text as it is: %s', (_, pageWith, shownOn, expected = (text) => text) =>
    fc.assert(
      fc.property(texts, (text) => {
        expect(shownOn(pageWith(text))).toBe(expected(text));
      }),
      { numRuns: 50 },
    ),
  );
});
