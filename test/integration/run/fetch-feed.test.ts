import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FeedAddress, FeedHttp, FetchResult } from '../../../src/run/fetch/fetch-feed.ts';
import { fetchOwn } from '../../../src/cli/web/fetch-own.ts';
import {
  CALENDAR,
  closeConnections,
  codeOf,
  connections,
  failure,
  fetchedWith,
  text,
  type Asked,
} from '../../support/feed-fetching.ts';
import {
  body,
  conditional,
  dripping,
  endless,
  feedServer,
  hungUp,
  mute,
  packed,
  redirect,
  silent,
  status,
  truncated,
  type FeedServer,
} from '../../support/feed-server.ts';

let server: FeedServer;
let other: FeedServer;
let http: FeedHttp;

beforeAll(async () => {
  server = await feedServer();
  other = await feedServer();
  http = connections(['127.0.0.1']);
});
afterAll(async () => {
  await closeConnections();
  await Promise.all([server.close(), other.close()]);
});

const fetched = (url: string, asked: Partial<Asked> = {}): Promise<FetchResult> => fetchedWith(url, { http, ...asked });

describe('a good answer', () => {
  test('brings the bytes, their hash, type, validators and age', async () => {
    server.on(
      '/good',
      body(CALENDAR, {
        'content-type': 'text/calendar',
        etag: 'W/"a"',
        'last-modified': 'Thu, 20 Nov 2025 10:00:00 GMT',
        'cache-control': 'max-age=300',
      }),
    );
    const result = await fetched(`${server.url}/good?key=1`);
    expect(result).toMatchObject({
      kind: 'fetched',
      contentType: 'text/calendar',
      validators: { etag: 'W/"a"', lastModified: 'Thu, 20 Nov 2025 10:00:00 GMT' },
      maxAgeMs: 300_000,
      finalUrl: `${server.url}/good?key=1`,
    });
    expect(text(result)).toBe(CALENDAR);
  });

  test('was requested with a user agent that names the program and a contact', async () => {
    server.on('/agent', body(CALENDAR));
    await fetched(`${server.url}/agent`);
    expect(server.requests.at(-1)!.headers['user-agent']).toBe('calsyncd/1.2.3 (+ops@town.example)');
  });

  test.each([[{ etag: '"v 1,w"' }], [{ 'last-modified': 'Thu, 20 Nov 2025 10:00:00 +0100' }]])(
    'is not downloaded again while it is unchanged: %j',
    async (validators) => {
      server.on('/conditional', conditional(CALENDAR, validators));
      const first = await fetched(`${server.url}/conditional`);
      if (first.kind !== 'fetched') throw new Error(first.kind);
      const second = await fetched(`${server.url}/conditional`, { validators: first.validators });
      expect(second).toMatchObject({ kind: 'notModified', validators: first.validators });
    },
  );

  test.each([
    ['sent in the second of its last change', 'Fri, 20 Nov 2026 10:00:00 GMT', null],
    ['sent before its last change, by another clock', 'Fri, 20 Nov 2026 09:59:00 GMT', null],
    ['sent a second after it', 'Fri, 20 Nov 2026 10:00:01 GMT', 'Fri, 20 Nov 2026 10:00:00 GMT'],
    ['without a readable date', 'soon', 'Fri, 20 Nov 2026 10:00:00 GMT'],
  ])('has a Last-Modified that can be relied on unless it is too recent: %s', async (_, date, lastModified) => {
    server.on('/written', body(CALENDAR, { date, 'last-modified': 'Fri, 20 Nov 2026 10:00:00 GMT' }));
    expect(await fetched(`${server.url}/written`)).toMatchObject({ validators: { etag: null, lastModified } });
  });

  test.each(['gzip', 'br', 'deflate', 'raw deflate'] as const)('may be compressed: %s', async (coding) => {
    server.on('/packed', packed(coding, CALENDAR));
    expect(text(await fetched(`${server.url}/packed`))).toBe(CALENDAR);
  });

  test('keeps its bytes if the charset is wrong', async () => {
    server.on('/latin', body(Buffer.from([0x5a, 0xfc, 0x72]), { 'content-type': 'text/calendar; charset=utf-8' }));
    const result = await fetched(`${server.url}/latin`);
    expect(result.kind === 'fetched' && [...result.bytes]).toEqual([0x5a, 0xfc, 0x72]);
  });

  test.each<[string, FeedAddress['auth'], string, string]>([
    [
      'basic',
      { basic: { username: 'anna', password: 'gehëim:1' } },
      'authorization',
      `Basic ${Buffer.from('anna:gehëim:1').toString('base64')}`,
    ],
    ['bearer', { bearer: 'abc' }, 'authorization', 'Bearer abc'],
    ['headers', { headers: { 'X-Api-Key': 'abc' } }, 'x-api-key', 'abc'],
  ])('may require credentials: %s', async (_, auth, header, value) => {
    server.on('/auth', body(CALENDAR));
    await fetched(`${server.url}/auth`, auth ? { auth } : {});
    expect(server.requests.at(-1)!.headers[header]).toBe(value);
  });

  test('gets the credentials in the address, which its final address omits', async () => {
    server.on('/auth', body(CALENDAR));
    const result = await fetched(`${server.url.replace('//', '//anna:a%20b@')}/auth`);
    expect(server.requests.at(-1)!.headers.authorization).toBe(`Basic ${Buffer.from('anna:a b').toString('base64')}`);
    expect(result.kind === 'fetched' && result.finalUrl).not.toContain('anna');
  });
});

