import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLoginAddress, knownPage } from '../../../src/ical/read/known-pages.ts';
import { notACalendar } from '../../../src/ical/read/not-a-calendar.ts';
import { feedsBehind, pageInWords } from '../../../src/ical/read/web-page.ts';

const GOOGLE = 'https://calendar.google.com/calendar/ical/';

describe('pages of known services', () => {
  test.each([
    [
      'https://calendar.google.com/calendar/embed?src=town%40group.calendar.google.com&ctz=Europe%2FWarsaw',
      'Google Calendar',
      `${GOOGLE}town%40group.calendar.google.com/public/basic.ics`,
    ],
    [
      'https://calendar.google.com/calendar/u/0?cid=dG93bkBncm91cC5jYWxlbmRhci5nb29nbGUuY29t',
      'Google Calendar',
      `${GOOGLE}town%40group.calendar.google.com/public/basic.ics`,
    ],
    [
      'https://www.google.com/calendar/render?cid=town@example.org',
      'Google Calendar',
      `${GOOGLE}town%40example.org/public/basic.ics`,
    ],
    [
      'https://docs.google.com/spreadsheets/d/1AbC_d/edit#gid=42',
      'Google Sheets',
      'https://docs.google.com/spreadsheets/d/1AbC_d/export?format=csv&gid=42',
    ],
    [
      'https://docs.google.com/spreadsheets/d/e/2PACX-1/pubhtml',
      'Google Sheets',
      'https://docs.google.com/spreadsheets/d/e/2PACX-1/pub?output=csv',
    ],
    [
      'https://outlook.live.com/owa/calendar/0000/1111/cid-22/index.html',
      'Outlook',
      'https://outlook.live.com/owa/calendar/0000/1111/cid-22/index.ics',
    ],
    [
      'https://mail.town.example/owa/calendar/a@b/123/calendar.html',
      'Outlook',
      'https://mail.town.example/owa/calendar/a@b/123/calendar.ics',
    ],
    ['https://www.meetup.com/warsaw-js/events/', 'Meetup', 'https://www.meetup.com/warsaw-js/events/ical/'],
    ['https://www.meetup.com/de-DE/berlin-js/', 'Meetup', 'https://www.meetup.com/berlin-js/events/ical/'],
    ['https://teamup.com/ks1234abcd5678', 'Teamup', 'https://ics.teamup.com/feed/ks1234abcd5678/0.ics'],
    [
      'https://town.libcal.com/calendar/events?cid=7078&t=d',
      'LibCal',
      'https://town.libcal.com/ical_subscribe.php?src=p&cid=7078',
    ],
    ['https://conf2026.sched.com/', 'Sched', 'https://conf2026.sched.com/all.ics'],
    ['https://www.trumba.com/calendars/town-events', 'Trumba', 'https://www.trumba.com/calendars/town-events.ics'],
    [
      'https://cloud.example/index.php/apps/calendar/p/AbCd12/Town',
      'Nextcloud',
      'https://cloud.example/remote.php/dav/public-calendars/AbCd12?export',
    ],
    [
      'https://github.com/town/data/blob/main/events.ics',
      'GitHub',
      'https://raw.githubusercontent.com/town/data/main/events.ics',
    ],
    ['https://www.dropbox.com/s/abc/events.ics?dl=0', 'Dropbox', 'https://www.dropbox.com/s/abc/events.ics?dl=1'],
    ['https://www.facebook.com/town/events', 'Facebook', undefined],
    ['https://www.eventbrite.co.uk/o/town-123', 'Eventbrite', undefined],
    ['https://www.icloud.com/calendar/', 'iCloud', undefined],
    ['https://lu.ma/town', 'Luma', undefined],
  ])('%s', (address, name, feed) => {
    expect(knownPage(address)).toMatchObject({ name, feeds: feed === undefined ? [] : [feed] });
    const sentence = pageInWords('<html><title>x</title>', [address]);
    expect(sentence).toContain(`a page of ${name}, not a calendar`);
    expect(sentence).toContain(feed ?? '. ');
    expect(sentence).toMatch(/\.$/);
  });

  test.each([
    'https://calendar.google.com/calendar/ical/a%40b/public/basic.ics',
    'https://outlook.office365.com/owa/calendar/a/b/calendar.ics',
    'https://www.meetup.com/x/events/ical/',
    'https://docs.google.com/spreadsheets/d/1/export?format=csv',
    'https://ics.teamup.com/feed/ks1/0.ics',
    'https://town.example/events',
    'file:///srv/town.ics',
    'no address',
  ])('%s is not a known page', (address) => expect(knownPage(address)).toBeUndefined());

  test('the feed of a page is not a page itself', () => {
    const pages = [
      'https://calendar.google.com/calendar/embed?src=a@b.example',
      'https://www.meetup.com/x',
      'https://x.sched.com/',
      'https://teamup.com/ks1234abcd5678',
      'https://x.libcal.com/calendar?cid=1',
    ];
    const feeds = pages.flatMap((address) => knownPage(address)?.feeds ?? []);
    expect(feeds.length).toBeGreaterThanOrEqual(pages.length);
    expect(feeds.filter((feed) => knownPage(feed) !== undefined)).toEqual([]);
  });

  test('are looked for in any text without an exception', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), fc.string(), (address, text) => {
        expect(typeof pageInWords(`<${text}<a href="${text}">`, [address])).toBe('string');
        expect(isLoginAddress(text)).toBeTypeOf('boolean');
        knownPage(text);
      }),
    );
  });
});

