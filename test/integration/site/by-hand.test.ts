import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../../src/db/database.ts';
import { emptyTrash } from '../../../src/site/store/housekeeping.ts';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import { editorsOf, redirectedId, sendForm, type Editors } from '../../support/editors.ts';
import { png } from '../../support/pictures.ts';
import { tokenOf, type Browser } from '../../support/site-pages.ts';
import { announcedFields } from '../../support/announced-fields.ts';

let site: TestSite;
let editors: Editors;
const open: Editors['open'] = (peer) => editors.open(peer);
const signIn: Editors['signIn'] = (role) => editors.signIn(role);

beforeAll(async () => {
  site = await builtinSite();
  editors = await editorsOf(site);
});
beforeEach(() => editors.renew());
afterAll(() => site.close());

const FORM = { title: 'Open garden', startDay: '2026-12-05', startTime: '15:00', endTime: '17:00' };

describe('signing in', () => {
  test.each([
    ['editor', 303],
    ['author', 303],
    ['contributor', 303],
    ['subscriber', 403],
  ] as const)('as %s is answered with %i', async (role, status) => {
    expect((await signIn(role)).done.status).toBe(status);
  });

  test('without the right to write says who can grant it', async () => {
    expect((await signIn('subscriber')).done.html).toContain(
      'This account is not allowed to write events. An administrator can change that.',
    );
  });

  test('with a wrong password marks both fields for screen readers', async () => {
    const browser = open();
    const token = tokenOf(await browser.get('/edit/'));
    const { html } = await browser.post('/edit/', { token, login: 'author', password: 'guess', do: 'signin' });
    const wrong = [true, expect.stringContaining('is not correct')];
    expect(announcedFields(html)).toEqual([
      ['login', ...wrong],
      ['password', ...wrong],
    ]);
  });

  test('an unknown address has an ordinary “Not found” page', async () => {
    const { browser } = await signIn('author');
    const { status, html } = await browser.get('/edit/places/');
    expect(status).toBe(404);
    expect(html).toContain('<h1>Not found</h1>\n<p>There is nothing at this address.</p>');
  });

  test('without it, no page is shown and no form does anything', async () => {
    expect((await open().get('/edit/event/new/')).status).toBe(401);
    const stranger = open();
    await stranger.get('/edit/');
    expect((await stranger.post('/edit/event/new/', { ...FORM, do: 'publish' })).status).toBe(401);
  });
});

describe('what each role may do with an event of its own', () => {
  test.each([
    ['editor', 'publish', 'publish'],
    ['editor', 'draft', 'draft'],
    ['author', 'publish', 'publish'],
    ['author', 'pending', 'pending'],
    ['contributor', 'draft', 'draft'],
    ['contributor', 'pending', 'pending'],
    ['contributor', 'publish', 'pending'],
  ] as const)('%s, who presses %s: the event is %s', async (role, act, state) => {
    const { browser } = await signIn(role);
    const done = await sendForm(browser, '/edit/event/new/', { ...FORM, do: act });
    expect(done.status).toBe(303);
    const { body } = await site.ask('editor', 'GET', `/events/${redirectedId(done)}`);
    expect([body['status'], body['title'], body['start_date'], body['end_date']]).toEqual([
      state,
      FORM.title,
      '2026-12-05 15:00:00',
      '2026-12-05 17:00:00',
    ]);
    expect((await browser.get('/edit/')).html).toContain(`/edit/event/${redirectedId(done)}/`);
    // A search without results does not claim that the list is empty.
    for (const path of ['/edit/', '/edit/venues/'])
      expect((await browser.get(`${path}?search=nosuchword`)).html).toContain('Nothing was found.');
  });

  test('a contributor gets a link to the public page of a published event, and may not restore it from the trash', async () => {
    const { browser } = await signIn('contributor');
    const id = redirectedId(
      await sendForm(browser, '/edit/event/new/', { ...FORM, title: 'Handed in', do: 'pending' }),
    );
    const found = async (list: string) => (await browser.get(`/edit/?list=${list}&search=Handed`)).html;
    const { body } = await site.ask('editor', 'POST', `/events/${id}`, { status: 'publish' });
    expect(await found('publish')).toContain(`<h2><a href="/event/${String(body['slug'])}/">Handed in</a></h2>`);
    await site.ask('editor', 'DELETE', `/events/${id}`);
    expect(await found('trash')).toContain('<h2>Handed in</h2>');
    expect(await found('trash')).not.toContain('value="restore"');
    await site.ask('editor', 'POST', `/events/${id}`, { status: 'draft' });
    expect(await found('draft')).toContain(`<h2><a href="/edit/event/${id}/">Handed in</a></h2>`);
    await sendForm(browser, `/edit/event/${id}/`, { do: 'trash' });
    expect(await found('trash')).toContain('value="restore"');
  });

  test.each([
    ['venue', 'venues'],
    ['organizer', 'organizers'],
  ] as const)('a contributor may restore a %s that was a draft, but not a published one', async (kind, list) => {
    const { browser } = await signIn('contributor');
    const name = `Handed in ${kind}`;
    const { body: made } = await site.ask('contributor', 'POST', `/${list}`, { [kind]: name, status: 'draft' });
    const path = `/${list}/${made.id}`;
    const found = async (trash: boolean) =>
      (await browser.get(`/edit/${list}/?search=Handed${trash ? '&list=trash' : ''}`)).html;
    expect(await found(false)).toContain(`href="/edit${path}/"`);
    await site.ask('editor', 'POST', path, { status: 'publish' });
    expect(await found(false)).not.toContain(`href="/edit${path}/"`);
    await site.ask('editor', 'DELETE', path);
    expect(await found(true)).toContain(name);
    expect(await found(true)).not.toContain('value="restore"');
    await site.ask('editor', 'POST', path, { status: 'draft' });
    expect((await sendForm(browser, `/edit${path}/`, { do: 'trash' })).status).toBe(303);
    expect(await found(true)).toContain('value="restore"');
    expect((await sendForm(browser, `/edit/${list}/`, { do: 'restore', id: String(made.id) })).status).toBe(303);
  });

  test('a picture, place, organizer and tags are saved with it, and the place is reused', async () => {
    const { browser } = await signIn('editor');
    const form = new FormData();
    const fields = {
      ...FORM,
      venue: 'Town garden',
      organizer: 'Friends of trees',
      cost: 'Free',
      tags: 'trees, spring',
    };
    for (const [name, value] of Object.entries({ ...fields, do: 'publish' })) form.set(name, value);
    form.set('token', tokenOf(await browser.get('/edit/event/new/')));
    form.set('image', new File([Buffer.from(png(40, 30, 1))], 'my garden.png'));
    const done = await browser.post('/edit/event/new/', form);
    const { body } = await site.ask(null, 'GET', `/events/${redirectedId(done)}`);
    expect(body).toMatchObject({
      venue: { venue: 'Town garden' },
      organizer: [{ organizer: 'Friends of trees' }],
      cost: 'Free',
      tags: [{ name: 'spring' }, { name: 'trees' }],
      image: {
        url: expect.stringMatching(/^https:\/\/site\.example\/media\/.*\/my-garden\.png$/) as string,
        width: 40,
      },
    });
    const again = await sendForm(browser, '/edit/event/new/', { ...fields, do: 'publish' });
    const other = await site.ask(null, 'GET', `/events/${redirectedId(again)}`);
    expect(other.body.venue.id).toBe(body.venue.id);
  });
});

