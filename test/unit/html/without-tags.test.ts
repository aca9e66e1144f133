import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutTags } from '../../../src/html/sanitize.ts';
import { repetitions } from '../../support/repetitions.ts';

const TEXT_TS = JSON.stringify(new URL('../../../src/html/text.ts', import.meta.url).href);
/** The text of HTML as a new process reads it, and whether that has loaded the sanitizer. */
const toldAfresh = (html: string): unknown => {
  const script = `const { textFromHtml } = await import(${TEXT_TS});
    const text = textFromHtml(${JSON.stringify(html)});
    const files = Object.keys((await import('node:module')).createRequire(${TEXT_TS}).cache);
    console.log(JSON.stringify({ text, sanitized: files.some((file) => file.includes('/sanitize-html/')) }));`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
  return status === 0 ? JSON.parse(stdout.toString()) : stderr.toString();
};

test.each([
  [false, '<p lang="en">Rock &amp; roll<br />on <b>two</b> stages</p>', 'Rock & roll\non two stages'],
  [true, '<p>Rock<script>roll()</script></p>', 'Rock'],
])('the sanitizer is loaded only if it is needed: %s', (sanitized, html, text) =>
  expect(toldAfresh(html)).toEqual({ text, sanitized }),
);

/** Tags that are read without the sanitizer, and what looks like them. */
const TAGS = [
  '<p>',
  '</p>',
  '<P >',
  '</p\n>',
  '<br />',
  '<br/>',
  '<hr>',
  '<a href="https://example.org/?a=1&amp;b=2" rel="nofollow">',
  '<a title="">',
  '</a>',
  '<abbr>',
  '<h1>',
  '<li>',
  '<td colspan="2">',
  '<p lang="',
  '<p lang=>',
  '<p lang="a>b">',
  '<pre>\n',
  '<px>',
  '<p/ >',
  '< p>',
  '<p',
  '<!-- <p> -->',
  '<![CDATA[',
  '<script>',
  '</script>',
  '<textarea>',
  '<svg>',
  '<title>',
];
const TEXTS = [
  'Tea',
  ' ',
  '\n',
  '&',
  'amp',
  ';',
  '&lt;',
  '&gt',
  '&#60;',
  '&#0;',
  '&#x80;',
  '&notit;',
  '>',
  '"',
  "'",
  '\0',
  'é',
];

test('the text read without the sanitizer is the one that it would give', () =>
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...TAGS, ...TEXTS), { maxLength: 12 }), (pieces) => {
      const html = pieces.join('');
      // This element is not allowed, so the sanitizer reads the whole text.
      expect(withoutTags(html)).toBe(withoutTags(`<x></x>${html}`));
    }),
    { numRuns: repetitions(2_000) },
  ));