describe('feeds behind a page', () => {
  const at = 'https://town.example/events/';
  test.each<[string, string, readonly string[]]>([
    [
      'rel=alternate',
      '<link rel="alternate" type="text/calendar" title="x" href="/events/?ical=1&amp;all=1">',
      ['https://town.example/events/?ical=1&all=1'],
    ],
    [
      'rel=alternate without quotes',
      '<LINK rel=alternate type=text/calendar href=feed.ics>',
      ['https://town.example/events/feed.ics'],
    ],
    ['other alternates are not feeds', '<link rel="alternate" type="application/rss+xml" href="/feed/">', []],
    ['webcal', "<a class='x' href='webcal://town.example/cal'>Subscribe</a>", ['webcal://town.example/cal']],
    [
      'an embedded Google calendar',
      '<iframe src="https://calendar.google.com/calendar/embed?height=600&amp;src=a%40b.example&amp;src=c%40d.example"></iframe>',
      [`${GOOGLE}a%40b.example/public/basic.ics`, `${GOOGLE}c%40d.example/public/basic.ics`],
    ],
    [
      'best first, each once',
      '<a href="a.ics">1</a><a href="webcal://b.example/x">2</a><link href="c.ics" rel="alternate" ' +
        'type="text/calendar; charset=utf-8"><a href="/events/a.ics">3</a>',
      ['https://town.example/events/c.ics', 'webcal://b.example/x', 'https://town.example/events/a.ics'],
    ],
    ['script and mail addresses are not feeds', '<a href="javascript:x.ics">1</a><a href="mailto:a.ics">2</a>', []],
  ])('%s', (_, html, feeds) => expect(feedsBehind(html, at)).toEqual(feeds));

  test('are named in the message', () => {
    const html =
      '<!doctype html><title>Town &amp; more</title><link rel="alternate" type="text/calendar" href="/a.ics"><a href="webcal://town.example/b">b</a>';
    expect(notACalendar(html, [at])).toBe(
      'This is a web page ("Town & more"), not a calendar: the feeds behind it are https://town.example/a.ics and webcal://town.example/b.',
    );
    expect(notACalendar('<!doctype html><title>Town</title>', [at])).toBe(
      'This is a web page ("Town"), not a calendar. Look for its iCal or .ics address.',
    );
  });
});

describe('login pages', () => {
  test.each([
    [
      'by a password field',
      '<html><title>Town</title><input name=p type="password">',
      'https://town.example/cal',
      /^This is a login page, not a calendar: the feed asks for a password/,
    ],
    ['by its title', '<html><title>Anmelden – Stadt</title>', 'https://town.example/cal', /login page/],
    ['by its address', '<html><title>Google</title>', 'https://accounts.google.com/v3/signin/identifier', /login page/],
    [
      'not by a link to one',
      '<html><title>Events</title><a href="/x">Log in</a>',
      'https://town.example/cal',
      /^This is a web page/,
    ],
  ])('%s', (_, html, address, sentence) => expect(notACalendar(html, [address])).toMatch(sentence));

  test('of a private Google calendar, with its feed', () => {
    const asked = 'https://calendar.google.com/calendar/embed?src=a%40b.example';
    expect(pageInWords('<html>', [asked, 'https://accounts.google.com/ServiceLogin'])).toBe(
      `This is a login page of Google Calendar, not a calendar: its feed is ${GOOGLE}a%40b.example/public/basic.ics, where it is public.`,
    );
  });
});