describe.each(['editor', 'author', 'contributor'] as const)(
  'a new place and a new organizer that come with a draft',
  (role) => {
    test(`of the ${role} are hidden until it is published`, async () => {
      const { browser } = await signIn(role);
      const linked = { venue: `Surprise venue (${role})`, organizer: `Secret host (${role})` };
      const done = await sendForm(browser, '/edit/event/new/', { ...FORM, ...linked, do: 'draft' });
      const found = async (): Promise<readonly number[]> =>
        Promise.all(
          ['/venues?search=surprise', '/organizers?search=secret'].map(
            async (list) => JSON.stringify((await site.ask(null, 'GET', list)).body).split(`(${role})`).length - 1,
          ),
        );
      expect((await found()).map(Boolean)).toEqual([false, false]);
      const path = `/edit/event/${redirectedId(done)}/`;
      const form = await browser.get(path);
      expect(form.html).toContain(`value="${linked.venue}"`);
      const all = { ...FORM, ...linked, endDay: FORM.startDay, language: 'en' };
      expect((await sendForm(browser, path, { ...all, cost: '5', do: 'draft' })).status).toBe(303);
      expect((await found()).map(Boolean)).toEqual([false, false]);
      const { browser: editor } = await signIn('editor');
      const drafts = await site.ask('editor', 'GET', '/venues?search=surprise&status=draft,pending');
      const place = String((drafts.body['venues'] as readonly { readonly id: number }[])[0]?.id);
      expect((await sendForm(editor, `/edit/venues/${place}/`, { do: 'trash' })).status).toBe(303);
      expect((await sendForm(editor, '/edit/venues/', { do: 'restore', id: place })).status).toBe(303);
      expect((await found()).map(Boolean)).toEqual([false, false]);
      expect((await sendForm(editor, path, { ...all, cost: '5', do: 'publish' })).status).toBe(303);
      expect((await found()).map(Boolean)).toEqual([true, true]);
      const { body } = await site.ask(null, 'GET', `/events/${redirectedId(done)}`);
      expect(body).toMatchObject({ venue: { venue: linked.venue }, organizer: [{ organizer: linked.organizer }] });
      const other = await site.ask('editor', 'GET', '/venues?search=surprise&status=draft,pending');
      expect(JSON.stringify(other.body)).not.toContain(`(${role})`);
    });
  },
);

