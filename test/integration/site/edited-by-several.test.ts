import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import { editorsOf, redirectedId, sendForm, versionIn, type Editors } from '../../support/editors.ts';
import { png } from '../../support/pictures.ts';
import { tokenOf, type Browser, type Shown } from '../../support/site-pages.ts';

// Several people who edit at once: one is saved, and nobody loses what they typed.

let site: TestSite;
let editors: Editors;
const signIn: Editors['signIn'] = (role) => editors.signIn(role);

beforeAll(async () => {
  site = await builtinSite();
  editors = await editorsOf(site);
});
beforeEach(() => editors.renew());
afterAll(() => site.close());

const FORM = { title: 'Open garden', startDay: '2026-12-05', startTime: '15:00', endTime: '17:00' };
const STORED = { ...FORM, endDay: '2026-12-05', language: 'en' };
const picture = (name = 'garden.png'): File => new File([Buffer.from(png(40, 30, 1))], name);

/** The categories that a form offers, in order. */
const namesIn = (page: string): readonly string[] =>
  [...page.matchAll(/name="categories"[^>]*>([^<]+)/g)].map(([, name = '']) => name);

/** Sends two forms from the same page, at the same moment. */
async function atOnce(
  browser: Browser,
  path: string,
  one: Readonly<Record<string, string>>,
  other: Readonly<Record<string, string>>,
): Promise<readonly [Shown, Shown]> {
  const page = await browser.get(path);
  const both = { token: tokenOf(page), version: versionIn(page), do: 'save' };
  return Promise.all([browser.post(path, { ...both, ...one }), browser.post(path, { ...both, ...other })]);
}

describe.each([
  ['an event', '/edit/event/new/', STORED, 'title', 'description', (id: number) => `/events/${id}`, 20],
  ['a place', '/edit/venues/new/', { venue: 'Town hall' }, 'venue', 'address', (id: number) => `/venues/${id}`, 5],
  [
    'an organizer',
    '/edit/organizers/new/',
    { organizer: 'Choir' },
    'organizer',
    'phone',
    (id: number) => `/organizers/${id}`,
    5,
  ],
] as const)('%s, saved twice at the same moment', (_, path, form, named, second, api, pairs) => {
  test(`${pairs} times: exactly one is stored, and the other is shown both and keeps what was typed`, async () => {
    const { browser } = await signIn('editor');
    const isEvent = path.includes('/event/');
    const made = await sendForm(browser, path, { ...form, do: isEvent ? 'publish' : 'save' });
    const own = path.replace('new', String(redirectedId(made)));
    let label = form[named as keyof typeof form] as string;
    const outcomes: string[] = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      const answers = await atOnce(
        browser,
        own,
        { ...form, [named]: `One ${pair}` },
        { ...form, [named]: label, [second]: `Other ${pair}` },
      );
      const [winner, loser] = answers.toSorted((one, other) => one.status - other.status);
      const { body } = await site.ask('editor', 'GET', api(redirectedId(winner as Shown)));
      const isFirst = winner === answers[0];
      // All of one form is stored, and nothing of the other.
      expect([body[named], String(body[second] ?? '').includes(`Other ${pair}`)]).toEqual(
        isFirst ? [`One ${pair}`, false] : [label, true],
      );
      expect(loser?.html).toContain(isFirst ? `Other ${pair}` : `value="One ${pair}"`);
      expect(loser?.html).toContain('<th scope="col">Yours</th>');
      label = body[named] as string;
      outcomes.push(`${winner?.status} ${loser?.status}`);
      site.clock.now += 2_000;
      await sendForm(browser, own, { ...form, [named]: label, do: 'save' });
    }
    expect(outcomes).toEqual(Array.from({ length: pairs }, () => '303 409'));
  });
});

/** The one-time identifier of the form on a page. */
const formIn = ({ html }: Shown): string => /name="once" value="([^"]+)"/.exec(html)?.[1] ?? '';

