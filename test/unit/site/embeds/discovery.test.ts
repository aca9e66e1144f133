import { expect, test } from 'vitest';
import { discoverEmbed } from '../../../../src/site/embeds/discovery.ts';

const json = '<link rel="alternate" type="application/json+oembed" href="https://x.example/o?url=a&amp;format=json">';
const xml = '<link rel="alternate" type="text/xml+oembed" href="/o.xml">';

test.each<[string, string, string | undefined]>([
  ['JSON is preferred', `${xml}${json}`, 'https://x.example/o?url=a&format=json'],
  ['XML where there is no JSON, relative to the page', xml, 'https://page.example/o.xml'],
  [
    'single quotes, other order, a slash at the end',
    `<LINK href='//y.example/o' title="a > b" type='application/json+oembed' />`.replace(' > ', ' '),
    'https://y.example/o',
  ],
  ['no quotes at all', '<link type=application/json+oembed href=https://y.example/o>', 'https://y.example/o'],
  ['a link in a comment does not count', `<!-- ${json} -->`, undefined],
  ['another scheme does not count', json.replace('https:', 'javascript:'), undefined],
  ['a link without an address does not count', '<link type="application/json+oembed">', undefined],
  ['a page without such a link', '<html><link rel="stylesheet" href="a.css"></html>', undefined],
])('the embed address of a page: %s', (_, html, found) =>
  expect(discoverEmbed(html, 'https://page.example/a/b')).toBe(found),
);