test('a place that is hidden with a draft is public once the event is published over the REST interface', async () => {
  const { browser } = await signIn('editor');
  const linked = { venue: 'Hidden cellar', organizer: 'Quiet host' };
  const done = await sendForm(browser, '/edit/event/new/', { ...FORM, ...linked, do: 'draft' });
  const path = `/events/${redirectedId(done)}`;
  await site.ask('editor', 'POST', path, { cost: '5' });
  const waiting = await site.ask('editor', 'GET', path);
  expect(waiting.body).toMatchObject({ venue: { status: 'draft' }, organizer: [{ status: 'draft' }] });
  const published = await site.ask('editor', 'POST', path, { status: 'publish' });
  expect(published.body).toMatchObject({ venue: { status: 'publish' }, organizer: [{ status: 'publish' }] });
  expect((await site.ask(null, 'GET', path)).body).toMatchObject({
    venue: { venue: linked.venue },
    organizer: [{ organizer: linked.organizer }],
  });
});

describe('other people’s events', () => {
  test.each(['author', 'contributor'] as const)('are not found for the %s, and no form changes them', async (role) => {
    const { body } = await site.ask('editor', 'POST', '/events', {
      title: 'Of the editor',
      start_date: '2026-12-01 10:00:00',
      end_date: '2026-12-01 11:00:00',
      status: 'publish',
    });
    const { browser } = await signIn(role);
    const token = tokenOf(await browser.get('/edit/event/new/'));
    const path = `/edit/event/${body.id}/`;
    expect((await browser.get(path)).status).toBe(404);
    for (const act of ['save', 'draft', 'trash'])
      expect((await browser.post(path, { ...FORM, token, do: act })).status).toBe(404);
    expect((await site.ask(null, 'GET', `/events/${body.id}`)).body['title']).toBe('Of the editor');
  });
});

/** The fields that get the focus when the page opens. */
const focused = (html: string): readonly (string | undefined)[] =>
  [...html.matchAll(/<\w+[^>]* id="(\w+)"[^>]* autofocus/g)].map(([, name]) => name);

test('a refused form keeps what was typed, and says why at each field', async () => {
  const { browser } = await signIn('author');
  const typed = { title: '', startDay: '2026-02-30', startTime: '25:00', website: 'nowhere', description: 'Kept.' };
  const { status, html } = await sendForm(browser, '/edit/event/new/', { ...typed, do: 'publish' });
  expect(status).toBe(422);
  expect([...html.matchAll(/id="(\w+)-fault"/g)].map(([, name]) => name)).toEqual([
    'title',
    'startDay',
    'startTime',
    'website',
  ]);
  expect(focused(html)).toEqual(['title']);
  expect(html).toMatch(/Kept\.<\/textarea>/);
  expect(html).toContain('value="2026-02-30"');
});

test.each([
  ['starts', { startDay: '2027-03-28', startTime: '02:30', endTime: '05:00' }, 'startTime'],
  ['ends', { startDay: '2027-03-27', startTime: '22:00', endDay: '2027-03-28', endTime: '02:30' }, 'endTime'],
])(
  'an event that %s in the hour skipped in spring is refused at that field, and the time stays as typed',
  async (_, times, at) => {
    const { browser } = await signIn('editor');
    const { status, html } = await sendForm(browser, '/edit/event/new/', { title: 'Dance', ...times, do: 'publish' });
    expect([status, [...html.matchAll(/id="(\w+)-fault"/g)].map(([, name]) => name)]).toEqual([422, [at]]);
    expect(html).toContain('The next time that exists is 03:00.');
    expect(html).toContain('value="02:30"');
    const whole = { ...times, startDay: '2027-03-28', allDay: 'yes', do: 'publish' };
    expect((await sendForm(browser, '/edit/event/new/', { title: 'Dance', ...whole })).status).toBe(303);
  },
);

test.each([
  ['/edit/event/new/', { ...FORM, title: '\u200b\u00ad\u2060' }, 'title'],
  ['/edit/venues/new/', { venue: '\u200b' }, 'venue'],
])('%s: a name of invisible characters counts as missing', async (path, fields, name) => {
  const { browser } = await signIn('editor');
  const { status, html } = await sendForm(browser, path, { ...fields, do: path.includes('event') ? 'draft' : 'save' });
  expect([status, html]).toEqual([422, expect.stringContaining(`id="${name}-fault">Please fill this in.<`) as string]);
});

test.each([
  ['', 'endTime', 'The end is before the start. If it is after midnight, name the last day, too.'],
  [FORM.startDay, 'endTime', 'The end is before the start. If it is after midnight, name the last day, too.'],
  ['2026-12-04', 'endDay', 'The end is before the start.'],
])('an end before the start, with the last day "%s", is refused at %s', async (endDay, at, sentence) => {
  const { browser } = await signIn('editor');
  const night = { ...FORM, startTime: '22:00', endDay, endTime: '02:00', do: 'publish' };
  const { status, html } = await sendForm(browser, '/edit/event/new/', night);
  expect([status, html]).toEqual([422, expect.stringContaining(`id="${at}-fault">${sentence}<`) as string]);
});

test('only editors may create tags: others are told so at the field', async () => {
  const { browser } = await signIn('author');
  const { status, html } = await sendForm(browser, '/edit/event/new/', { ...FORM, tags: 'never seen', do: 'publish' });
  expect([status, html]).toEqual([422, expect.stringContaining('id="tags-fault"') as string]);
});