describe.each([
  ['an event', '/edit/event/new/', { ...FORM, do: 'publish' }, 'title', 'events'],
  ['a place', '/edit/venues/new/', { venue: 'Town hall annexe', do: 'save' }, 'venue', 'venues'],
  ['an organizer', '/edit/organizers/new/', { organizer: 'Chess club', do: 'save' }, 'organizer', 'organizers'],
] as const)('%s whose form is sent twice, as by a double click', (_, path, form, named, list) => {
  const name = `Twice at once: ${named}`;
  const howMany = async (): Promise<number> =>
    (await site.ask('editor', 'GET', `/${list}?search=${encodeURIComponent(name)}`)).body.total as number;

  test('is created once, and each click leads to it', async () => {
    const { browser } = await signIn('editor');
    const page = await browser.get(path);
    const fields = { ...form, [named]: name, token: tokenOf(page), once: formIn(page) };
    const sent = await Promise.all([browser.post(path, fields), browser.post(path, fields)]);
    sent.push(await browser.post(path, fields));
    expect(sent.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(new Set(sent.map(redirectedId)).size).toBe(1);
    expect(await howMany()).toBe(1);
  });

  test('is created after a refusal, and again if the form says something else', async () => {
    const { browser } = await signIn('editor');
    const page = await browser.get(path);
    const fields = { ...form, [named]: '', token: tokenOf(page), once: formIn(page) };
    expect((await browser.post(path, fields)).status).toBe(422);
    expect((await browser.post(path, fields)).status).toBe(422);
    const before = await howMany();
    for (const end of ['', ', again'])
      expect((await browser.post(path, { ...fields, [named]: `${name}${end}` })).status).toBe(303);
    expect(await howMany()).toBe(before + 2);
  });
});

test('changes to an event that may no longer be edited stay in the form, and can be saved as a new one', async () => {
  const { browser: contributor } = await signIn('contributor');
  const { browser: editor } = await signIn('editor');
  const id = redirectedId(await sendForm(contributor, '/edit/event/new/', { ...FORM, do: 'pending' }));
  const page = await contributor.get(`/edit/event/${id}/`);
  expect((await sendForm(editor, `/edit/event/${id}/`, { ...STORED, do: 'publish' })).status).toBe(303);
  const change = {
    ...STORED,
    token: tokenOf(page),
    version: versionIn(page),
    do: 'pending',
    description: 'Hours of work',
  };
  const refused = await contributor.post(`/edit/event/${id}/`, change);
  expect([refused.status, refused.html]).toEqual([404, expect.stringContaining('Hours of work') as string]);
  expect(refused.html).toContain('action="/edit/event/new/"');
  const saved = await contributor.post('/edit/event/new/', change);
  expect([saved.status, redirectedId(saved) === id]).toEqual([303, false]);
});

test('a refused form keeps the picture that was chosen', async () => {
  const { browser } = await signIn('editor');
  const refused = await sendForm(browser, '/edit/event/new/', { ...FORM, startTime: '', do: 'publish' }, picture());
  const chosen = /name="chosenImage" value="(\d+)"/.exec(refused.html)?.[1] ?? '';
  expect([refused.status, refused.html]).toEqual([422, expect.stringContaining('/garden.png') as string]);
  const saved = await sendForm(browser, '/edit/event/new/', { ...FORM, chosenImage: chosen, do: 'publish' });
  expect((await site.ask(null, 'GET', `/events/${redirectedId(saved)}`)).body['image']).toMatchObject({
    id: Number(chosen),
  });
});

test('a user who may not upload has no picture field, and cannot use the pictures of others by id', async () => {
  const { browser } = await signIn('contributor');
  expect((await browser.get('/edit/event/new/')).html).not.toContain('type="file"');
  expect((await sendForm(browser, '/edit/event/new/', { ...FORM, do: 'draft' }, picture())).status).toBe(422);
  const saved = await sendForm(browser, '/edit/event/new/', { ...FORM, chosenImage: '1', do: 'draft' });
  expect((await site.ask('editor', 'GET', `/events/${redirectedId(saved)}`)).body['image']).toBe(false);
});

describe('places and organizers', () => {
  test.each([
    ['venues', 'venue', { status: 'draft' }],
    ['venues', 'venue', { status: 'pending' }],
    ['venues', 'venue', { status: 'private' }],
    ['organizers', 'organizer', { status: 'draft', date: '2026-01-02 03:04:05' }],
    ['organizers', 'organizer', { status: 'publish' }],
  ] as const)('%s: restoring a %s from the trash keeps its status and date (%j)', async (list, kind, asked) => {
    const { browser } = await signIn('editor');
    const { body } = await site.ask('editor', 'POST', `/${list}`, { [kind]: 'Waiting', ...asked });
    await sendForm(browser, `/edit/${list}/${body.id}/`, { do: 'trash' });
    const trash = await browser.get(`/edit/${list}/?list=trash`);
    await browser.post(`/edit/${list}/`, { token: tokenOf(trash), do: 'restore', id: String(body.id) });
    const back = (await site.ask('editor', 'GET', `/${list}/${body.id}`)).body;
    expect([back['status'], back['date']]).toEqual([asked.status, body['date']]);
  });

  test.each([
    ['venues', 'venue'],
    ['organizers', 'organizer'],
  ] as const)('%s: trashing one takes it off its events, and restoring it undoes that', async (list, kind) => {
    const { browser } = await signIn('editor');
    const path = `/edit/${list}/new/`;
    const id = redirectedId(
      await sendForm(browser, path, { [kind]: `Old ${kind}`, do: 'save' }, picture(`${kind}.png`)),
    );
    const { body } = await site.ask(null, 'GET', `/${list}/${id}`);
    expect(body['image']).toMatchObject({ url: expect.stringContaining(`/${kind}.png`) as string });
    const shows: number[] = [];
    for (const startDay of ['2026-11-01', '2026-12-05', '2026-12-06']) {
      const event = { ...FORM, startDay, [kind]: `old ${kind}`, do: 'publish' };
      shows.push(Number(redirectedId(await sendForm(browser, '/edit/event/new/', event))));
    }
    const shown = async (event: number): Promise<string> =>
      JSON.stringify((await site.ask(null, 'GET', `/events/${event}`)).body[kind]);
    const own = `/edit/${list}/${id}/`;
    expect((await browser.get(own)).html).toContain('3 events show it, 2 still to come. They lose it, and get it back');
    const removed = await sendForm(browser, own, { [kind]: `Old ${kind}`, removeImage: 'yes', do: 'save' });
    expect(removed.status).toBe(303);
    expect((await site.ask(null, 'GET', `/${list}/${id}`)).body).not.toHaveProperty('image');
    const trashed = await sendForm(browser, own, { do: 'trash' });
    expect(trashed.headers.get('location')).toBe(`/edit/${list}/?list=trash&said=placeTrashed`);
    expect((await browser.get(own)).status).toBe(404);
    expect((await browser.get(`/edit/${list}/`)).html).not.toContain(`Old ${kind}`);
    expect(await Promise.all(shows.map(shown))).toEqual(['[]', '[]', '[]']);
    // One of the events has moved elsewhere in the meantime.
    const other = { venue: { venue: 'New venue' }, organizer: [{ organizer: 'New organizer' }] }[kind];
    await site.ask('editor', 'POST', `/events/${shows[1]}`, { [kind]: other });
    const trash = await browser.get(`/edit/${list}/?list=trash`);
    expect(trash.html).toContain(`Old ${kind}`);
    const back = await browser.post(`/edit/${list}/`, { token: tokenOf(trash), do: 'restore', id: String(id) });
    expect(back.headers.get('location')).toBe(`${own}?said=placeRestored`);
    expect((await browser.get(own)).html).toContain('2 events show it, 1 still to come.');
    expect((await browser.get(`${own}?said=placeRestored`)).html).toContain('The events that lost it show it again');
    expect((await Promise.all(shows.map(shown))).map((one) => one.includes(`"Old ${kind}"`))).toEqual([
      true,
      false,
      true,
    ]);
    expect(await shown(shows[1]!)).toContain(`"New ${kind}"`);
    const { html } = await browser.get(`/event/${(await site.ask(null, 'GET', `/events/${shows[2]}`)).body['slug']}/`);
    expect([html.includes(`Old ${kind}`), html.includes('class="note')]).toEqual([true, false]);
  });

  test.each([
    ['venues', 'venue'],
    ['organizers', 'organizer'],
  ] as const)('%s: each of several is restored to its position, and no event is shown as moved', async (list, kind) => {
    const names = ['A', 'B', 'C'].map((letter) => `${kind} ${letter} of three`);
    const event = { ...FORM, title: `Of three ${list}`, [kind]: names.join(' | '), do: 'publish' };
    const { browser } = await signIn('editor');
    const made = redirectedId(await sendForm(browser, '/edit/event/new/', event));
    const other = redirectedId(await sendForm(browser, '/edit/event/new/', event));
    const all = async (id = made): Promise<readonly { readonly id: number }[]> => {
      const told = (await site.ask(null, 'GET', `/events/${id}`)).body[kind] as { readonly id: number };
      return Array.isArray(told) ? told : [told];
    };
    // Not in the order of creation.
    const ids = (await all()).map(({ id }) => id).toReversed();
    await site.ask('editor', 'POST', `/events/${made}`, { [kind]: ids });
    const [a, b, c] = ids;
    const trash = (id?: number) => site.ask('editor', 'DELETE', `/${list}/${id}`);
    const restore = (id?: number) => site.ask('editor', 'POST', `/${list}/${id}`, { status: 'publish' });
    const told = async (id = made): Promise<readonly number[]> => (await all(id)).map((one) => one.id);
    await trash(b);
    await trash(a);
    expect(await told()).toEqual([c]);
    const { html } = await browser.get(`/event/of-three-${list}/`);
    expect([html.includes(names[0]!), html.includes('class="note"')]).toEqual([true, false]);
    // Naming what is left drops those in the trash for good.
    await site.ask('editor', 'POST', `/events/${other}`, { [kind]: [c] });
    await site.ask('editor', 'POST', `/events/${made}`, { title: 'Another title' });
    await restore(b);
    expect(await told()).toEqual([b, c]);
    await restore(a);
    expect([await told(), await told(other)]).toEqual([ids, [c]]);
    await trash(c);
    expect(await told()).toEqual([a, b]);
    await site.ask('editor', 'POST', `/events/${made}`, { [kind]: [b] });
    await restore(c);
    expect(await told()).toEqual([b]);
  });

  test('those of others are listed without a link, and no form changes or trashes them', async () => {
    const { body } = await site.ask('editor', 'POST', '/venues', { venue: 'Castle' });
    const { browser } = await signIn('author');
    const list = await browser.get('/edit/venues/?search=castle');
    expect([list.html.includes('Castle'), list.html.includes(`/edit/venues/${body.id}/`)]).toEqual([true, false]);
    const token = tokenOf(list);
    for (const act of ['save', 'trash'])
      expect((await browser.post(`/edit/venues/${body.id}/`, { token, do: act, venue: 'Mine' })).status).toBe(404);
    expect((await site.ask(null, 'GET', `/venues/${body.id}`)).body['venue']).toBe('Castle');
  });

  test('a long list says how many there are, and its pages have all of them', async () => {
    for (let number = 0; number < 60; number += 1)
      await site.ask('editor', 'POST', '/venues', { venue: `Gallery ${number}` });
    const { browser } = await signIn('editor');
    const first = await browser.get('/edit/venues/?search=gallery');
    expect(first.html).toContain('1 to 50 of 60, the newest first.');
    const second = await browser.get('/edit/venues/?search=gallery&page=2');
    expect(first.html).toContain('href="/edit/venues/?search=gallery&amp;page=2"');
    expect(new Set(`${first.html}${second.html}`.match(/>Gallery \d+</g)).size).toBe(60);
    // A venue beyond the fifty offered is found by its exact name, even if longer names contain it.
    await site.ask('editor', 'POST', '/venues', { venue: 'gallery' });
    for (let number = 0; number < 55; number += 1)
      await site.ask('editor', 'POST', '/venues', { venue: `Gallery, room ${number}` });
    const form = await sendForm(browser, '/edit/event/new/', { ...FORM, venue: 'Gallery', do: 'publish' });
    expect((await site.ask(null, 'GET', `/events/${redirectedId(form)}`)).body.venue['venue']).toBe('gallery');
    expect((await browser.get('/edit/event/new/')).html).toMatch(/The newest 50 of \d+ are listed/);
  });

  test('all categories can be chosen, those beyond the first fifty in a part that opens', async () => {
    for (let number = 0; number < 70; number += 1)
      await site.ask('editor', 'POST', '/categories', { name: `Kind ${number}` });
    const { browser } = await signIn('editor');
    const { html } = await browser.get('/edit/event/new/');
    expect(html).toContain('<summary>20 more categories</summary>');
    expect(new Set(namesIn(html)).size).toBe(70);
    // Those of the most events come first.
    const [once = '', twice = ''] = namesIn(html).slice(-2);
    for (const [number, categories] of [[twice], [once, twice]].entries())
      await site.ask('editor', 'POST', '/events', {
        title: `Counted ${number}`,
        start_date: '2026-12-05 15:00',
        end_date: '2026-12-05 17:00',
        categories,
      });
    const { html: later } = await browser.get('/edit/event/new/');
    expect(namesIn(later).slice(0, 2)).toEqual([twice, once]);
    expect(new Set(namesIn(later)).size).toBe(70);
  });
});

test('a contributor can restore a draft that they have trashed', async () => {
  const { browser } = await signIn('contributor');
  const id = redirectedId(await sendForm(browser, '/edit/event/new/', { ...FORM, do: 'draft' }));
  expect((await sendForm(browser, `/edit/event/${id}/`, { do: 'trash' })).status).toBe(303);
  const back = await sendForm(browser, '/edit/?list=trash', { do: 'restore', id: String(id) });
  expect([back.status, redirectedId(back)]).toEqual([303, id]);
});