describe('webcal', () => {
  test('falls back to http where the server does not speak https', async () => {
    server.on('/webcal', body(CALENDAR));
    expect(text(await fetched(`${server.url.replace('http', 'webcal')}/webcal`))).toBe(CALENDAR);
  });
  test('does not fall back to http with credentials', async () => {
    const requests = server.requests.length;
    expect(
      failure(
        await fetched(`${server.url.replace('http', 'webcal')}/webcal`, { auth: { bearer: 'abc' } }),
        'feed-insecure',
      ),
    ).toMatch(/credentials are not sent without it/);
    expect(server.requests).toHaveLength(requests);
  });
  test('https:// never falls back to http', async () => {
    expect(codeOf(await fetched(`${server.url.replace('http', 'https')}/webcal`))).toBe('feed-not-tls');
  });
});

describe('redirects', () => {
  test('are followed, and permanent ones are reported', async () => {
    server.on('/old', redirect('/newer', 301));
    server.on('/newer', redirect('/newest', 308));
    server.on('/newest', body(CALENDAR));
    expect(await fetched(`${server.url}/old`)).toMatchObject({
      kind: 'fetched',
      finalUrl: `${server.url}/newest`,
      permanentRedirect: `${server.url}/newest`,
    });
  });

  test('are not permanent after a temporary one', async () => {
    server.on('/p', redirect('/t', 301));
    server.on('/t', redirect('/q', 302));
    server.on('/q', redirect('/newest', 301));
    server.on('/newest', body(CALENDAR));
    expect(await fetched(`${server.url}/p`)).toMatchObject({
      finalUrl: `${server.url}/newest`,
      permanentRedirect: `${server.url}/t`,
    });
  });

  test('pass on credentials within an origin only', async () => {
    server.on('/here', redirect('/there'));
    server.on('/there', redirect(`${other.url}/away`));
    other.on('/away', redirect(`${server.url}/back`));
    server.on('/back', body(CALENDAR));
    const before = server.requests.length;
    expect(text(await fetched(`${server.url}/here`, { auth: { bearer: 'abc', headers: { 'X-Api-Key': 'k' } } }))).toBe(
      CALENDAR,
    );
    const [here, there, back] = server.requests
      .slice(before)
      .map(({ headers }) => [headers.authorization, headers['x-api-key']]);
    const away = other.requests.at(-1)!.headers;
    expect([here, there, [away.authorization, away['x-api-key']], back]).toEqual([
      ['Bearer abc', 'k'],
      ['Bearer abc', 'k'],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  test('are followed five times, not six', async () => {
    for (let at = 0; at < 6; at += 1) server.on(`/hop${at}`, redirect(`/hop${at + 1}`));
    server.on('/hop6', body(CALENDAR));
    expect(text(await fetched(`${server.url}/hop1`))).toBe(CALENDAR);
    expect(codeOf(await fetched(`${server.url}/hop0`))).toBe('feed-redirects');
  });

  test('that go in a circle end', async () => {
    server.on('/circle', redirect('/circle'));
    expect(failure(await fetched(`${server.url}/circle`), 'feed-redirects')).toMatch(
      /one redirect too many \(5 are followed\)/,
    );
  });

  test.each(['file:///etc/passwd', 'ftp://a.example/x', 'data:text/calendar,x', 'gopher://127.0.0.1/'])(
    'to %s are not followed',
    async (location) => {
      server.on('/odd', redirect(location));
      expect(failure(await fetched(`${server.url}/odd`), 'feed-bad-redirect')).toMatch(/is not followed/);
    },
  );

  test('to webcal addresses are followed over https', async () => {
    // Stands in for a server with a certificate.
    const withTls: FeedHttp = {
      ...http,
      send: (request) => http.send({ ...request, url: new URL(request.url.href.replace(/^https:/, 'http:')) }),
    };
    server.on('/webcal', body(CALENDAR));
    server.on('/to-webcal', redirect(`${server.url.replace('http', 'webcal')}/webcal`));
    const result = await fetched(`${server.url}/to-webcal`, { http: withTls });
    expect(text(result)).toBe(CALENDAR);
    expect(result).toMatchObject({ finalUrl: `${server.url.replace('http', 'https')}/webcal` });
    expect(codeOf(await fetched(`${server.url}/to-webcal`))).toBe('feed-not-tls');
    server.on('/to-webcal', redirect('webcal://127.0.0.1:1/x'));
    expect(failure(await fetched(`${server.url}/to-webcal`), 'feed-refused')).toMatch(
      /^127\.0\.0\.1:1\/x cannot be reached/,
    );
  });
});

describe('refusals', () => {
  test.each<[number, string, RegExp]>([
    [204, 'feed-empty', /nothing at all/],
    [206, 'feed-partial', /a part of the feed only/],
    [304, 'feed-odd-answer', /without having been asked/],
    [300, 'feed-bad-redirect', /\(300\)/],
    [400, 'feed-refused-request', /\(400\)/],
    [401, 'feed-unauthorized', /Check the source's auth/],
    [403, 'feed-forbidden', /may not be read/],
    [404, 'feed-not-found', /Ask the publisher/],
    [410, 'feed-gone', /taken down for good/],
    [418, 'feed-refused-request', /\(418\)/],
    [500, 'feed-server-error', /\(500\)/],
    [502, 'feed-server-error', /\(502\)/],
  ])('%i is %s', async (code, problem, message) => {
    server.on('/status', status(code));
    expect(failure(await fetched(`${server.url}/status`), problem)).toMatch(message);
  });

  test.each([429, 503])('%i says when to try again', async (code) => {
    server.on('/busy', status(code, 'later', { 'retry-after': '90' }));
    expect(await fetched(`${server.url}/busy`)).toMatchObject({
      kind: 'failed',
      problem: { code: 'feed-busy' },
      retryAfterMs: 90_000,
    });
  });

  test('an empty body is not a feed', async () => {
    server.on('/empty', body(''));
    expect(codeOf(await fetched(`${server.url}/empty`))).toBe('feed-empty');
  });

  test('a host without an address in the DNS is reported', async () => {
    const nowhere = connections([], {
      resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
    });
    expect(failure(await fetched('http://nowhere.example/a.ics', { http: nowhere }), 'feed-unknown-host')).toBe(
      'nowhere.example/a.ics cannot be reached: its name has no address in the DNS.',
    );
  });

  test.each(['ftp://a.example/x', 'javascript:alert(1)', 'data:text/calendar,x', '/etc/passwd', 'http://', 'feed.ics'])(
    '%s is not accepted as the address of a feed',
    async (url) => {
      expect(codeOf(await fetched(url))).toBe('feed-bad-address');
    },
  );

  test('a header that cannot be sent is named without its value', async () => {
    // More often than there are connections: the failure must not use one up.
    for (let turn = 0; turn < 3; turn += 1) {
      const message = failure(
        await fetched(`${server.url}/good`, {
          auth: turn === 1 ? { headers: { 'X geheim': 'x' } } : { bearer: 'geheim\nx' },
        }),
        'feed-invalid',
      );
      expect(message).toMatch(turn === 1 ? /the header "x geheim" holds/ : /the header "authorization" holds/);
      expect(message).not.toMatch(/geheim\n|Bearer/);
    }
    server.on('/good', body(CALENDAR));
    expect(text(await fetched(`${server.url}/good`))).toBe(CALENDAR);
  });

  test('messages contain neither the query nor the user nor a private path', async () => {
    const secret = 'private-0a1b2c3d4e5f60718293a4b5c6d7e8f9';
    server.on(`/${secret}/basic.ics`, status(404));
    const message = failure(
      await fetched(`${server.url.replace('//', '//anna:pass@')}/${secret}/basic.ics?key=geheim`),
      'feed-not-found',
    );
    expect(message).toMatch(new RegExp(`^127\\.0\\.0\\.1:${server.port}/…/basic\\.ics does not exist`));
  });
});

describe('limits', () => {
  test.each<[string, Parameters<FeedServer['on']>[1]]>([
    ['fewer bytes than promised', truncated(CALENDAR)],
    ['a missing last chunk', hungUp(CALENDAR)],
    ['gzip cut short', packed('gzip', CALENDAR.repeat(100), 40)],
    ['brotli cut short', packed('br', CALENDAR.repeat(100), 20)],
    ['deflate cut short', packed('deflate', CALENDAR.repeat(100), 20)],
    ['gzip that is plain text', body(CALENDAR, { 'content-encoding': 'gzip' })],
    ['a coding that was not requested', body(CALENDAR, { 'content-encoding': 'compress' })],
  ])('a damaged body is refused: %s', async (_, listener) => {
    server.on('/damaged', listener);
    const result = await fetched(`${server.url}/damaged`);
    expect(result.kind === 'failed' && result.problem.code).toMatch(/^feed-(?:cut-off|bad-encoding)$/);
  });

  test('the size of an endless body', async () => {
    server.on('/endless', endless(Buffer.alloc(65_536, 'x')));
    expect(
      failure(await fetched(`${server.url}/endless`, { limits: { wireBytesMax: 2_000_000 } }), 'feed-too-large'),
    ).toMatch(/larger than 2 MB, the limit for feeds\. .* raise fetch\.max_megabytes/);
  });

  test('the size of one of our own feeds, which is not decompressed', async () => {
    server.on('/feeds/all.ics', endless(Buffer.alloc(1_000_000, 'x')));
    await expect(fetchOwn(new URL(`${server.url}/feeds/all.ics`), {})).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringContaining('larger than 50 MB'),
    });
    server.on('/feeds/all.ics', body(gzipSync('packed'), { 'content-encoding': 'gzip' }));
    const answer = await fetchOwn(new URL(`${server.url}/feeds/all.ics`), { 'accept-encoding': 'gzip' });
    expect([answer.status, Buffer.from(answer.body).equals(gzipSync('packed'))]).toEqual([200, true]);
  });

  test('the decompressed size: a gigabyte of zeros', async () => {
    // Compressed once: a gzip stream may have several members, which are decompressed as one.
    const member = gzipSync(Buffer.alloc(10_000_000));
    const bomb = Buffer.concat(Array.from({ length: 100 }, () => member));
    server.on('/bomb', body(bomb, { 'content-encoding': 'gzip' }));
    const before = process.memoryUsage().rss;
    expect(failure(await fetched(`${server.url}/bomb`, { limits: { bytesMax: 5_000_000 } }), 'feed-too-large')).toMatch(
      /larger than 5 MB/,
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });

  test('the decompressed size: a body that is compressed twice', async () => {
    server.on('/nested', body(gzipSync(gzipSync(Buffer.alloc(50_000_000))), { 'content-encoding': 'gzip, gzip' }));
    expect(codeOf(await fetched(`${server.url}/nested`, { limits: { bytesMax: 5_000_000 } }))).toBe('feed-too-large');
  });

  test('the time until the answer begins', async () => {
    server.on('/mute', mute);
    expect(
      failure(
        await fetched(`${server.url}/mute`, { http: connections(['127.0.0.1'], { headersTimeoutMs: 300 }) }),
        'feed-timeout',
      ),
    ).toMatch(/did not begin to answer/);
  });

  test('the time without a byte in the middle', async () => {
    server.on('/silent', silent('BEGIN:'));
    expect(
      failure(
        await fetched(`${server.url}/silent`, { http: connections(['127.0.0.1'], { idleTimeoutMs: 300 }) }),
        'feed-timeout',
      ),
    ).toMatch(/fell silent/);
  });

  test('the total time of an answer that comes byte by byte', async () => {
    server.on('/drip', dripping(50));
    expect(failure(await fetched(`${server.url}/drip`, { limits: { totalMs: 600 } }), 'feed-timeout')).toMatch(
      /at most 0\.6 seconds/,
    );
  });
});

test('fetches from one host wait for their turn, and the wait does not count towards their time limit', async () => {
  let now = 0;
  let most = 0;
  server.on('/slow', (_request, response) => {
    now += 1;
    most = Math.max(most, now);
    setTimeout(() => {
      now -= 1;
      response.end(CALENDAR);
    }, 150);
  });
  // The last ones wait for longer than their time limit, which is much longer than they take.
  const results = await Promise.all(
    Array.from({ length: 24 }, () => fetched(`${server.url}/slow`, { limits: { totalMs: 1_650 } })),
  );
  expect([most, results.map(({ kind }) => kind)]).toEqual([2, results.map(() => 'fetched')]);
});
