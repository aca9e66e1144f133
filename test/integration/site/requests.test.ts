import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from '../../../src/db/database.ts';
import { createApplicationPassword } from '../../../src/site/users/application-passwords.ts';
import { callerByLogin } from '../../../src/site/users/users.ts';
import { basic, concert, NOW, NS, siteShell, type Asked, type SiteShell } from '../../support/site-shell.ts';

let shell: SiteShell;
beforeAll(async () => {
  shell = await siteShell();
});
beforeEach(() => shell.clear());
afterAll(() => shell.close());
const ask: SiteShell['ask'] = (line, asked) => shell.ask(line, asked);

function multipart(parts: number): FormData {
  const form = new FormData();
  for (let part = 0; part < parts; part += 1) form.append('k', '1');
  return form;
}

/** A multipart form whose boundary is `b`. */
const multipartOf = (name: string): string =>
  `--b\r\nContent-Disposition: form-data; name="name"\r\n\r\n${name}\r\n--b--\r\n`;

describe('routes', () => {
  it.each([
    [`GET ${NS}/events`, 'listEvents'],
    [`GET ${NS}/events/`, 'listEvents'],
    ['GET /CALENDAR/Events/V1/Tags', 'listTags'],
    [`HEAD ${NS}/venues`, undefined],
    [`GET ${NS}/events/7`, 'readEvent'],
    [`GET ${NS}/events/by-slug/a-b`, 'readEventBySlug'],
    [`GET ${NS}/events/by-slug/7/`, 'readEventBySlug'],
    // As in the address of an event called “50%defekt”.
    [`GET ${NS}/events/by-slug/50%defekt`, 'readEventBySlug'],
    [`GET ${NS}/events/by-slug/%E0%A4%A`, 'readEventBySlug'],
    ['GET /tribe/events/v1/categories/2', 'readCategory'],
    ['GET /oembed/1.0/embed?url=x', 'readEmbed'],
  ])('%s is %s', async (line, endpoint) => {
    const { status, body } = await ask(line);
    expect([status, body?.endpoint]).toEqual([200, endpoint]);
  });
  it.each([
    [`GET ${NS}/nope`],
    [`GET ${NS}/events/abc`],
    [`GET ${NS}/events/-4`],
    [`GET ${NS}/events/4.5`],
    [`GET ${NS}/categories/%00`],
    [`GET ${NS}/events/by-slug/a%00b`],
    [`PATCH ${NS}/events`, ' This address takes GET and POST.'],
    ['GET /batch/v1', ' This address takes POST.'],
    [`GET ${NS}/categories/by-slug/x`],
    [`GET ${NS}/events/by-slug/a%2Fb`],
    ['GET x'],
    [`DELETE ${NS}/doc`, ' This address takes GET.'],
  ])('%s is not found', async (line, instead = '') => {
    const { status, body, headers } = await ask(line);
    expect(status).toBe(404);
    expect(body).toEqual({
      code: 'rest_no_route',
      message: `No route was found matching the URL and request method.${instead}`,
      data: { status: 404 },
    });
    expect(headers.has('allow')).toBe(false);
  });
  it('under the alias answer with its namespace', async () => {
    expect((await ask('GET /tribe/events/v1/events')).body['namespace']).toBe('tribe/events/v1');
    expect((await ask(`GET ${NS}/events`)).body['namespace']).toBe('calendar/events/v1');
  });
});