test('of two changes at once, the second is shown with the first, and can then be saved', async () => {
  const { browser } = await signIn('editor');
  const id = redirectedId(await sendForm(browser, '/edit/event/new/', { ...FORM, do: 'publish' }));
  const path = `/edit/event/${id}/`;
  const page = await browser.get(path);
  const version = /name="version" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
  const change = { ...FORM, endDay: '2026-12-05', language: 'en', token: tokenOf(page), version, do: 'save' };
  expect((await browser.post(path, { ...change, title: 'First' })).status).toBe(303);
  const refused = await browser.post(path, { ...change, title: 'Second' });
  expect(refused.status).toBe(409);
  expect(refused.html).toMatch(/<th scope="row">Title<\/th><td>First<\/td><td>Second<\/td>/);
  const version2 = /name="version" value="([^"]+)"/.exec(refused.html)?.[1] ?? '';
  expect((await browser.post(path, { ...change, version: version2, title: 'Second' })).status).toBe(303);
  expect((await site.ask(null, 'GET', `/events/${id}`)).body['title']).toBe('Second');
});

test('a form with the token of somebody else, or with none, is refused', async () => {
  const { browser } = await signIn('editor');
  const other = (await signIn('author')).browser;
  const token = tokenOf(await other.get('/edit/event/new/'));
  expect((await browser.post('/edit/event/new/', { ...FORM, token, do: 'publish' })).status).toBe(403);
  expect((await browser.post('/edit/event/new/', { ...FORM, do: 'publish' })).status).toBe(403);
});

test('markup in any field is escaped or made safe', async () => {
  const { browser } = await signIn('editor');
  const evil = '<script>alert(1)</script><b>x</b>';
  const fields = { title: evil, venue: evil, organizer: evil, tags: evil, cost: evil, description: evil };
  const id = redirectedId(await sendForm(browser, '/edit/event/new/', { ...FORM, ...fields, do: 'publish' }));
  const { body } = await site.ask(null, 'GET', `/events/${id}`);
  expect(JSON.stringify([body['description'], body['title'], body.venue['venue']])).not.toContain('<script');
  for (const { html } of [await browser.get(`/edit/event/${id}/`), await browser.get('/edit/')])
    expect(html).not.toContain('<script>alert');
});

describe('ampersands that look like entities are kept as they were typed', () => {
  const ADDRESS = 'https://example.org/?a=1&region=de&section=2&copy=3&currency=EUR';
  const LINK = `href="${ADDRESS.replaceAll('&', '&amp;')}"`;

  test.each(['editor', 'contributor'] as const)('in an event of the %s', async (role) => {
    const { browser } = await signIn(role);
    const typed = { title: 'R&amp;D &copy 1', tags: '', cost: 'A &reg B', description: `see ${ADDRESS}` };
    const done = await sendForm(browser, '/edit/event/new/', { ...FORM, ...typed, do: 'publish' });
    const path = `/edit/event/${redirectedId(done)}/`;
    const form = await browser.get(path);
    expect(form.html).toContain('value="R&amp;amp;D &amp;copy 1"');
    expect(form.html).toContain('value="A &amp;reg B"');
    const { browser: editor } = await signIn('editor');
    const state = { startDay: FORM.startDay, endDay: FORM.startDay, language: 'en' };
    const sent = { ...FORM, ...typed, ...state, description: `see ${ADDRESS}`, do: 'publish' };
    expect((await sendForm(editor, path, sent)).status).toBe(303);
    const { body } = await site.ask(null, 'GET', `/events/${redirectedId(done)}`);
    const { html } = await open().get(`/event/${body['slug']}/`);
    expect(html).toContain(LINK);
    expect(html).toMatch(/<h1[^>]*>R&amp;amp;D &amp;copy 1<\/h1>/);
    expect(html).toContain('A &amp;reg B');
  });

  test('in a place', async () => {
    const { browser } = await signIn('editor');
    const typed = { venue: 'X &region', address: 'A & B &copy 1', phone: '1 &amp; 2', description: ADDRESS };
    const id = redirectedId(await sendForm(browser, '/edit/venues/new/', { ...typed, do: 'save' }));
    const form = (await browser.get(`/edit/venues/${id}/`)).html;
    for (const value of ['X &amp;region', 'A &amp; B &amp;copy 1', '1 &amp;amp; 2'])
      expect(form).toContain(`value="${value}"`);
    const { body } = await site.ask(null, 'GET', `/venues/${id}`);
    const { html } = await open().get(`/venue/${body['slug']}/`);
    expect(html).toContain(LINK);
    expect(html).toContain('A &amp; B &amp;copy 1');
    expect(html).toContain('1 &amp;amp; 2');
    // The place is found again by the name that was typed.
    const event = await sendForm(browser, '/edit/event/new/', { ...FORM, venue: 'x &region', do: 'publish' });
    expect((await site.ask(null, 'GET', `/events/${redirectedId(event)}`)).body.venue.id).toBe(id);
  });
});

