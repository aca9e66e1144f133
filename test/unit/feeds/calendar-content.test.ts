import { expect, test } from 'vitest';
import type { Event } from '../../../src/contract/representation.ts';
import { calendarContentOf, isPublic, modifiedAtOf } from '../../../src/feeds/content/calendar-content.ts';
import { parseCalendar } from '../../../src/ical/read/parse-calendar.ts';
import type { CalendarContent } from '../../../src/ical/write/write-event.ts';
import { renderBody } from '../../../src/site/store/render.ts';
import { descriptionFromEvent } from '../../../src/sync/drafts/calendar-text.ts';
import { siteEvent, siteOrganizer, siteTerm, siteVenue } from '../../support/memory-site.ts';

const venue = siteVenue(9, {
  venue: 'Klub &#8220;Pod R&oacute;żą&#8221;',
  address: 'ul. Floriańska 14',
  city: 'Kraków',
});

const exported = (html: string): CalendarContent => calendarContentOf(siteEvent(1, { description: renderBody(html) }))!;
const escaped = (text: string): string => text.replace(/[\\;,]/g, '\\$&').replaceAll('\n', '\\n');

// Sites add paragraphs and line breaks each time they read a text.
test.each<[string, string]>([
  [
    'blank lines around a list',
    'Doors:<br /><br /><ul><li>one</li><li>two <b>more</b></li></ul><br /><ul><li>three</li></ul>',
  ],
  ['paragraphs that contain only a break', '<b>Doors</b> at eight<p><br /></p><p><br /></p><p><br /></p>'],
  ['a quotation', '<blockquote>Come in.<br /><br />Sit <i>down</i>.</blockquote>'],
  ['a break in bold', 'Come in<br /><b><br /></b><br /><b>Sit down</b>'],
  ['blanks at the ends of lines', '<a href="https://jazz.example/">Jazz</a> <br />one <br /><br /> two'],
  ['preformatted text', '<pre>a\n  <b>b</b>\n\n</pre>\n<p>c</p>'],
  ['a table', '<table>\n<tr><td>8 pm</td>\n<td>Jazz</td></tr></table>'],
])('a description with %s is read back as it was exported', (_, description) => {
  const first = exported(description);
  const lines = [
    `DESCRIPTION:${escaped(first.description!)}`,
    `X-ALT-DESC;FMTTYPE=text/html:${escaped(first.descriptionHtml!)}`,
  ];
  const [event] = parseCalendar(
    [
      'BEGIN:VCALENDAR',
      'BEGIN:VEVENT',
      'UID:1',
      'DTSTART:20270110T180000Z',
      ...lines,
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ].join('\r\n'),
  ).value.events;
  const { description: text, descriptionHtml } = exported(descriptionFromEvent(event!));
  expect({ text, descriptionHtml }).toEqual({ text: first.description, descriptionHtml: first.descriptionHtml });
  expect(descriptionHtml).not.toMatch(/<p>\s*<\/p>/);
});

test('a field that a site does not have is left out', () => {
  const lacking = Object.fromEntries(Object.entries(siteEvent(1)).filter(([name]) => name !== 'cost'));
  const content = calendarContentOf(lacking as unknown as Event);
  expect(content).toMatchObject({ title: 'Event 1' });
  expect(content).not.toHaveProperty('cost');
});

