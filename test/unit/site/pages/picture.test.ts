import { expect, test } from 'vitest';
import { picture } from '../../../../src/site/pages/frame/picture.ts';
import { frameOf } from '../../../../src/site/pages/frame/layout.ts';

const settings = {
  title: 'Site',
  description: '',
  timezone: 'UTC',
  languages: ['en'],
  publicUrl: 'https://site.example/calendar',
  namespace: 'calendar/events/v1',
  trashDays: 30,
};
const HASH = 'a'.repeat(40);
const own = { url: `https://site.example/calendar/media/${HASH}/pic.jpg`, width: 1_000, height: 2_000 };

test('the site’s own pictures are offered in smaller widths, with their size', () => {
  const { markup } = picture(frameOf(settings, true), own, 'head')!;
  expect(markup).toContain(`src="https://site.example/calendar/media/${HASH}/640/pic.webp"`);
  expect(markup).toContain(`/320/pic.webp 320w, https://site.example/calendar/media/${HASH}/640/pic.webp 640w"`);
  expect(markup).toContain('width="1000" height="2000"');
});

test.each(['line', 'small'] as const)('as a %s, a picture has the smallest width only', (place) => {
  const { markup } = picture(frameOf(settings, true), own, place)!;
  expect(markup).toContain(`src="https://site.example/calendar/media/${HASH}/320/pic.webp"`);
  expect(markup).not.toContain('srcset');
});

test.each([
  ['without the image library', false, own],
  ['from another site', true, { ...own, url: `https://elsewhere.example/media/${HASH}/pic.jpg` }],
  ['without a known size', true, { url: own.url }],
  ['if it is animated', true, { ...own, url: own.url.replace('jpg', 'gif') }],
  ['if it is too large to be decoded', true, { ...own, width: 20_000, height: 20_000 }],
])('a picture is shown unchanged %s', (_, hasSizes, shown) => {
  const { markup } = picture(frameOf(settings, hasSizes), shown, 'line')!;
  expect(markup).toContain(`src="${shown.url}"`);
  expect(markup).not.toContain('srcset');
  expect(markup).toContain('width="112" height="76"');
});

test('an address that is not a web address shows no picture', () =>
  expect(picture(frameOf(settings, true), { url: 'javascript:alert(1)' }, 'card')).toBeUndefined());
