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

test('the site names its own pictures in smaller widths, with the room that they take', () => {
  const { markup } = picture(frameOf(settings, true), own, 'head')!;
  expect(markup).toContain(`src="https://site.example/calendar/media/${HASH}/640/pic.webp"`);
  expect(markup).toContain(`/320/pic.webp 320w, https://site.example/calendar/media/${HASH}/640/pic.webp 640w"`);
  expect(markup).toContain('width="1000" height="2000"');
});

test.each(['line', 'small'] as const)('where it stands as a %s, the least width is enough', (place) => {
  const { markup } = picture(frameOf(settings, true), own, place)!;
  expect(markup).toContain(`src="https://site.example/calendar/media/${HASH}/320/pic.webp"`);
  expect(markup).not.toContain('srcset');
});

test.each([
  ['where the library for it was left out', false, own],
  ['of another site', true, { ...own, url: `https://elsewhere.example/media/${HASH}/pic.jpg` }],
  ['of which it does not know the size', true, { url: own.url }],
  ['that moves', true, { ...own, url: own.url.replace('jpg', 'gif') }],
  ['that is too large to be decoded', true, { ...own, width: 20_000, height: 20_000 }],
])('it shows a picture as it came %s', (_, hasSizes, shown) => {
  const { markup } = picture(frameOf(settings, hasSizes), shown, 'line')!;
  expect(markup).toContain(`src="${shown.url}"`);
  expect(markup).not.toContain('srcset');
  expect(markup).toContain('width="112" height="76"');
});

test('it shows none at an address that is none', () =>
  expect(picture(frameOf(settings, true), { url: 'javascript:alert(1)' }, 'card')).toBeUndefined());