describe('parameters', () => {
  const title = async (line: string, asked: Asked) =>
    (await ask(line, { as: 'editor', ...asked })).body.input?.['title'];
  it('come from JSON before the query', async () =>
    expect(await title(`POST ${NS}/events?title=Query`, { json: concert })).toBe('Concert'));
  it('come from a form before the query', async () =>
    expect(await title(`PUT ${NS}/events/7?title=Query`, { body: new URLSearchParams('title=Form') })).toBe('Form'));
  it('come from the query', async () =>
    expect(await title(`POST ${NS}/events?title=Query&start_date=2027-01-12+18:00&end_date=2027-01-12+19:00`, {})).toBe(
      'Query',
    ));
  it('in the body override the path', async () =>
    expect((await ask(`PATCH ${NS}/events/99`, { as: 'editor', json: { id: 4 } })).body.input['id']).toBe(4));
  it('may have brackets, as in PHP', async () => {
    const form =
      'title=A&start_date=2027-01-10&end_date=2027-01-10&categories[]=2&categories[]=jazz&' +
      'venue[venue]=Hall&venue[city]=Hel&organizer[0][organizer]=X&organizer[1]=7';
    expect(
      (await ask(`POST ${NS}/events`, { as: 'editor', body: new URLSearchParams(form) })).body.input,
    ).toMatchObject({
      categories: [
        { kind: 'text', text: '2' },
        { kind: 'text', text: 'jazz' },
      ],
      venue: [{ kind: 'data', data: { venue: 'Hall', city: 'Hel' } }],
      organizer: [
        { kind: 'data', data: { organizer: 'X' } },
        { kind: 'id', id: 7 },
      ],
    });
    expect((await ask(`GET ${NS}/events?include[]=10&include[]=20`)).body.input['include']).toEqual([10, 20]);
  });
  it('may come as a multipart form', async () => {
    const form = new FormData();
    form.set('name', 'open air');
    const { status } = await ask(`POST ${NS}/tags`, { as: 'editor', body: form });
    expect([status, await shell.written()]).toEqual([201, ['open air']]);
  });
  it.each([
    ['a form that is not UTF-8', 'application/x-www-form-urlencoded', 'name=\xa3\xf3d\xbc', undefined],
    ['a form in ISO 8859-2', 'application/x-www-form-urlencoded; charset=iso-8859-2', 'name=%A3%F3d%BC', undefined],
    ['a multipart form that is not UTF-8', 'multipart/form-data; boundary=b', multipartOf('\xa3\xf3d\xbc'), undefined],
    ['a form in UTF-8', 'application/x-www-form-urlencoded', 'name=\xc5\x81%C3%B3d%c5%ba', 'Łódź'],
    ['a form that holds U+FFFD', 'application/x-www-form-urlencoded', 'name=%ef%bf%bd', '�'],
    ['a multipart form that holds U+FFFD', 'multipart/form-data; boundary=b', multipartOf('\xef\xbf\xbd'), '�'],
  ])('the text of %s is stored as it was meant, or refused', async (_, type, octets, stored) => {
    const { status, body } = await ask(`POST ${NS}/tags`, {
      as: 'editor',
      body: Buffer.from(octets, 'latin1'),
      headers: { 'content-type': type },
    });
    expect([status, body.code, await shell.written()]).toEqual(
      stored === undefined ? [400, 'rest_invalid_form', []] : [201, undefined, [stored]],
    );
  });
  it('are not read from another content type, and the error says so', async () => {
    const { status, body } = await ask(`POST ${NS}/events`, {
      as: 'editor',
      json: JSON.stringify(concert),
      headers: { 'content-type': 'text/plain; charset=UTF-8' },
    });
    expect([status, body.code, body.data['params'], body.message]).toEqual([
      400,
      'rest_missing_callback_param',
      ['title', 'start_date', 'end_date'],
      'Missing parameter(s): title, start_date, end_date. ' +
        'The body was not read, because its Content-Type is text/plain: send application/json.',
    ]);
  });
  it.each(['POST', 'PUT', 'PATCH'])('that an update does not read are refused, not ignored: %s', async (method) => {
    const update = (asked: Pick<Asked, 'as'>, body: string, type = 'text/plain'): ReturnType<SiteShell['ask']> =>
      ask(`${method} ${NS}/tags/7`, { ...asked, body, headers: { 'content-type': type } });
    const told = await update({ as: 'editor' }, '{"name":"Market"}');
    expect([told.status, told.body.code, told.body.message]).toEqual([
      415,
      'rest_unsupported_media_type',
      'Nothing was written. The body was not read, because its Content-Type is text/plain: send application/json.',
    ]);
    expect((await update({}, '{"name":"Market"}')).status).toBe(401);
    expect((await update({ as: 'editor' }, '')).status).toBe(200);
    expect((await update({ as: 'editor' }, '[]', 'application/json')).status).toBe(200);
  });
  it.each(['[{"name":"Market"}]', '"Market"', '7'])('are not in the JSON %s, and the error says so', async (json) => {
    const { status, body } = await ask(`PATCH ${NS}/tags/7`, { as: 'editor', json });
    expect([status, body.message]).toEqual([
      415,
      'Nothing was written. The body holds no parameters, because it is no JSON object: send {"name": value}.',
    ]);
    expect((await ask(`POST ${NS}/tags`, { as: 'editor', json })).body.message).toMatch(/^Missing .* no JSON object/);
  });
  it('are not read from compressed bodies and files', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const update = { as: 'editor', body: gzipSync('{"name":"Market"}'), headers };
    expect((await ask(`PATCH ${NS}/tags/7`, update)).body.message).toBe(
      'Nothing was written. The body was not read, because its Content-Encoding is gzip: send it uncompressed.',
    );
    expect((await ask(`POST ${NS}/tags`, update)).body).toMatchObject({
      code: 'rest_missing_callback_param',
      message: expect.stringContaining('its Content-Encoding is gzip'),
    });
    const form = new FormData();
    form.append('name', 'Market');
    form.append('image', new File([], ''));
    expect((await ask(`PATCH ${NS}/tags/7`, { as: 'editor', body: form })).status).toBe(200);
    form.append('image', new File(['PNG'], 'stall.png'));
    const { status, body } = await ask(`PATCH ${NS}/tags/7`, { as: 'editor', body: form });
    expect([status, body.message]).toEqual([
      415,
      'Nothing was written. No file is read, and there is one in image: of a picture, send the address or the id.',
    ]);
  });
  it.each([
    ['{"title":', 4],
    ['', undefined],
    ['[1,2]', undefined],
  ])('the JSON body %j is refused', async (json, error) => {
    const { status, body } = await ask(`POST ${NS}/events`, { as: 'editor', json });
    expect([status, body.code, body.data['json_error_code']]).toEqual([
      400,
      error ? 'rest_invalid_json' : 'rest_missing_callback_param',
      error,
    ]);
  });
  it('lose NUL, which no text column holds', async () =>
    expect(await title(`POST ${NS}/events`, { json: { ...concert, title: 'A\0B' } })).toBe('AB'));
  it('that do not arrive in full are refused, and nothing is reported as a failure', async () => {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from('{"name":')),
      pull: (controller) => controller.error(new Error('aborted')),
    });
    const { status, body: refusal } = await ask(`POST ${NS}/tags`, {
      as: 'editor',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect([status, refusal.code, shell.reported]).toEqual([400, 'rest_body_cut_off', []]);
  });
  it('larger than ten megabytes are refused', async () =>
    expect((await ask(`POST ${NS}/tags`, { as: 'editor', json: { name: 'x'.repeat(10_000_001) } })).body.code).toBe(
      'rest_body_too_large',
    ));
  it.each<[string, string, Asked, number, string]>([
    ['a query', `GET ${NS}/events?${'a&'.repeat(1_000)}`, {}, 400, 'rest_too_many_parameters'],
    [
      'a form',
      `POST ${NS}/tags`,
      { as: 'editor', body: new URLSearchParams('k=1&'.repeat(1_001)) },
      400,
      'rest_too_many_parameters',
    ],
    ['a multipart form', `POST ${NS}/tags`, { as: 'editor', body: multipart(1_001) }, 400, 'rest_too_many_parameters'],
    ['JSON', `POST ${NS}/tags`, { as: 'editor', json: `[${'1,'.repeat(25_000)}1]` }, 400, 'rest_too_many_parameters'],
    [
      'JSON nested 513 deep',
      `POST ${NS}/tags`,
      { as: 'editor', json: '['.repeat(513) + ']'.repeat(513) },
      400,
      'rest_invalid_json',
    ],
    [
      'a form of two megabytes',
      `POST ${NS}/tags`,
      { as: 'editor', body: new URLSearchParams({ name: 'x'.repeat(2_000_000) }) },
      413,
      'rest_body_too_large',
    ],
  ])('%s that holds too much is refused', async (_, line, asked, status, code) => {
    const answer = await ask(line, asked);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=UTF-8');
  });
  it('are read up to the limit', async () => {
    const form = new URLSearchParams([
      ...Array.from({ length: 999 }, (__, index) => ['categories[]', `c${index}`]),
      ['title', 'Form'],
    ]);
    expect(await title(`POST ${NS}/events?start_date=2027-01-12&end_date=2027-01-12`, { body: form })).toBe('Form');
    expect((await ask(`POST ${NS}/tags`, { as: 'editor', body: multipart(1_000) })).body.code).toBe(
      'rest_missing_callback_param',
    );
  });
  it.each([
    ['title', 2_500],
    ['description', 200_000],
    ['excerpt', 200_000],
    ['slug', 2_500],
    ['unknown', 200_000],
  ])('%s of more than %s characters is refused by name', async (name, max) => {
    expect(
      (await ask(`POST ${NS}/events`, { as: 'editor', json: { ...concert, [name]: 'x'.repeat(max) } })).status,
    ).toBe(201);
    const { status, body } = await ask(`POST ${NS}/events`, {
      as: 'editor',
      json: { ...concert, [name]: 'x'.repeat(max + 1) },
    });
    expect([status, body.code]).toEqual([400, 'rest_invalid_param']);
    expect(body.data).toEqual({
      status: 400,
      params: { [name]: `${name} must be at most ${max} characters long.` },
      details: {
        [name]: { code: 'rest_too_long', message: `${name} must be at most ${max} characters long.`, data: null },
      },
    });
  });
  it('have the same limits in each item of a batch', async () => {
    const requests = [
      { path: `${NS}/tags`, body: { name: 'x'.repeat(200_001) } },
      { path: `${NS}/tags?${'a&'.repeat(1_000)}`, body: { name: 'b' } },
      { path: `${NS}/tags`, body: { name: 'fine' } },
    ];
    const { status, body } = await ask('POST /batch/v1', { as: 'editor', json: { requests } });
    expect([status, body.responses.map((response) => response?.body.code ?? response?.status)]).toEqual([
      207,
      ['rest_invalid_param', 'rest_too_many_parameters', 201],
    ]);
  });
  it.each([
    [undefined, `POST ${NS}/events`, 401, 'rest_forbidden'],
    ['subscriber', `POST ${NS}/events`, 403, 'rest_forbidden'],
    [undefined, 'POST /batch/v1', 413, 'rest_body_too_large'],
    [undefined, 'POST /oembed/1.0/embed?_method=GET', 413, 'rest_body_too_large'],
    [undefined, `POST ${NS}/nothing`, 404, 'rest_no_route'],
    ['editor', `PATCH ${NS}/events`, 404, 'rest_no_route'],
  ] as const)('of %s to %s are not read from a large body that is refused anyway', async (as, line, status, code) => {
    let read = 0;
    const body = new ReadableStream(
      {
        pull: (controller) => {
          read += 1;
          controller.enqueue(new Uint8Array(1_000).fill(0x20));
          if (read === 9_000) controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    const answer = await ask(line, {
      ...(as && { as }),
      body: body as never,
      headers: { 'content-type': 'application/json', 'content-length': '9000000' },
    });
    expect([answer.status, answer.body.code, read]).toEqual([status, code, 0]);
  });
  it('of an endless anonymous body are given up early', async () => {
    let read = 0;
    const body = new ReadableStream(
      {
        pull: (controller) => {
          read += 1;
          controller.enqueue(new Uint8Array(1_000).fill(0x20));
        },
      },
      { highWaterMark: 0 },
    );
    expect(
      (await ask(`POST ${NS}/events`, { body: body as never, headers: { 'content-type': 'application/json' } })).status,
    ).toBe(401);
    expect(read).toBeLessThan(20);
  });
  it.each([
    [`GET ${NS}/events/7?_method=DELETE`, {}, 'deleteEvent'],
    [`POST ${NS}/events/7?_method=patch`, {}, 'updateEvent'],
    [`POST ${NS}/events/7`, { 'x-http-method-override': 'DELETE' }, 'deleteEvent'],
    [`GET ${NS}/events/7`, { 'x-http-method-override': 'DELETE' }, 'readEvent'],
  ])('can override the method: %s %j is %s', async (line, headers, endpoint) =>
    expect((await ask(line, { as: 'editor', headers: headers as Record<string, string> })).body.endpoint).toBe(
      endpoint,
    ),
  );
});

describe('credentials', () => {
  const as = async (authorization: string) => {
    const { status, body } = await ask(`GET ${NS}/events`, { headers: { authorization } });
    return status === 200 ? body['caller'] : [status, body.code];
  };
  const secret = () => shell.passwords.get('editor')!;
  it('are a login and an application password', async () => expect(await as(basic('editor', secret()))).toBe('editor'));
  it('ignore the case of a login', async () => expect(await as(basic('EDITOR', secret()))).toBe('editor'));
  it('may have an e-mail address as login', async () =>
    expect(await as(basic('Editor@site.example', secret()))).toBe('editor'));
  it('may have spaces in the password', async () =>
    expect(
      await as(
        basic(
          'editor',
          secret()
            .replace(/(.{4})/g, '$1 ')
            .trim(),
        ),
      ),
    ).toBe('editor'));
  it('may have hyphens in the password', async () =>
    expect(await as(basic('editor', secret().replace(/(.{4})/g, '$1-')))).toBe('editor'));
  it('of another scheme are ignored', async () => expect(await as('Bearer abc')).toBeNull());
  it('without a colon are ignored', async () =>
    expect(await as(`Basic ${Buffer.from('editor').toString('base64')}`)).toBeNull());
  it.each([
    ['a wrong password', basic('editor', 'wrong'), 'incorrect_password'],
    ['an empty password', basic('editor', ''), 'incorrect_password'],
    ['a password in another case', () => basic('editor', secret().toLowerCase()), 'incorrect_password'],
    ['somebody else’s password', () => basic('editor', shell.passwords.get('author')!), 'incorrect_password'],
    ['an unknown login', basic('nobody', 'x'), 'invalid_username'],
    ['an unknown e-mail address', basic('nobody@site.example', 'x'), 'invalid_email'],
    ['the sync’s own user', basic('calsyncd', ''), 'incorrect_password'],
  ])('with %s fail the request', async (_, authorization, code) =>
    expect(await as(typeof authorization === 'string' ? authorization : authorization())).toEqual([401, code]),
  );
  it('that are wrong fail before the route is looked for', async () =>
    expect((await ask('GET /nope', { headers: { authorization: basic('editor', 'x') } })).body.code).toBe(
      'incorrect_password',
    ));
  it('are not needed by a caller in process', async () => {
    const caller = await callerByLogin(shell.db);
    expect(caller).toMatchObject({ login: 'calsyncd', role: 'editor' });
    const { status, body } = await ask(`POST ${NS}/events`, { json: concert, caller });
    expect([status, body['caller']]).toEqual([201, 'calsyncd']);
  });
  it('are stored as a hash only, with the time of their last use', async () => {
    await as(basic('editor', secret()));
    const { rows } = await sql<{
      hash: string;
      last_used: Date;
    }>`select p.* from site.application_passwords p join site.users u on u.id = p.user_id where u.login = 'editor'`.execute(
      shell.db,
    );
    expect(rows[0]!.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(rows[0]!.last_used.getTime()).toBe(NOW);
    expect(JSON.stringify(rows)).not.toContain(secret());
  });
  it('are made for a new user as administrator, and for an existing one as it is', async () => {
    expect(await createApplicationPassword(shell.db, 'Ola Nowak', 'phone')).toMatchObject({
      login: 'Ola Nowak',
      userCreated: true,
      password: expect.stringMatching(/^[A-Za-z0-9]{24}$/) as string,
    });
    expect(await createApplicationPassword(shell.db, 'ola nowak', 'laptop')).toMatchObject({
      login: 'Ola Nowak',
      userCreated: false,
    });
    expect((await callerByLogin(shell.db, 'Ola Nowak'))?.role).toBe('administrator');
    await expect(createApplicationPassword(shell.db, 'a:b', 'x')).rejects.toMatchObject({ code: 'bad_login' });
    await expect(createApplicationPassword(shell.db, 'ola', ' ')).rejects.toMatchObject({
      code: 'bad_application_name',
    });
  });
  it('may set the role and the e-mail address of their user', async () => {
    const about = async (): Promise<object | undefined> => callerByLogin(shell.db, 'jan');
    expect(await createApplicationPassword(shell.db, 'jan', 'phone', { role: 'author' })).toMatchObject({
      userCreated: true,
      role: 'author',
    });
    expect(await createApplicationPassword(shell.db, 'Jan', 'laptop', { email: 'jan@town.example' })).toMatchObject({
      userCreated: false,
      role: 'author',
    });
    expect(await about()).toMatchObject({ role: 'author', email: 'jan@town.example' });
    await createApplicationPassword(shell.db, 'jan', 'tablet', { role: 'subscriber' });
    expect(await about()).toMatchObject({ role: 'subscriber', email: 'jan@town.example' });
    await expect(
      createApplicationPassword(shell.db, 'eva', 'phone', { email: 'JAN@town.example' }),
    ).rejects.toMatchObject({ code: 'email_taken' });
    await expect(createApplicationPassword(shell.db, 'jan', 'phone', { email: 'jan at town' })).rejects.toMatchObject({
      code: 'bad_email',
    });
    await expect(
      createApplicationPassword(shell.db, 'calsyncd', 'phone', { role: 'subscriber' }),
    ).rejects.toMatchObject({ code: 'bad_role' });
    expect(await callerByLogin(shell.db, 'eva')).toBeUndefined();
    expect(await callerByLogin(shell.db)).toMatchObject({ role: 'editor' });
  });
});

describe('rights', () => {
  const writes = {
    events: concert,
    venues: { venue: 'Hall' },
    organizers: { organizer: 'Society' },
    categories: { name: 'Jazz' },
    tags: { name: 'jazz' },
  };
  // 401 without credentials, then the status for each role.
  it.each([
    ['events', [401, 403, 201, 201, 201, 201]],
    ['venues', [401, 403, 201, 201, 201, 201]],
    ['organizers', [401, 403, 201, 201, 201, 201]],
    ['categories', [401, 403, 403, 201, 201, 201]],
    ['tags', [401, 403, 403, 403, 201, 201]],
  ] as const)('to write %s depend on the role', async (collection, expected) => {
    const statuses: number[] = [];
    for (const as of [undefined, 'subscriber', 'contributor', 'author', 'editor', 'administrator']) {
      statuses.push((await ask(`POST ${NS}/${collection}`, { ...(as && { as }), json: writes[collection] })).status);
    }
    expect(statuses).toEqual(expected);
  });
  it('are checked after the parameters', async () =>
    expect((await ask(`POST ${NS}/events`, { json: {} })).body.code).toBe('rest_missing_callback_param'));
  it('to use the embed proxy need credentials', async () => {
    expect((await ask('GET /oembed/1.0/proxy?url=x')).status).toBe(401);
    expect((await ask('GET /oembed/1.0/proxy?url=x', { as: 'contributor' })).status).toBe(200);
  });
  it.each([
    [undefined, 'events', 'GET'],
    ['editor', 'events', 'GET, POST'],
    ['author', 'tags', 'GET'],
    ['editor', 'events/7', 'GET, DELETE, POST, PUT, PATCH'],
    [undefined, 'events/7', 'GET'],
  ])('of %s on %s are listed in Allow as %s', async (as, path, allow) =>
    expect((await ask(`GET ${NS}/${path}`, { ...(as && { as }) })).headers.get('allow')).toBe(allow),
  );
});
