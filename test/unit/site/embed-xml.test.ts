import { expect, it } from 'vitest';
import { xmlFromEmbed } from '../../../src/site/requests/embed-xml.ts';

it.each([
  [
    { version: '1.0', width: 600, html: '<a href="x">A & B</a>' },
    '<version>1.0</version><width>600</width><html>&lt;a href=&quot;x&quot;&gt;A &amp; B&lt;/a&gt;</html>',
  ],
  [
    { code: 'oembed_invalid_url', data: { status: 404 } },
    '<code>oembed_invalid_url</code><data><status>404</status></data>',
  ],
  [
    { params: ['url'], 'a b': '\u0001x', none: null },
    '<params><oembed>url</oembed></params><oembed>x</oembed><none></none>',
  ],
])('%j as XML', (body, inner) => expect(xmlFromEmbed(body)).toBe(`<?xml version="1.0"?>\n<oembed>${inner}</oembed>`));
