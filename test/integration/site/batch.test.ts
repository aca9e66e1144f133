import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { callerByLogin } from '../../../src/site/users/users.ts';
import { NS, siteShell, type Asked, type Body, type SiteShell } from '../../support/site-shell.ts';

let shell: SiteShell;
beforeAll(async () => {
  shell = await siteShell();
});
beforeEach(() => shell.clear());
afterAll(() => shell.close());
const ask: SiteShell['ask'] = (line, asked) => shell.ask(line, asked);

const tag = (name: unknown) => ({ path: `${NS}/tags`, body: { name } });
const results = ({ body }: { body: Body }) =>
  body.responses.map(
    (item) => item && [item.status, item.body.code ?? item.body['name'] ?? item.body.endpoint, item.headers],
  );

describe('a batch', () => {
  const send = async (requests: unknown, more: object = {}, asked: Asked = { as: 'editor' }) =>
    ask('POST /batch/v1', { ...asked, json: { requests, ...more } });

  it('answers each item, in order', async () => {
    const answer = await send([
      tag('a'),
      { method: 'DELETE', path: `${NS}/events/7` },
      { method: 'PATCH', path: `${NS}/events/7?_fields=endpoint`, body: { title: 'B' } },
    ]);
    expect([answer.status, answer.headers.get('allow')]).toEqual([207, 'POST']);
    const allow = 'GET, DELETE, POST, PUT, PATCH';
    expect(results(answer)).toEqual([
      [201, 'a', { Location: 'https://site.example/tags/a', Allow: 'GET, POST' }],
      [200, 'deleteEvent', { Allow: allow }],
      [200, 'updateEvent', { Allow: allow }],
    ]);
  });
  it('without items has no responses', async () => expect((await send([])).body).toEqual({ responses: [] }));
  it('keeps the items that succeeded, and nothing of those that failed', async () => {
    const answer = await send([tag('a'), tag('taken'), tag('broken'), tag(''), tag('unknown'), tag('b')]);
    expect(results(answer).map((one) => one?.slice(0, 2))).toEqual([
      [201, 'a'],
      [400, 'term_exists'],
      [500, 'internal_server_error'],
      [400, 'rest_invalid_param'],
      [400, 'rest_invalid_param'],
      [201, 'b'],
    ]);
    expect(await shell.written()).toEqual(['a', 'b']);
    expect(shell.reported).toHaveLength(1);
  });
  it.each([
    ['a missing field', { path: `${NS}/tags` }, 'rest_missing_callback_param'],
    ['an unknown route', { path: `${NS}/nope` }, 'rest_no_route'],
    ['a value that only the handler refuses', tag('unknown'), 'rest_invalid_param'],
    ['a nested batch', { path: '/batch/v1' }, 'rest_batch_not_allowed'],
  ])('with require-all-validate writes nothing because of %s', async (_, item, code) => {
    const answer = await send([tag('a'), item], { validation: 'require-all-validate' });
    expect(answer.status).toBe(207);
    expect(answer.body['failed']).toBe('validation');
    expect(answer.body.responses[0]).toBeNull();
    expect(answer.body.responses[1]).toMatchObject({ headers: [], body: { code } });
    expect(await shell.written()).toEqual([]);
  });
  it('with require-all-validate runs if all items are valid; rights are checked afterwards', async () => {
    expect(
      results(await send([tag('a'), tag('taken')], { validation: 'require-all-validate' })).map((one) => one?.[0]),
    ).toEqual([201, 400]);
    expect(await shell.written()).toEqual(['a']);
    expect(results(await send([tag('b')], { validation: 'require-all-validate' }, {}))).toEqual([
      [401, 'rest_forbidden', { Allow: 'GET' }],
    ]);
  });
  it.each([
    ['/nope', 404, 'rest_no_route'],
    ['', 404, 'rest_no_route'],
    ['calendar/events/v1/tags', 404, 'rest_no_route'],
    [`/api${NS}/tags`, 404, 'rest_no_route'],
    [`https://site.example/api${NS}/tags`, 404, 'rest_no_route'],
    [`https://other.example${NS}/tags?name=a`, 201, 'a'],
    [`${NS}/tags?name=q`, 201, 'q'],
    ['///', 400, 'parse_path_failed'],
    ['/batch/v1', 400, 'rest_batch_not_allowed'],
    [`${NS}/tags/0x`, 404, 'rest_no_route'],
  ])('an item for %j gets %i %s', async (path, status, code) =>
    expect(results(await send([{ path }])).map((one) => one?.slice(0, 2))).toEqual([[status, code]]),
  );
  it('of more than 25 items is refused', async () => {
    const { status, body } = await send(Array.from({ length: 26 }, (_, index) => tag(`t${index}`)));
    expect([status, (body.data['details'] as { requests: { code: string } }).requests.code]).toEqual([
      400,
      'rest_too_many_items',
    ]);
    expect(await shell.written()).toEqual([]);
  });
  it('may be in an envelope', async () =>
    expect((await ask('POST /batch/v1?_envelope', { as: 'editor', json: { requests: [] } })).body).toMatchObject({
      status: 207,
      body: { responses: [] },
    }));
  it('in process runs as its caller', async () => {
    const caller = await callerByLogin(shell.db);
    expect(results(await send([tag('own')], {}, { caller }))).toMatchObject([[201, 'own', {}]]);
  });
});