test('an event is trashed, and restored as a draft', async () => {
  const { browser } = await signIn('author');
  const id = redirectedId(await sendForm(browser, '/edit/event/new/', { ...FORM, do: 'publish' }));
  expect((await sendForm(browser, `/edit/event/${id}/`, { do: 'trash' })).headers.get('location')).toContain(
    'list=trash',
  );
  const page = await browser.get('/edit/?list=trash');
  const done = await browser.post('/edit/', { token: tokenOf(page), do: 'restore', id: String(id) });
  expect(redirectedId(done)).toBe(id);
  expect((await site.ask('editor', 'GET', `/events/${id}`)).body['status']).toBe('draft');
});

describe('review', () => {
  test('a submitted event is sent back with a note, submitted again, and published', async () => {
    const contributor = (await signIn('contributor')).browser;
    const editor = (await signIn('editor')).browser;
    const id = redirectedId(
      await sendForm(contributor, '/edit/event/new/', { ...FORM, title: 'Choir night', do: 'pending' }),
    );
    const path = `/edit/event/${id}/`;
    expect((await editor.get('/edit/review/')).html).toContain('Choir night');
    expect((await sendForm(editor, path, { do: 'sendBack', note: ' ' })).html).toContain('id="note-fault"');
    expect((await sendForm(editor, path, { do: 'sendBack', note: 'Which church?' })).status).toBe(303);
    expect((await contributor.get('/edit/')).html).toContain('Which church?');
    const note = 'An editor has sent it back: Which church?';
    expect((await contributor.get(path)).html).toContain(note);
    const change = { ...FORM, title: 'Choir night', endDay: '2026-12-05', language: 'en', venue: 'Old church' };
    expect((await sendForm(contributor, path, { ...change, do: 'pending' })).status).toBe(303);
    expect((await contributor.get(path)).html).not.toContain(note);
    expect((await sendForm(editor, path, { ...change, do: 'publish' })).status).toBe(303);
    expect((await site.ask(null, 'GET', `/events/${id}`)).body).toMatchObject({ venue: { venue: 'Old church' } });
  });

  test.each(['author', 'contributor'] as const)('is not open to the %s', async (role) => {
    const { browser } = await signIn(role);
    expect((await browser.get('/edit/review/')).status).toBe(404);
    const token = tokenOf(await browser.get('/edit/event/new/'));
    expect((await browser.post('/edit/review/', { token, do: 'publish', id: '1' })).status).toBe(404);
  });
});

test('an event is repeated with its place and times, and a date that exists is not created again', async () => {
  const { browser } = await signIn('author');
  const first = { ...FORM, title: 'Knitting', venue: 'Library', endDay: '2026-12-06', endTime: '01:00' };
  const id = redirectedId(await sendForm(browser, '/edit/event/new/', { ...first, do: 'publish' }));
  const repeat = { do: 'repeat', rhythm: 'week', until: '2027-01-02' };
  expect((await sendForm(browser, `/edit/event/${id}/`, repeat)).html).toContain('4 dates were created.');
  expect((await sendForm(browser, `/edit/event/${id}/`, repeat)).html).toContain(
    '0 dates were created. 4 were there already.',
  );
  const { body } = await site.ask(null, 'GET', '/events?search=knitting');
  expect(body.events.map((event) => [event['start_date'], event['end_date'], event.venue['venue']])).toEqual(
    ['05|06', '12|13', '19|20', '26|27', '02|03'].map((days) => {
      const [from, to] = days.split('|').map((day) => (day < '04' ? `2027-01-${day}` : `2026-12-${day}`));
      return [`${from} 15:00:00`, `${to} 01:00:00`, 'Library'];
    }),
  );
});

test('dates with the same title in another room do not count as existing dates', async () => {
  const { browser } = await signIn('editor');
  const course = { ...FORM, title: 'Yoga course', do: 'publish' };
  const repeat = { do: 'repeat', rhythm: 'week', until: '2026-12-19' };
  for (const venue of ['Room 1', 'Room 2', '']) {
    const id = redirectedId(await sendForm(browser, '/edit/event/new/', { ...course, venue }));
    expect((await sendForm(browser, `/edit/event/${id}/`, repeat)).html).toContain('>2 dates were created.<');
  }
});

test.each([
  ['2026-12-01', 'The first date would be Monday, 4 January 2027. Choose that day or a later one.'],
  ['2027-01-03', 'The first date would be Monday, 4 January 2027. Choose that day or a later one.'],
  ['soon', 'This is not a date. Write it like 2027-01-31.'],
  ['', 'Please fill this in.'],
])('repeating an event until "%s" explains why there are no dates, and keeps what was typed', async (until, why) => {
  const { browser } = await signIn('editor');
  const first = { ...FORM, title: 'Monthly', startDay: '2026-12-07', do: 'publish' };
  const path = `/edit/event/${redirectedId(await sendForm(browser, '/edit/event/new/', first))}/`;
  const { status, html } = await sendForm(browser, path, { do: 'repeat', rhythm: 'monthWeekday', until });
  expect([status, /id="until-fault">([^<]+)</.exec(html)?.[1]]).toEqual([422, why]);
  expect(html).toContain('<option value="monthWeekday" selected>');
  expect(html).toMatch(new RegExp(`<input type="date" id="until"[^>]* value="${until}">`));
});

