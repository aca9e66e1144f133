import { expect, test } from 'vitest';
import { ownAddress } from '../../../../src/site/embeds/own-embed.ts';

test.each<[string, ReturnType<typeof ownAddress>]>([
  ['https://site.example/event/jazz/', { slug: 'jazz' }],
  ['http://www.site.example/event/jazz', { slug: 'jazz' }],
  ['https://SITE.example/event/jazz/embed/?a=b#c', { slug: 'jazz' }],
  ['https://site.example/?post_type=calendar_events&p=12', { id: 12 }],
  ['https://site.example/', { other: true }],
  ['https://site.example/venue/hall/', { other: true }],
  ['https://site.example/?p=99999999999', { other: true }],
  ['https://site.example:8443/event/jazz/', undefined],
  ['https://other.example/event/jazz/', undefined],
  ['ftp://site.example/event/jazz/', undefined],
  ['', undefined],
  ['garbage', undefined],
])('%s is %j', (address, read) => expect(ownAddress(address, 'https://site.example')).toEqual(read));

test('a site below a path', () => {
  expect(ownAddress('https://town.example/calendar/event/jazz/', 'https://town.example/calendar')).toEqual({
    slug: 'jazz',
  });
  expect(ownAddress('https://town.example/event/jazz/', 'https://town.example/calendar')).toEqual({ other: true });
});
