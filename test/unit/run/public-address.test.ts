import { expect, test } from 'vitest';
import { isOpenAddress, publicAddress } from '../../../src/run/fetch/public-address.ts';

test.each([
  ['https://library.example/events.ics', 'library.example/events.ics'],
  ['https://user:secret@library.example:8443/events.ics?key=secret#top', 'library.example:8443/events.ics'],
  [
    'https://calendar.google.com/calendar/ical/a1b2c3d4e5f6a7b8c9d0e1f2a3%40group.calendar.google.com/private-0a1b2c3d4e5f60718293a4b5c6d7e8f9/basic.ics',
    'calendar.google.com/calendar/ical/…/…/basic.ics',
  ],
  [
    'https://outlook.office365.com/owa/calendar/6b0f2a3c4d5e6f708192a3b4c5d6e7f8@school.example/0123456789abcdef0123456789abcdef/calendar.ics',
    'outlook.office365.com/owa/calendar/…/…/calendar.ics',
  ],
  ['https://a.example/feed/123e4567-e89b-12d3-a456-426614174000.ics', 'a.example/feed/….ics'],
  [
    'https://a.example/veranstaltungen-der-stadtbibliothek-2026.ics',
    'a.example/veranstaltungen-der-stadtbibliothek-2026.ics',
  ],
  ['https://a.example/concerts-and-exhibitions-in-town/all.ics', 'a.example/concerts-and-exhibitions-in-town/all.ics'],
  ['webcal://a.example/x.ics?token=1', 'a.example/x.ics'],
  ['file:///srv/feeds/a.ics', '/srv/feeds/a.ics'],
  ['feeds/a.ics?x=1', 'feeds/a.ics'],
  ['https://a.example/%E0%A4%A/x', 'a.example/%E0%A4%A/x'],
])('%s is shown as %s', (address, shown) => expect(publicAddress(address)).toBe(shown));

// A long part that is no secret, as of a redirect that is meant to keep the program busy: quadratic work takes minutes.
test('a very long part is cut, in time that grows with its length only', () => {
  const part = `${'1-'.repeat(200_000)}_`;
  expect(publicAddress(`https://x.example/${part}/a.ics`)).toBe(`${`x.example/${part}`.slice(0, 499)}…`);
});

test.each([
  ['https://library.example/events.ics?category=music&from=2026-01-01', true],
  ['http://library.example/', true],
  ['https://user@library.example/events.ics', false],
  ['https://library.example/events.ics?token=1', false],
  ['https://library.example/events.ics?id=0a1b2c3d4e5f60718293a4b5', false],
  ['https://a.example/feed/123e4567-e89b-12d3-a456-426614174000.ics', false],
  ['file:///srv/feeds/a.ics', false],
  ['javascript:alert(1)', false],
  ['no address', false],
])('%s contains no secret: %s', (address, isOpen) => expect(isOpenAddress(address)).toBe(isOpen));