test('repeating an event for ever creates 53 dates, and says that there are more', async () => {
  const { browser } = await signIn('editor');
  const first = { ...FORM, title: 'For ever', do: 'draft' };
  const path = `/edit/event/${redirectedId(await sendForm(browser, '/edit/event/new/', first))}/`;
  const { html } = await sendForm(browser, path, { do: 'repeat', rhythm: 'month', until: '9999-12-31' });
  expect(html).toContain('53 dates were created. There are more up to that day');
});

test('a repetition reveals nothing early: it is scheduled like the first event, and refused for a protected one', async () => {
  const { browser } = await signIn('editor');
  const dates = { start_date: '2026-12-05 15:00', end_date: '2026-12-05 17:00' };
  const made = async (fields: object): Promise<number> =>
    (await site.ask('editor', 'POST', '/events', { ...dates, ...fields })).body.id;
  const repeat = { do: 'repeat', rhythm: 'week', until: '2026-12-12' };
  const later = await made({ title: 'Premiere', date: '2026-12-01 10:00:00' });
  expect((await sendForm(browser, `/edit/event/${later}/`, repeat)).status).toBe(200);
  const { body } = await site.ask('editor', 'GET', '/events?search=premiere&status=future,publish');
  expect(body.events.map((event) => [event['start_date'], event['status'], event['date']])).toEqual(
    ['05', '12'].map((day) => [`2026-12-${day} 15:00:00`, 'future', '2026-12-01 10:00:00']),
  );
  const closed = await made({ title: 'Rehearsal behind doors', password: 'sesame' });
  expect((await browser.get(`/edit/event/${closed}/`)).html).not.toContain('value="repeat"');
  expect((await sendForm(browser, `/edit/event/${closed}/`, repeat)).status).toBe(404);
  expect((await site.ask('editor', 'GET', '/events?search=rehearsal')).body['total']).toBe(1);
});

/** How many suggestions an editor sees. */
const waiting = async (browser: Browser): Promise<number> =>
  [...(await browser.get('/edit/review/')).html.matchAll(/name="do" value="refuse"/g)].length;

