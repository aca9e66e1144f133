import { describe, expect, test } from 'vitest';
import { answerFrom, errorFrom, jsonFrom } from '../../../src/client/answer.ts';

describe('jsonFrom', () => {
  test.each<[string, string, unknown]>([
    ['plain', '{"a":1}', { a: 1 }],
    ['a list', '[1,2]', [1, 2]],
    ['a number', '7', 7],
    ['a byte order mark', '\uFEFF{"a":1}', { a: 1 }],
    [
      'behind a warning',
      '<br />\n<b>Warning</b>: Undefined variable $x in <b>/srv/x.php</b> on line <b>3</b><br />\n{"a":1}',
      { a: 1 },
    ],
    ['behind a warning with brackets', 'Notice: Undefined index: [key] in {closure} on line 3\n[{"a":1}]', [{ a: 1 }]],
    ['behind a JSON-like warning', '{not json} {"a":{"b":[1]}}', { a: { b: [1] } }],
    ['before a comment', '{"a":[1,"}"]}\n<!-- Page cached by X, [1] -->', { a: [1, '}'] }],
    ['between a warning and a notice', 'Warning: x[0]\n[{"a":1}]\nFatal error in {main}', [{ a: 1 }]],
    ['cut short in a list', '[{"a":1},{"a":', undefined],
    ['cut short behind what is in it', '{"id":7,"venue":{"id":5}', undefined],
    ['cut short behind a warning', 'Warning: x[0]\n[{"id":7,"venue":{"id":5}', undefined],
    ['before what a failing plugin adds', '{"id":7}{"code":"internal_server_error"}', { id: 7 }],
    ['the same behind byte order marks', '\uFEFF\r\n\uFEFF{"id":7}\n{"code":"internal_server_error"}', { id: 7 }],
    ['behind JSON in a warning', 'Notice: no {"a":1} on line 3\n{"id":7}', { id: 7 }],
    ['a web page', '<!doctype html><script>var x = {"a":1}</script>', undefined],
    ['cut short', '{"a":', undefined],
    ['nothing', '', undefined],
  ])('%s', (_, text, expected) => expect(jsonFrom(text)).toEqual(expected));
});

describe('answerFrom', () => {
  test('an error written out with status 200 is read as an error', async () => {
    const answer = await answerFrom(Response.json({ errors: { 'event-not-found': ['No event.'] }, error_data: [] }));
    expect([answer.status, answer.body]).toEqual([
      404,
      { code: 'event-not-found', message: 'No event.', data: { status: 404 } },
    ]);
  });
  test('an unknown error with status 200 counts as a 500', async () => {
    expect((await answerFrom(Response.json({ errors: { 'could-not-update': ['No.'] }, error_data: [] }))).status).toBe(
      500,
    );
  });
});

const same = (body: object): [object, object] => [body, body];

describe('the types that the interface promises', () => {
  test.each<[string, object, object]>([
    [
      'ids as text',
      { id: '7', venue: { id: '5' }, tags: [{ id: '6' }] },
      { id: 7, venue: { id: 5 }, tags: [{ id: 6 }] },
    ],
    ['totals as text', { events: [], total: '0', total_pages: '0' }, { events: [], total: 0, total_pages: 0 }],
    [
      'false, null or an empty text in place of lists',
      { categories: false, tags: null, venue: '' },
      { categories: [], tags: [], venue: [] },
    ],
    [
      'false or null in place of texts',
      { description: false, excerpt: null, cost: false },
      { description: '', excerpt: '', cost: '' },
    ],
    ['lists with gaps', { events: { 1: { tags: { 2: { parent: '0' } } } } }, { events: [{ tags: [{ parent: 0 }] }] }],
    ['empty objects in place of lists', { events: {}, organizer: {} }, { events: [], organizer: [] }],
    ['a batch', { responses: [{ body: { id: '7' } }] }, { responses: [{ body: { id: 7 } }] }],
    ['an id in an error', { data: { term_id: '4' } }, { data: { term_id: 4 } }],
    ['flags as text', { sticky: '1', featured: '', all_day: 0 }, { sticky: true, featured: false, all_day: false }],
    ['names that are numbers', ...same({ venue: '1984', organizer: '7', slug: '12' })],
    ['flags and images', ...same({ featured: null, sticky: false, image: false })],
    ['arguments of these names', ...same({ args: { id: { type: 'integer' }, tags: { default: null } } })],
    ['ids that are not numbers', ...same({ id: 'x-7', parent: '-1' })],
  ])('%s', async (_, body, expected) => expect((await answerFrom(Response.json(body))).body).toEqual(expected));
});

