import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { targets, type Answer, type Json, type Sent, type Target } from '../support/contract-target.ts';
import { builtinSite } from '../support/builtin-site.ts';
import { madeOn, type Made } from './cases/made.ts';

// Covers every statement of contract.md, section 11. Real sites do not batch calendar routes, so tests of those run on
// the built-in site only.
interface Item {
  readonly status: number;
  readonly body: Json & { readonly name?: string };
  readonly headers: Readonly<Record<string, string>> | readonly [];
}

describe.each(targets)('a batch %s', (_, open) => {
  let target: Target;
  let made: Made;
  let ns = '';
  beforeAll(async () => {
    target = await open();
    made = await madeOn(target);
    ns = `/${target.namespace}`;
  });
  afterAll(async () => {
    await made.clear();
    await target.close();
  });
  const send = (requests: unknown, more: object = {}, sent: Sent = {}): Promise<Answer> =>
    target.send('POST //batch/v1', { ...sent, json: { requests, ...more } });
  const items = ({ body }: Answer): readonly (Item | null)[] => body['responses'] as readonly (Item | null)[];
  const one = async (request: object): Promise<readonly unknown[]> => {
    const [item] = items(await send([request]));
    return [item?.status, item?.body.code ?? item?.body.name];
  };
  const tag = (name: string, more: object = {}): object => ({
    path: `${ns}/tags`,
    body: { name: `${made.caseKey} ${name}`, ...more },
  });
  const written = async (word: string): Promise<number> =>
    Number((await target.send(`GET /tags?hide_empty=false&search=${word}`, { as: null })).body['total']);

  it('requires no right itself, but each item does', async () => {
    const answer = await send([tag('anonymous')], {}, { as: null });
    expect(answer.status).toBe(207);
    expect(items(answer)).toMatchObject([
      target.isOurs
        ? { status: 401, body: { code: 'rest_forbidden' }, headers: { Allow: 'GET' } }
        : { status: 400, body: { code: 'rest_batch_not_allowed' } },
    ]);
    expect(await written(`${made.caseKey}+anonymous`)).toBe(0);
  });
  it('without items gets no responses', async () =>
    expect(await send([])).toMatchObject({ status: 207, body: { responses: [] } }));
  it.each([
    ['no list of requests', {}, 'rest_missing_callback_param', undefined],
    [
      '26 items',
      { requests: Array.from({ length: 26 }, () => ({ path: '/x' })) },
      'rest_invalid_param',
      'rest_too_many_items',
    ],
    ['a request that reads', { requests: [{ method: 'GET', path: '/x' }] }, 'rest_invalid_param', 'rest_not_in_enum'],
    [
      'a method in lower case',
      { requests: [{ method: 'post', path: '/x' }] },
      'rest_invalid_param',
      'rest_not_in_enum',
    ],
    ['an item without a path', { requests: [{ method: 'POST' }] }, 'rest_invalid_param', 'rest_property_required'],
  ])('with %s is refused as a whole', async (__, json, code, inner) => {
    const { status, body } = await target.send('POST //batch/v1', { json });
    expect([
      status,
      body.code,
      (body.data?.['details'] as Readonly<Record<string, { readonly code: string }>> | undefined)?.['requests']?.code,
    ]).toEqual([400, code, inner]);
  });
  it('with an unknown validation mode is refused as a whole', async () => {
    const { status, body } = await send([], { validation: 'sometimes' });
    expect([status, body.data]).toMatchObject([400, { details: { validation: { code: 'rest_not_in_enum' } } }]);
  });
  it('ignores other keys of an item', async () =>
    expect(items(await send([{ path: '/nothing', id: 7, comment: 'a' }]))).toMatchObject([{ status: 404 }]));
  it.each([
    ['/nothing', 404, 'rest_no_route'],
    ['', 404, 'rest_no_route'],
    ['nothing', 404, 'rest_no_route'],
    ['///', 400, 'parse_path_failed'],
    ['/batch/v1', 400, 'rest_batch_not_allowed'],
  ])('an item for %j is %i %s', async (path, status, code) => expect(await one({ path })).toEqual([status, code]));
  it('an item whose path has the address of the interface, or no leading slash, has no route', async () => {
    for (const path of [
      `${new URL(target.root).pathname}${ns}/tags`,
      `${target.root}${ns}/tags`,
      `${ns.slice(1)}/tags`,
    ])
      expect(await one({ path, body: { name: 'x' } })).toEqual([404, 'rest_no_route']);
  });
  it('the index says which routes it may contain, and the limit', async () => {
    const { routes } = (await target.send('GET //', { as: null })).body as unknown as {
      routes: Record<
        string,
        { endpoints: { methods: string[]; allow_batch?: object; args: Record<string, { maxItems?: number }> }[] }
      >;
    };
    expect(routes['/batch/v1']?.endpoints[0]?.args['requests']?.maxItems).toBe(25);
    if (!target.isOurs) return;
    const told = Object.entries(routes)
      .filter(([key]) => key.startsWith(`${ns}/`))
      .flatMap(([key, { endpoints }]) =>
        endpoints.map(({ methods, allow_batch: allowed }) => [
          `${methods.join()} ${key}`,
          methods[0] !== 'GET',
          allowed !== undefined,
        ]),
      );
    expect(told.filter(([, expected, given]) => expected !== given)).toEqual([]);
  });

  describe('of calendar routes', () => {
    it('is carried out in order, with an answer and headers for each item', async ({ skip }) => {
      if (!target.isOurs) skip();
      const [first] = items(await send([tag('ordered', { slug: `${made.caseKey}-ordered` })]));
      const id = first!.body.id;
      const answers = items(
        await send([
          { method: 'PATCH', path: `${ns}/tags/${id}`, body: { description: 'One' } },
          { method: 'PUT', path: `${ns}/tags/${id}`, body: { name: `${made.caseKey} renamed` } },
          { path: `${ns}/tags/${id}?_fields=id,name` },
          { method: 'DELETE', path: `${ns}/tags/${id}` },
          { method: 'DELETE', path: `${ns}/tags/${id}` },
        ]),
      );
      expect(first).toMatchObject({
        status: 201,
        headers: { Location: `${target.root}${ns}/tags/${id}`, Allow: 'GET, POST' },
      });
      expect(answers.map((item) => item?.status)).toEqual([200, 200, 200, 200, 400]);
      expect(answers[1]?.body).toMatchObject({ description: 'One', name: `${made.caseKey} renamed` });
      expect(answers[2]?.body).toEqual({ id, name: `${made.caseKey} renamed` });
      expect(answers[4]).toMatchObject({
        body: { code: 'rest_invalid_param' },
        headers: { Allow: 'GET, POST, PUT, PATCH, DELETE' },
      });
    });
    it('takes bodies as a form would send them, and POST as the default method', async ({ skip }) => {
      if (!target.isOurs) skip();
      const [item] = items(
        await send([
          {
            path: `${ns}/events`,
            body: {
              title: `${made.caseKey} form`,
              start_date: '2027-01-10',
              end_date: '2027-01-10',
              all_day: '1',
              tags: [String(made.tag.id)],
              venue: `${made.venue.id}`,
            },
            headers: { 'Content-Type': 'text/plain', 'X-Any': ['a', 'b'] },
          },
        ]),
      );
      made.keep('events', item!.body.id);
      expect(item).toMatchObject({
        status: 201,
        body: { all_day: true, tags: [{ id: made.tag.id }], venue: { id: made.venue.id } },
      });
    });
    it('does not pass its own query on to its items', async ({ skip }) => {
      if (!target.isOurs) skip();
      const { body } = await target.send('POST //batch/v1?name=outer&_fields=responses', {
        json: { requests: [{ path: `${ns}/tags`, body: {} }] },
      });
      expect(body).toMatchObject({
        responses: [{ status: 400, body: { code: 'rest_missing_callback_param', data: { params: ['name'] } } }],
      });
    });
    it('reads the query in an item’s path, but prefers the body', async ({ skip }) => {
      if (!target.isOurs) skip();
      expect(
        await one({
          path: `${ns}/tags/${made.tag.id}?name=${made.key}+query&description=query`,
          method: 'PATCH',
          body: { name: `${made.key} a tag` },
        }),
      ).toEqual([200, `${made.key} a tag`]);
    });
    it('keeps the items that succeed; those that fail leave no trace', async ({ skip }) => {
      if (!target.isOurs) skip();
      const venue = { venue: `${made.caseKey} lost venue` };
      const failing = {
        path: `${ns}/events`,
        body: {
          title: `${made.caseKey} lost`,
          start_date: '2027-01-10',
          end_date: '2027-01-09',
          venue,
          tags: [`${made.caseKey} lost tag`],
        },
      };
      const unknown = {
        path: `${ns}/events`,
        body: {
          title: `${made.caseKey} lost`,
          start_date: '2027-01-10',
          end_date: '2027-01-11',
          tags: [`${made.caseKey} lost tag`],
          venue,
          organizer: [2_000_000_000],
        },
      };
      const answers = items(
        await send([tag('kept one'), failing, unknown, { path: `${ns}/nothing` }, tag('kept two')]),
      );
      expect(answers.map((item) => item?.status)).toEqual([201, 400, 400, 404, 201]);
      for (const item of [answers[0], answers[4]]) made.keep('tags', item!.body.id);
      expect([await written(`${made.caseKey}+kept`), await written(`${made.caseKey}+lost`)]).toEqual([2, 0]);
      for (const path of [
        `/venues?search=${made.caseKey}+lost`,
        `/events?starts_after=1971-01-01&search=${made.caseKey}+lost`,
      ])
        expect((await target.send(`GET ${path}`)).body['total']).toBe(0);
    });
    it('that must be valid does nothing if the form, route or references of an item are invalid', async ({ skip }) => {
      if (!target.isOurs) skip();
      const wrong = [
        { path: `${ns}/tags` },
        { path: `${ns}/nothing` },
        { path: '/batch/v1' },
        { method: 'PATCH', path: `${ns}/events/${made.near.id}`, body: { venue: 2_000_000_000 } },
        { method: 'PATCH', path: `${ns}/events/${made.near.id}`, body: { end_date: '1999-01-01' } },
      ];
      for (const item of wrong) {
        const answer = await send([tag('strict'), item, tag('strict too')], { validation: 'require-all-validate' });
        expect([answer.status, answer.body['failed']]).toEqual([207, 'validation']);
        expect(items(answer).map((each) => each && [each.status >= 400, each.headers])).toEqual([
          null,
          [true, []],
          null,
        ]);
      }
      expect(await written(`${made.caseKey}+strict`)).toBe(0);
    });
    it('that must be valid and is, is carried out; missing rights do not make it invalid', async ({ skip }) => {
      if (!target.isOurs) skip();
      const answer = await send(
        [tag('valid'), { method: 'PATCH', path: `${ns}/tags/${made.otherTag.id}`, body: { description: 'Valid' } }],
        { validation: 'require-all-validate' },
      );
      expect(answer.body).not.toHaveProperty('failed');
      expect(items(answer).map((item) => item?.status)).toEqual([201, 200]);
      made.keep('tags', items(answer)[0]!.body.id);
      const refused = await send([tag('not allowed')], { validation: 'require-all-validate' }, { as: null });
      expect(refused.body).not.toHaveProperty('failed');
      expect(items(refused)).toMatchObject([{ status: 401, body: { code: 'rest_forbidden' } }]);
    });
    it('gives 25 events with the same title different slugs', async ({ skip }) => {
      if (!target.isOurs) skip();
      const answers = items(
        await send(
          Array.from({ length: 25 }, () => ({
            path: `${ns}/events`,
            body: { title: `${made.caseKey} same`, start_date: '2027-01-10', end_date: '2027-01-10' },
          })),
        ),
      );
      for (const item of answers) made.keep('events', item!.body.id);
      expect(new Set(answers.map((item) => item?.body.slug)).size).toBe(25);
    });
    it('may be wrapped in an envelope', async ({ skip }) => {
      if (!target.isOurs) skip();
      const { status, body } = await target.send('POST //batch/v1?_envelope', { json: { requests: [] } });
      expect([status, body['status'], body['body']]).toEqual([200, 207, { responses: [] }]);
    });
  });
  it('causes no errors', () => expect(target.errors).toEqual([]));
});

it('a batch is one transaction; if an item is refused, it starts again with savepoints', async () => {
  const site = await builtinSite();
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  const requests = ['a', 'a', 'b'].map((name) => ({ path: '/calendar/events/v1/tags', body: { name } }));
  const { body } = await site.ask('editor', 'POST', '/api/batch/v1', { requests });
  const said = (sent.mock.calls as unknown as [string | { text: string }][])
    .map(([first]) => (typeof first === 'string' ? first : first.text))
    .filter((text) => /^(?:begin|commit|savepoint|release|rollback)/i.test(text));
  sent.mockRestore();
  await site.close();
  expect(body.responses.map(({ status }) => status)).toEqual([201, 400, 201]);
  expect(said).toEqual([
    'begin',
    'rollback',
    'begin',
    'savepoint item',
    'release savepoint item; savepoint item',
    'rollback to savepoint item',
    'release savepoint item; savepoint item',
    'commit',
  ]);
});