/** The tables of the database in which a text occurs. */
async function tablesWith(text: string): Promise<readonly string[]> {
  const { rows: tables } = await sql<{ name: string }>`select table_schema || '.' || table_name as name
    from information_schema.tables where table_type = 'BASE TABLE'
      and table_schema not in ('pg_catalog', 'information_schema') order by 1`.execute(site.db);
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql`select from ${sql.raw(name)} as row
      where strpos(row::text, ${text}) > 0 limit 1`.execute(site.db);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

describe('a suggestion of a visitor', () => {
  const SUGGESTED = { ...FORM, title: 'Street party', venue: 'Elm Street', email: 'neighbour@mail.example' };
  let network = 0;
  /** Opens the form, and sends it some seconds later. */
  async function suggest(
    fields: Readonly<Record<string, string>>,
    browser = open(`198.51.100.${++network}`),
    seconds = 10,
  ) {
    const opened = /name="opened" value="([^"]+)"/.exec((await browser.get('/suggest/')).html)?.[1] ?? '';
    site.clock.now += seconds * 1_000;
    return browser.post('/suggest/', { opened, ...fields });
  }

  test('waits for an editor, is published once, and does not reveal its sender', async () => {
    const visitor = open('198.51.100.250');
    const done = await suggest({ ...SUGGESTED, description: '<b>Bring</b> a chair' }, visitor);
    expect([done.status, done.headers.get('location'), visitor.cookies.size]).toEqual([
      303,
      '/suggest/?said=thanks',
      0,
    ]);
    expect((await open().get('/')).html).not.toContain('Street party');
    const { browser } = await signIn('editor');
    const page = await browser.get('/edit/review/');
    expect(page.html).toContain('neighbour@mail.example');
    const suggestion = /name="id" value="(\d+)"/.exec(page.html)?.[1] ?? '';
    const act = { token: tokenOf(page), id: suggestion };
    expect((await browser.post('/edit/review/', { ...act, do: 'publish' })).status).toBe(303);
    for (const again of ['publish', 'refuse', 'reopen'])
      expect((await browser.post('/edit/review/', { ...act, do: again })).status).toBe(404);
    const { body } = await site.ask(null, 'GET', '/events?search=street+party');
    expect(body.events).toHaveLength(1);
    expect(body.events[0]).toMatchObject({ title: 'Street party', venue: { venue: 'Elm Street' } });
    expect(JSON.stringify(body)).not.toMatch(/neighbour|<b>/);
  });

  test('keeps the web addresses in its text as they were typed', async () => {
    await suggest({ ...SUGGESTED, title: 'Signs &copy', description: 'https://example.org/?a=1&region=de&copy=2' });
    const { browser } = await signIn('editor');
    const id = /name="id" value="(\d+)"/.exec((await browser.get('/edit/review/')).html)?.[1] ?? '';
    expect((await sendForm(browser, '/edit/review/', { id, do: 'publish' })).status).toBe(303);
    const { body } = await site.ask(null, 'GET', '/events?search=signs');
    const { html } = await open().get(`/event/${body.events[0]?.['slug'] as string}/`);
    expect(html).toContain('href="https://example.org/?a=1&amp;region=de&amp;copy=2"');
    expect(html).toMatch(/<h1[^>]*>Signs &amp;copy<\/h1>/);
  });

  test('is refused with a reason that editors can read for a week, or taken up again, and nobody is notified', async () => {
    await suggest({ ...SUGGESTED, title: 'Lost cat' });
    await suggest({ ...SUGGESTED, title: 'Nobody’s cat', email: '' });
    const { browser } = await signIn('editor');
    const page = await browser.get('/edit/review/');
    expect(page.html).toContain('Nothing is sent to the address they left.');
    expect(page.html).toContain('They left no address, so nobody is notified.');
    const id = /name="id" value="(\d+)"/.exec(page.html)?.[1] ?? '';
    const act = { token: tokenOf(page), id };
    const tooLong = await browser.post('/edit/review/', { ...act, do: 'refuse', reason: 'x'.repeat(1_001) });
    expect([tooLong.status, await waiting(browser)]).toEqual([422, 2]);
    const reason = 'Not an event <b>at all</b>';
    expect((await browser.post('/edit/review/', { ...act, do: 'refuse', reason })).headers.get('location')).toContain(
      'said=refused',
    );
    for (const again of ['refuse', 'publish'])
      expect((await browser.post('/edit/review/', { ...act, do: again })).status).toBe(404);
    expect((await sql`select from site.events where title ~* 'cat$'`.execute(site.db)).rows).toEqual([]);
    // No message for the sender is stored anywhere.
    expect(await tablesWith('neighbour@mail.example')).toEqual(['site.suggestions']);
    const after = (await browser.get('/edit/review/')).html;
    expect(after).toContain('refused by editor');
    expect(after).toContain('Not an event &lt;b&gt;at all&lt;/b&gt;');
    expect(after).toContain('href="mailto:neighbour@mail.example?subject=Lost%20cat"');
    const { browser: author } = await signIn('author');
    const token = tokenOf(await author.get('/edit/'));
    expect((await author.post('/edit/review/', { token, id, do: 'reopen' })).status).toBe(404);
    expect((await browser.post('/edit/review/', { ...act, do: 'reopen' })).status).toBe(303);
    expect(await waiting(browser)).toBe(2);
    for (const [, each = ''] of page.html.matchAll(/name="id" value="(\d+)"/g))
      await browser.post('/edit/review/', { ...act, id: each, do: 'refuse' });
    expect(await waiting(browser)).toBe(0);
    site.clock.now += 8 * 86_400_000;
    await emptyTrash({ db: site.db, now: site.clock.now, settings: site.settings });
    editors.renew();
    const { browser: later } = await signIn('editor');
    expect((await later.get('/edit/review/')).html).not.toContain('cat');
    expect(await tablesWith('neighbour@mail.example')).toEqual([]);
  });

  test('is decided on once, even if it is published and refused at the same moment', async () => {
    const { browser } = await signIn('editor');
    for (let number = 0; number < 3; number += 1) {
      await suggest({ ...SUGGESTED, title: `Quiz night ${number}` });
      const page = await browser.get('/edit/review/');
      const act = { token: tokenOf(page), id: /name="id" value="(\d+)"/.exec(page.html)?.[1] ?? '' };
      const [published, refused] = await Promise.all(
        ['publish', 'refuse'].map((decision) => browser.post('/edit/review/', { ...act, do: decision })),
      );
      expect([published?.status, refused?.status].toSorted()).toEqual([303, 404]);
      const { rows } = await sql`select from site.events where title = ${`Quiz night ${number}`}`.execute(site.db);
      expect(rows).toHaveLength(published?.status === 303 ? 1 : 0);
    }
  });

  test('can be edited before it is published: the form has all of it, and saving settles it', async () => {
    await suggest({ ...SUGGESTED, title: 'Chess' });
    const { browser } = await signIn('editor');
    const page = await browser.get('/edit/review/');
    const path = /href="(\/edit\/event\/new\/\?suggestion=\d+)"/.exec(page.html)?.[1] ?? '';
    expect((await browser.get(path)).html).toContain('value="Elm Street"');
    expect((await sendForm(browser, path, { ...FORM, title: 'Chess for all', do: 'publish' })).status).toBe(303);
    expect([(await browser.get(path)).status, await waiting(browser)]).toEqual([404, 0]);
  });

  test('that became a draft is listed as decided, and its sender can still be written to', async () => {
    const { browser } = await signIn('editor');
    await suggest({ ...SUGGESTED, title: 'Wine tasting' });
    const path = /href="(\/edit\/event\/new\/\?suggestion=\d+)"/.exec((await browser.get('/edit/review/')).html)?.[1];
    const draft = await sendForm(browser, path ?? '', { ...FORM, title: 'Wine tasting', do: 'draft' });
    const row = async (): Promise<string> => {
      const { html } = await browser.get('/edit/review/');
      return /<li>(?:(?!<li>)[^])*Wine tasting[^]*?<\/li>/.exec(html)?.[0] ?? '';
    };
    const own = `/edit/event/${redirectedId(draft)}/`;
    expect(await row()).toContain(`<a href="${own}">Wine tasting</a>`);
    expect(await row()).toMatch(/accepted by editor<\/span> <span class="tag">Draft</);
    expect(await row()).toContain('href="mailto:neighbour@mail.example?subject=Wine%20tasting"');
    expect((await sendForm(browser, own, { do: 'trash' })).status).toBe(303);
    expect(await row()).toMatch(/<strong>Wine tasting<\/strong> .*<span class="tag">In the trash</);
  });

  test('from a bot is not kept: it fills in the hidden field, sends at once, or forges the form', async () => {
    const { browser } = await signIn('editor');
    expect((await suggest({ ...SUGGESTED, fax: '123' })).status).toBe(303);
    const early = await suggest(SUGGESTED, open('198.51.100.251'), 1);
    expect([early.status, early.headers.get('retry-after')]).toEqual([429, '2']);
    expect((await open().post('/suggest/', { ...SUGGESTED, opened: `${site.clock.now - 9_000}.forged` })).status).toBe(
      403,
    );
    expect(await waiting(browser)).toBe(0);
  });

  test('is refused from another site, even if an older browser only sends the origin', async () => {
    const visitor = open('198.51.100.252');
    const opened = /name="opened" value="([^"]+)"/.exec((await visitor.get('/suggest/')).html)?.[1] ?? '';
    site.clock.now += 60_000;
    const form = new URLSearchParams({ ...SUGGESTED, title: 'By its origin', opened });
    for (const [origin, status] of [
      ['https://evil.example', 403],
      ['null', 403],
      ['https://site.example', 303],
    ] as const)
      expect((await visitor.send('/suggest/', form, { origin })).status).toBe(status);
  });

  test('is slowed down per network, and refused if too large or wrong, keeping what was typed', async () => {
    const visitor = open('203.0.113.5');
    const answers: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      const { status, headers } = await suggest(SUGGESTED, visitor);
      answers.push(`${status}${Number(headers.get('retry-after')) > 0 ? ' waits' : ''}`);
    }
    expect(answers).toEqual(['303', '303', '303', '303', '429 waits', '429 waits']);
    const wrong = await suggest({ ...SUGGESTED, startDay: 'soon', email: 'nobody' });
    expect([wrong.status, wrong.html.includes('value="Elm Street"')]).toEqual([422, true]);
    expect([...wrong.html.matchAll(/id="(\w+)-fault"/g)].map(([, name]) => name)).toEqual(['startDay', 'email']);
    expect((await suggest({ ...SUGGESTED, description: 'x'.repeat(80_000) })).status).toBe(413);
  });

  test.each([
    ['an impossible date', { startDay: '2027-02-30' }, 'startDay', 'This is not a date. Write it like 2027-01-31.'],
    ['a day in the past', { startDay: '2026-01-05' }, 'startDay', 'This day is over.'],
    ['days in the past', { startDay: '2026-01-05', endDay: '2026-01-07' }, 'endDay', 'This day is over.'],
    [
      'a time that is skipped in spring',
      { startDay: '2027-03-28', startTime: '02:30', endTime: '04:00' },
      'startTime',
      'On this day the clocks go forward, and this time is left out. The next time that exists is 03:00.',
    ],
    ['an invisible title', { title: ' \u200b\ufeff ' }, 'title', 'Please fill this in.'],
  ])('with %s is refused at that field', async (_, fields, name, fault) => {
    const { status, html } = await suggest({ ...SUGGESTED, ...fields });
    expect(status).toBe(422);
    expect([...html.matchAll(/id="(\w+)-fault">([^<]+)</g)].map((found) => found.slice(1))).toEqual([[name, fault]]);
  });

  test('loses characters that reverse text, and may have started already', async () => {
    const { browser } = await signIn('editor');
    const title = 'Fair \u202egnp.exe\u0007\r\n of שלום';
    const days = { startDay: '2026-01-05', endDay: '2027-12-31' };
    expect((await suggest({ ...SUGGESTED, ...days, title })).status).toBe(303);
    expect((await browser.get('/edit/review/')).html).toContain('<h3>Fair gnp.exe\n of שלום</h3>');
  });

  test('that is refused opens with the focus in the field that is wrong', async () => {
    const { status, html } = await suggest({ ...SUGGESTED, startTime: '', allDay: '' });
    expect([status, focused(html)]).toEqual([422, ['startTime']]);
    expect(focused((await open().get('/suggest/')).html)).toEqual([]);
  });

  test('is kept once, even if sent twice, and may be as long as its fields allow in any script', async () => {
    const { browser } = await signIn('editor');
    const before = await waiting(browser);
    const long = { ...SUGGESTED, title: '市'.repeat(200), description: '会'.repeat(5_000) };
    const visitor = open('203.0.113.6');
    expect([(await suggest(long, visitor)).status, (await suggest(long, visitor)).status]).toEqual([303, 303]);
    expect(await waiting(browser)).toBe(before + 1);
    expect((await suggest({ ...long, email: '' })).status).toBe(303);
    expect(await waiting(browser)).toBe(before + 2);
  });
});