const errorOf = async (
  status: number,
  body: string | object,
  headers: Record<string, string> = {},
  credentials = true,
) =>
  errorFrom(
    await answerFrom(new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })),
    'reading /events',
    'a.example',
    credentials,
  );

describe('errorFrom', () => {
  test.each<[string, number, string | object, Record<string, string>, string, RegExp]>([
    [
      'a web page',
      200,
      '<!doctype html><title>Log &amp; in</title>',
      {},
      'site-not-json',
      /^The site answered a web page, not JSON: "Log & in" \(a\.example, 200, when reading \/events\)/,
    ],
    ['text', 200, 'hello there', {}, 'site-not-json', /something that is not JSON: "hello there"/],
    [
      'a list that is cut short',
      200,
      '{"events":[{"id":1,"title":"Fa',
      {},
      'site-not-json',
      /begins as JSON, but is damaged or breaks off: "\{"events":.*cuts or changes answers/,
    ],
    ['an empty answer', 200, ' ', {}, 'site-not-json', /empty answer \(200\)/],
    [
      'JSON that was not asked for',
      200,
      { id: [] },
      {},
      'site-refused',
      /a\.example answered when reading .*not what was asked for/,
    ],
    [
      'a wrong password',
      401,
      { code: 'incorrect_password', message: '<strong>Error:</strong> wrong.' },
      {},
      'site-unauthorized',
      /Error: wrong \(incorrect_password\).*Check username and application_password/,
    ],
    [
      'credentials dropped on the way',
      401,
      { code: 'rest_forbidden', message: 'No.' },
      {},
      'site-unauthorized',
      /did not see the credentials/,
    ],
    [
      'missing rights',
      403,
      { code: 'event-not-accessible', message: 'No.' },
      {},
      'site-forbidden',
      /No \(event-not-accessible\)\. Check the rights/,
    ],
    ['no route', 404, { code: 'rest_no_route', message: 'No.' }, {}, 'site-no-route', /Check url and namespace/],
    [
      'maintenance',
      503,
      '<html>Briefly unavailable</html>',
      { 'retry-after': '600' },
      'site-busy',
      /asks to wait 10 minutes\.$/,
    ],
    ['a request to wait a second', 429, 'slow down', { 'retry-after': '1' }, 'site-busy', /asks to wait 1 second\.$/],
    ['a request to wait a day', 429, 'slow down', { 'retry-after': '86400' }, 'site-busy', /asks to wait 24 hours\.$/],
    [
      'a redirect',
      301,
      '',
      { location: 'https://user:pw@b.example/wp-json/?key=secret' },
      'site-redirects',
      /to https:\/\/b\.example\/wp-json\/\. Write/,
    ],
    [
      'a crash',
      500,
      { code: 'internal_server_error', message: '<p>There has been a critical error.</p>' },
      {},
      'site-error',
      /answered 500 when reading \/events: There has been a critical error \(internal/,
    ],
    [
      'a long message, which is cut between two characters',
      400,
      { code: 'rest_invalid_param', message: '😀'.repeat(200) },
      {},
      'site-refused',
      /😀… \(rest_invalid_param\)/,
    ],
    [
      'an invalid parameter',
      400,
      { code: 'rest_invalid_param', message: 'Invalid parameter(s): page' },
      {},
      'site-refused',
      /Invalid parameter\(s\): page \(rest_invalid_param\)/,
    ],
  ])('%s', async (_, status, body, headers, code, message) => {
    const error = await errorOf(status, body, headers);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  test('without credentials a 401 asks for them', async () => {
    expect((await errorOf(401, { code: 'rest_forbidden' }, {}, false)).message).toMatch(
      /requires credentials for reading \/events\. Set username/,
    );
  });
  test('the error contains the time that a site asks to wait', async () => {
    expect((await errorOf(429, '{}', { 'retry-after': '7' })).cause).toEqual({ retryAfterMs: 7000 });
  });
});