test.each<[string, Partial<Event>, object]>([
  [
    'entities in titles',
    { title: 'Rock &#038; Roll &#8211; 1 &lt; 2 <em>live</em>' },
    { title: 'Rock & Roll – 1 < 2 live' },
  ],
  ['the page of an event without a website', {}, { url: 'https://site.example/event/event-1/' }],
  ['an escaped website', { website: 'https://jazz.example/?a=1&amp;b=2' }, { url: 'https://jazz.example/?a=1&b=2' }],
  ['a place on one line', { venue }, { location: 'Klub “Pod Różą”, ul. Floriańska 14, Kraków' }],
  [
    'a city that the address contains',
    { venue: { ...venue, address: 'Rynek 1, Kraków' } },
    { location: 'Klub “Pod Różą”, Rynek 1, Kraków' },
  ],
  [
    'several venues',
    { venue: [venue, siteVenue(8, { venue: 'Hall B' })] },
    { location: 'Klub “Pod Różą”, ul. Floriańska 14, Kraków / Hall B' },
  ],
  [
    'coordinates',
    { venue: { ...venue, geo_lat: 50.06, geo_lng: 0 } },
    { place: { title: 'Klub “Pod Różą”', address: 'ul. Floriańska 14, Kraków', latitude: 50.06, longitude: 0 } },
  ],
  ['coordinates of zero', { venue: { ...venue, geo_lat: 0, geo_lng: 0 } }, { place: undefined }],
  [
    'an organizer with a mail address, and one without',
    { organizer: [siteOrganizer(7, { organizer: 'Town &amp; Co' }), siteOrganizer(6, { email: 'a@b.example' })] },
    { organizer: { name: 'Organizer 6', email: 'a@b.example' }, contacts: ['Town & Co'] },
  ],
  [
    'organizers with all their details',
    {
      organizer: [
        siteOrganizer(6, { email: 'a@b.example', phone: '+48 58 000 00 00' }),
        siteOrganizer(7, { organizer: 'Smith, Jones &amp; Co', email: 'c@d.example' }),
        siteOrganizer(8, { email: 'no address', phone: '' }),
      ],
    },
    {
      organizer: { name: 'Organizer 6', email: 'a@b.example' },
      contacts: ['Organizer 6, a@b.example, +48 58 000 00 00', 'Smith, Jones & Co, c@d.example', 'Organizer 8'],
    },
  ],
  [
    'categories, not tags',
    { categories: [siteTerm(1, 'Rock &amp; Roll')], tags: [siteTerm(2, 'imported')] },
    { categories: ['Rock & Roll'], status: 'CONFIRMED' },
  ],
  ['cancelled', { title: 'Cancelled: Jazz', tags: [siteTerm(2, 'cancelled')] }, { title: 'Jazz', status: 'CANCELLED' }],
  [
    'cancelled, in another language',
    { title: 'Odwołane: Jazz', tags: [siteTerm(2, 'cancelled')] },
    { title: 'Jazz', status: 'CANCELLED' },
  ],
  [
    'not cancelled, in spite of its title',
    { title: 'Cancelled: Jazz' },
    { title: 'Cancelled: Jazz', status: 'CONFIRMED' },
  ],
  ['tentative', { tags: [siteTerm(2, 'tentative')] }, { status: 'TENTATIVE' }],
  [
    'a description of paragraphs',
    { description: '<p>Doors &amp; bar.</p>\n<p>Bring<br />friends.</p>' },
    { description: 'Doors & bar.\n\nBring\nfriends.', descriptionHtml: undefined },
  ],
  [
    'a description with formatting',
    { description: '<ul><li>one</li></ul><script>x()</script>' },
    { description: '- one', descriptionHtml: '<ul><li>one</li></ul>' },
  ],
  [
    'a description that shows tags',
    { description: '<p>Write &lt;b&gt;bold&lt;/b&gt;.</p>' },
    { description: 'Write <b>bold</b>.', descriptionHtml: '<p>Write &lt;b&gt;bold&lt;/b&gt;.</p>' },
  ],
  [
    'a description that shows an entity',
    { description: '<p>&amp;amp; is &amp;</p>' },
    { description: '&amp; is &', descriptionHtml: '<p>&amp;amp; is &amp;</p>' },
  ],
  ['an excerpt alone', { excerpt: '<p>Short.</p>' }, { description: 'Short.' }],
  [
    'an image',
    { image: { url: 'https://e.example/p.jpg', id: 1, extension: 'jpg' } },
    { image: { url: 'https://e.example/p.jpg', mediaType: 'image/jpeg' } },
  ],
  [
    'an online meeting as website',
    { website: 'https://us02web.zoom.us/j/123?pwd=a&amp;b=1' },
    {
      conference: { url: 'https://us02web.zoom.us/j/123?pwd=a&b=1', label: 'Zoom' },
      url: 'https://us02web.zoom.us/j/123?pwd=a&b=1',
    },
  ],
  [
    'an online meeting in the description',
    {
      website: 'https://jazz.example/',
      description: '<p>See <a href="https://zoom.us/pricing">Zoom</a>, join https://meet.jit.si/Room.</p>',
    },
    { conference: { url: 'https://meet.jit.si/Room', label: 'Jitsi Meet' } },
  ],
  [
    'a meeting service without a meeting',
    {
      website: 'https://zoom.us/',
      description: 'https://evil.example/?https://zoom.us/j/1 https://zoom.us.evil.example/j/1',
    },
    { conference: undefined },
  ],
  ['the cost', { cost: '10 &#8211; 20 &#122;ł' }, { cost: '10 – 20 zł' }],
  ['the time of creation', {}, { created: Date.UTC(2026, 10, 1, 9) }],
  ['a draft that was never published', { date_utc: '0000-00-00 00:00:00' }, { created: undefined }],
  [
    'an unpublished venue and organizer',
    { venue: { ...venue, status: 'draft' }, organizer: [siteOrganizer(7, { status: 'private' })] },
    { location: undefined, contacts: [] },
  ],
  [
    'names protected by a password',
    {
      venue: { ...venue, venue: [] as unknown as string },
      organizer: [siteOrganizer(7, { organizer: [] as unknown as string })],
    },
    { location: undefined, contacts: [] },
  ],
])('the content of a calendar event: %s', (_name, said, expected) => {
  const content: Record<string, unknown> = { ...calendarContentOf(siteEvent(1, said)) };
  expect(Object.fromEntries(Object.keys(expected).map((name) => [name, content[name]]))).toEqual(expected);
});

test('an event without dates has no content', () =>
  expect(calendarContentOf(siteEvent(1, { start_date: '', end_date: '' }))).toBeUndefined());

test.each<[string, object, boolean]>([
  ['published', {}, true],
  ['a draft', { status: 'draft' }, false],
  ['private', { status: 'private' }, false],
  ['in the trash', { status: 'trash' }, false],
  ['protected by a password', { all_day: null, featured: null, sticky: null }, false],
])('%s is public: %s', (_name, said, expected) => expect(isPublic(siteEvent(1, said))).toBe(expected));

test('editing a venue later counts as modifying its events', () => {
  expect(modifiedAtOf(siteEvent(1))).toBe(Date.UTC(2026, 10, 2, 9));
  expect(modifiedAtOf(siteEvent(1, { venue: { ...venue, modified_utc: '2026-11-05 09:00:00' } }))).toBe(
    Date.UTC(2026, 10, 5, 9),
  );
  expect(modifiedAtOf(siteEvent(1, { modified_utc: '' }))).toBe(0);
});
