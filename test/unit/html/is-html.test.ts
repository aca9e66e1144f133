import { describe, expect, test } from 'vitest';
import { isHtml } from '../../../src/html/is-html.ts';

describe('a text from outside', () => {
  test.each([
    'Sign up with Jim Doe <jim@example.org> by Friday',
    'Kids <under 6> free; link <https://example.org/a>',
    'Questions: HR <hr@example.com>\nDoors at 9',
    'By P. Smith <p.smith@example.org>',
    'By Li Wei <li.wei@example.org>, x<y',
    'A. Brown <a.brown@example.org>, or <a-team@example.org>',
    'if x<a && a>y',
    'Use <b> in HTML, or the <img> tag',
    '<-- see there -->',
    'All <that is never closed',
    '</p> closes nothing',
  ])('%j is not HTML', (text) => expect(isHtml(text)).toBe(false));

  test.each([
    '<p onclick="x()">Hi</p>',
    '<P>Hi',
    'One<br>Two',
    'One<br/>Two',
    'One<br clear="all" />Two',
    '<ul\nclass="x"><li>One',
    'A <code>short</code> one',
    '<a href="https://example.org">there</a >',
    '<o:b>One</o:b>',
    '<img src="https://example.org/a.png" alt="a > b">',
    '<!--StartFragment-->Hello<!--EndFragment-->',
    'Write to <jim@example.org>, <b>soon</b>',
  ])('%j is HTML', (text) => expect(isHtml(text)).toBe(true));
});
