import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HttpSettings } from '../../../src/client/http.ts';
import { fetchFeed, NO_VALIDATORS, openFeedHttp, userAgent, type FeedAddress, type FeedHttp, type FetchLimits, type FetchResult, type Validators } from '../../../src/run/fetch-feed.ts';
import { body, conditional, dripping, endless, feedServer, hungUp, mute, packed, redirect, silent, status, truncated, type FeedServer } from '../../support/feed-server.ts';

const CALENDAR = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n';
let server: FeedServer;
let other: FeedServer;
let http: FeedHttp;
let directory: string;
const opened: FeedHttp[] = [];

beforeAll(async () => {
  server = await feedServer();
  other = await feedServer();
  http = connections(['127.0.0.1']);
  directory = await mkdtemp(join(tmpdir(), 'calsyncd-fetch-'));
});
afterAll(async () => {
  await Promise.all([server.close(), other.close(), ...opened.map((one) => one.close())]);
  await rm(directory, { recursive: true });
});

function connections(allowed: readonly string[], settings: Partial<HttpSettings> = {}): FeedHttp {
  const one = openFeedHttp(allowed, settings);
  opened.push(one);
  return one;
}

interface Asked { readonly validators?: Validators; readonly limits?: Partial<FetchLimits>; readonly http?: FeedHttp; readonly auth?: FeedAddress['auth']; readonly isTrusted?: boolean }

const fetched = (url: string, { validators = NO_VALIDATORS, limits = {}, http: over = http, auth, isTrusted }: Asked = {}): Promise<FetchResult> =>
  fetchFeed({ url, ...(auth ? { auth } : {}), ...(isTrusted === undefined ? {} : { isTrusted }) }, validators, { http: over, userAgent: userAgent('1.2.3', 'ops@town.example'), files: { base: join(directory, 'config'), directories: [join(directory, 'feeds')] }, limits });

const text = (result: FetchResult): string => (result.kind === 'fetched' ? Buffer.from(result.bytes).toString() : `${result.kind}: ${result.kind === 'failed' ? result.problem.message : ''}`);

const codeOf = (result: FetchResult): string => (result.kind === 'failed' ? result.problem.code : result.kind);

/** Asserts a failure and gives its message. */
function failure(result: FetchResult, code: string): string {
  if (result.kind !== 'failed') throw new Error(`not failed but ${result.kind}`);
  expect(codeOf(result)).toBe(code);
  return result.problem.message;
}

describe('a good answer', () => {
  test('brings the bytes, their hash, type, validators and age', async () => {
    server.on('/good', body(CALENDAR, { 'content-type': 'text/calendar', etag: 'W/"a"', 'last-modified': 'Fri, 20 Nov 2026 10:00:00 GMT', 'cache-control': 'max-age=300' }));
    const result = await fetched(`${server.url}/good?key=1`);
    expect(result).toMatchObject({
      kind: 'fetched', contentType: 'text/calendar', validators: { etag: 'W/"a"', lastModified: 'Fri, 20 Nov 2026 10:00:00 GMT' }, maxAgeMs: 300_000,
      finalUrl: `${server.url}/good?key=1`, bodyHash: '215efae54e34ac5657da47b49c8d1bd8ea12649ee1efa838c9a47d7233f18afb',
    });
    expect(text(result)).toBe(CALENDAR);
  });

  test('an honest user agent says who asks', async () => {
    server.on('/agent', body(CALENDAR));
    await fetched(`${server.url}/agent`);
    expect(server.requests.at(-1)!.headers['user-agent']).toBe('calsyncd/1.2.3 (+ops@town.example)');
  });

  test.each([[{ etag: '"v 1,w"' }], [{ 'last-modified': 'Fri, 20 Nov 2026 10:00:00 +0100' }]])('is not sent again to whoever has it: %j', async (validators) => {
    server.on('/conditional', conditional(CALENDAR, validators));
    const first = await fetched(`${server.url}/conditional`);
    if (first.kind !== 'fetched') throw new Error(first.kind);
    const second = await fetched(`${server.url}/conditional`, { validators: first.validators });
    expect(second).toMatchObject({ kind: 'notModified', validators: first.validators });
  });

  test.each(['gzip', 'br', 'deflate', 'raw deflate'] as const)('may be packed: %s', async (coding) => {
    server.on('/packed', packed(coding, CALENDAR));
    expect(text(await fetched(`${server.url}/packed`))).toBe(CALENDAR);
  });

  test('keeps its bytes where the charset is a lie', async () => {
    server.on('/latin', body(Buffer.from([0x5a, 0xfc, 0x72]), { 'content-type': 'text/calendar; charset=utf-8' }));
    const result = await fetched(`${server.url}/latin`);
    expect(result.kind === 'fetched' && [...result.bytes]).toEqual([0x5a, 0xfc, 0x72]);
  });

  test.each<[string, FeedAddress['auth'], string, string]>([
    ['basic', { basic: { username: 'anna', password: 'gehëim:1' } }, 'authorization', `Basic ${Buffer.from('anna:gehëim:1').toString('base64')}`],
    ['bearer', { bearer: 'abc' }, 'authorization', 'Bearer abc'],
    ['headers', { headers: { 'X-Api-Key': 'abc' } }, 'x-api-key', 'abc'],
  ])('may want credentials: %s', async (_, auth, header, value) => {
    server.on('/auth', body(CALENDAR));
    await fetched(`${server.url}/auth`, auth ? { auth } : {});
    expect(server.requests.at(-1)!.headers[header]).toBe(value);
  });

  test('takes the credentials that stand in the address', async () => {
    server.on('/auth', body(CALENDAR));
    const result = await fetched(`${server.url.replace('//', '//anna:a%20b@')}/auth`);
    expect(server.requests.at(-1)!.headers.authorization).toBe(`Basic ${Buffer.from('anna:a b').toString('base64')}`);
    expect(result.kind === 'fetched' && result.finalUrl).not.toContain('anna');
  });
});

describe('webcal', () => {
  test('falls back to http where https is not spoken', async () => {
    server.on('/webcal', body(CALENDAR));
    expect(text(await fetched(`${server.url.replace('http', 'webcal')}/webcal`))).toBe(CALENDAR);
  });
  test('but not with credentials', async () => {
    const requests = server.requests.length;
    expect(failure(await fetched(`${server.url.replace('http', 'webcal')}/webcal`, { auth: { bearer: 'abc' } }), 'feed-insecure')).toMatch(/credentials are not sent without it/);
    expect(server.requests).toHaveLength(requests);
  });
  test('and https:// never does', async () => {
    expect(codeOf(await fetched(`${server.url.replace('http', 'https')}/webcal`))).toBe('feed-not-tls');
  });
});

describe('redirects', () => {
  test('are followed, and permanent ones reported', async () => {
    server.on('/old', redirect('/newer', 301));
    server.on('/newer', redirect('/newest', 308));
    server.on('/newest', body(CALENDAR));
    expect(await fetched(`${server.url}/old`)).toMatchObject({ kind: 'fetched', finalUrl: `${server.url}/newest`, permanentRedirect: `${server.url}/newest` });
  });

  test('after a temporary one nothing is permanent any more', async () => {
    server.on('/p', redirect('/t', 301));
    server.on('/t', redirect('/q', 302));
    server.on('/q', redirect('/newest', 301));
    server.on('/newest', body(CALENDAR));
    expect(await fetched(`${server.url}/p`)).toMatchObject({ finalUrl: `${server.url}/newest`, permanentRedirect: `${server.url}/t` });
  });

  test('take credentials along within an origin only', async () => {
    server.on('/here', redirect('/there'));
    server.on('/there', redirect(`${other.url}/away`));
    other.on('/away', redirect(`${server.url}/back`));
    server.on('/back', body(CALENDAR));
    const before = server.requests.length;
    expect(text(await fetched(`${server.url}/here`, { auth: { bearer: 'abc', headers: { 'X-Api-Key': 'k' } } }))).toBe(CALENDAR);
    const [here, there, back] = server.requests.slice(before).map(({ headers }) => [headers.authorization, headers['x-api-key']]);
    const away = other.requests.at(-1)!.headers;
    expect([here, there, [away.authorization, away['x-api-key']], back]).toEqual([['Bearer abc', 'k'], ['Bearer abc', 'k'], [undefined, undefined], [undefined, undefined]]);
  });

  test('five are followed, not six', async () => {
    for (let at = 0; at < 6; at += 1) server.on(`/hop${at}`, redirect(`/hop${at + 1}`));
    server.on('/hop6', body(CALENDAR));
    expect(text(await fetched(`${server.url}/hop1`))).toBe(CALENDAR);
    expect(codeOf(await fetched(`${server.url}/hop0`))).toBe('feed-redirects');
  });

  test('a circle ends', async () => {
    server.on('/circle', redirect('/circle'));
    expect(failure(await fetched(`${server.url}/circle`), 'feed-redirects')).toMatch(/one redirect too many \(5 are followed\)/);
  });

  test.each(['file:///etc/passwd', 'ftp://a.example/x', 'data:text/calendar,x', 'gopher://127.0.0.1/'])('to %s are not followed', async (location) => {
    server.on('/odd', redirect(location));
    expect(failure(await fetched(`${server.url}/odd`), 'feed-bad-redirect')).toMatch(/is not followed/);
  });

  test('webcal in a redirect is a web address', async () => {
    server.on('/to-webcal', redirect('webcal://127.0.0.1:1/x'));
    expect(failure(await fetched(`${server.url}/to-webcal`), 'feed-refused')).toMatch(/^127\.0\.0\.1:1\/x cannot be reached/);
  });
});

describe('refusals', () => {
  test.each<[number, string, RegExp]>([
    [204, 'feed-empty', /nothing at all/], [206, 'feed-partial', /a part of the feed only/], [304, 'feed-odd-answer', /without having been asked/], [300, 'feed-bad-redirect', /\(300\)/],
    [400, 'feed-refused-request', /\(400\)/], [401, 'feed-unauthorized', /Check the source's auth/], [403, 'feed-forbidden', /may not be read/], [404, 'feed-not-found', /Ask the publisher/],
    [410, 'feed-gone', /taken down for good/], [418, 'feed-refused-request', /\(418\)/], [500, 'feed-server-error', /\(500\)/], [502, 'feed-server-error', /\(502\)/],
  ])('%i is %s', async (code, problem, message) => {
    server.on('/status', status(code));
    expect(failure(await fetched(`${server.url}/status`), problem)).toMatch(message);
  });

  test.each([429, 503])('%i tells when to come back', async (code) => {
    server.on('/busy', status(code, 'later', { 'retry-after': '90' }));
    expect(await fetched(`${server.url}/busy`)).toMatchObject({ kind: 'failed', problem: { code: 'feed-busy' }, retryAfterMs: 90_000 });
  });

  test('an empty body is no feed', async () => {
    server.on('/empty', body(''));
    expect(codeOf(await fetched(`${server.url}/empty`))).toBe('feed-empty');
  });

  test('a host that does not exist', async () => {
    const nowhere = connections([], { resolve: () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })) });
    expect(failure(await fetched('http://nowhere.example/a.ics', { http: nowhere }), 'feed-unknown-host')).toBe('nowhere.example/a.ics cannot be reached: its name has no address in the DNS.');
  });

  test.each(['ftp://a.example/x', 'javascript:alert(1)', 'data:text/calendar,x', '/etc/passwd', 'http://', 'feed.ics'])('%s is no address of a feed', async (url) => {
    expect(codeOf(await fetched(url))).toBe('feed-bad-address');
  });

  test('a header that cannot be sent is named, its value is not', async () => {
    // More often than there are connections: none of them may be lost to it.
    for (let turn = 0; turn < 3; turn += 1) {
      const message = failure(await fetched(`${server.url}/good`, { auth: turn === 1 ? { headers: { 'X geheim': 'x' } } : { bearer: 'geheim\nx' } }), 'feed-invalid');
      expect(message).toMatch(turn === 1 ? /the header "x geheim" holds/ : /the header "authorization" holds/);
      expect(message).not.toMatch(/geheim\n|Bearer/);
    }
    server.on('/good', body(CALENDAR));
    expect(text(await fetched(`${server.url}/good`))).toBe(CALENDAR);
  });

  test('no sentence holds the query, the user or a private path', async () => {
    const secret = 'private-0a1b2c3d4e5f60718293a4b5c6d7e8f9';
    server.on(`/${secret}/basic.ics`, status(404));
    const message = failure(await fetched(`${server.url.replace('//', '//anna:pass@')}/${secret}/basic.ics?key=geheim`), 'feed-not-found');
    expect(message).toMatch(new RegExp(`^127\\.0\\.0\\.1:${server.port}/…/basic\\.ics does not exist`));
  });
});

describe('limits', () => {
  test.each<[string, Parameters<FeedServer['on']>[1]]>([
    ['fewer bytes than promised', truncated(CALENDAR)], ['no last chunk', hungUp(CALENDAR)], ['gzip cut short', packed('gzip', CALENDAR.repeat(100), 40)],
    ['brotli cut short', packed('br', CALENDAR.repeat(100), 20)], ['deflate cut short', packed('deflate', CALENDAR.repeat(100), 20)],
    ['gzip that is none', body(CALENDAR, { 'content-encoding': 'gzip' })], ['a coding that nobody asked for', body(CALENDAR, { 'content-encoding': 'compress' })],
  ])('a damaged body is no feed: %s', async (_, listener) => {
    server.on('/damaged', listener);
    const result = await fetched(`${server.url}/damaged`);
    expect(result.kind === 'failed' && result.problem.code).toMatch(/^feed-(?:cut-off|bad-encoding)$/);
  });

  test('bytes as they come', async () => {
    server.on('/endless', endless(Buffer.alloc(65_536, 'x')));
    expect(failure(await fetched(`${server.url}/endless`, { limits: { wireBytesMax: 2_000_000 } }), 'feed-too-large')).toMatch(/larger than 2 MB/);
  });

  test('bytes after unpacking: a gigabyte of zeros', async () => {
    server.on('/bomb', packed('gzip', Buffer.alloc(1_000_000_000)));
    const before = process.memoryUsage().rss;
    expect(failure(await fetched(`${server.url}/bomb`, { limits: { bytesMax: 5_000_000 } }), 'feed-too-large')).toMatch(/larger than 5 MB/);
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });

  test('a bomb in a bomb', async () => {
    const { gzipSync } = await import('node:zlib');
    server.on('/nested', body(gzipSync(gzipSync(Buffer.alloc(50_000_000))), { 'content-encoding': 'gzip, gzip' }));
    expect(codeOf(await fetched(`${server.url}/nested`, { limits: { bytesMax: 5_000_000 } }))).toBe('feed-too-large');
  });

  test('the time until it begins to answer', async () => {
    server.on('/mute', mute);
    expect(failure(await fetched(`${server.url}/mute`, { http: connections(['127.0.0.1'], { headersTimeoutMs: 300 }) }), 'feed-timeout')).toMatch(/did not begin to answer/);
  });

  test('the silence in the middle', async () => {
    server.on('/silent', silent('BEGIN:'));
    expect(failure(await fetched(`${server.url}/silent`, { http: connections(['127.0.0.1'], { idleTimeoutMs: 300 }) }), 'feed-timeout')).toMatch(/fell silent/);
  });

  test('the time in all, against a byte now and then', async () => {
    server.on('/drip', dripping(50));
    const began = performance.now();
    expect(failure(await fetched(`${server.url}/drip`, { limits: { totalMs: 600 } }), 'feed-timeout')).toMatch(/at most 0\.6 seconds/);
    expect(performance.now() - began).toBeLessThan(5000);
  });
});

test('feeds of one host wait for their turn, and their time does not run meanwhile', async () => {
  let now = 0;
  let most = 0;
  server.on('/slow', (_request, response) => {
    now += 1;
    most = Math.max(most, now);
    setTimeout(() => { now -= 1; response.end(CALENDAR); }, 150);
  });
  const results = await Promise.all(Array.from({ length: 8 }, () => fetched(`${server.url}/slow`, { limits: { totalMs: 450 } })));
  expect([most, results.map(({ kind }) => kind)]).toEqual([2, results.map(() => 'fetched')]);
});

describe('the address guard', () => {
  const refused = async (url: string, http: FeedHttp): Promise<string> => failure(await fetched(url, { http }), 'feed-address-refused');

  test.each(['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '127.1', '[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '0.0.0.0', '[::]', '169.254.169.254', '10.0.0.1', '192.168.0.1', '172.16.0.1',
    '100.64.0.1', '[fd00::1]', '[fe80::1]', '[64:ff9b::7f00:1]', '①②⑦.⓪.⓪.①', 'localhost'])('refuses http://%s/', async (host) => {
    const requests = server.requests.length;
    expect(await refused(`http://${host}:${server.port}/good`, connections([]))).toMatch(/not (?:an address|one) of the public internet\. If it may be used, add it to fetch\.allow_addresses/);
    expect(server.requests).toHaveLength(requests);
  });

  const named = (addresses: Readonly<Record<string, readonly (readonly string[])[]>>, allowed: readonly string[] = ['127.0.0.1']): FeedHttp => {
    const asked = new Map<string, number>();
    return connections(allowed, { resolve: (name) => {
      const turn = asked.get(name) ?? 0;
      asked.set(name, turn + 1);
      const answers = addresses[name] ?? [];
      return Promise.resolve((answers[Math.min(turn, answers.length - 1)] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
    } });
  };

  test('refuses a name with a private address', async () => {
    expect(await refused(`http://evil.example:${server.port}/good`, named({ 'evil.example': [['127.0.0.2']] }))).toMatch(/evil\.example has the address 127\.0\.0\.2/);
  });
  test('refuses a name with one private address among others', async () => {
    expect(await refused(`http://mixed.example:${server.port}/good`, named({ 'mixed.example': [['127.0.0.1', '10.0.0.1']] }))).toMatch(/ is not read: /);
  });
  test('refuses a redirect to a private address, and to a name that has one', async () => {
    server.on('/to-literal', redirect('http://127.0.0.2/'));
    server.on('/to-name', redirect('http://evil.example/'));
    const both = named({ 'good.example': [['127.0.0.1']], 'evil.example': [['169.254.169.254']] });
    expect(await refused(`http://good.example:${server.port}/to-literal`, both)).toMatch(/ is not read: /);
    expect(await refused(`http://good.example:${server.port}/to-name`, both)).toMatch(/^evil\.example\/ is not read/);
  });
  test('is not fooled by a name that answers differently the second time', async () => {
    server.on('/rebind', (_request, response) => { response.writeHead(200, { connection: 'close' }).end(CALENDAR); });
    const rebinding = named({ 'rebind.example': [['127.0.0.1'], ['127.0.0.2']] });
    expect(text(await fetched(`http://rebind.example:${server.port}/rebind`, { http: rebinding }))).toBe(CALENDAR);
    expect(await refused(`http://rebind.example:${server.port}/rebind`, rebinding)).toMatch(/ is not read: /);
  });
  test('connects to the address that was checked, not to a later answer', async () => {
    const evil = await feedServer('127.0.0.2', server.port);
    evil.on('/pinned', body('SECRET'));
    server.on('/pinned', body(CALENDAR));
    const answers = ['127.0.0.1', '127.0.0.2', '127.0.0.2'].map((address) => [address]);
    expect(text(await fetched(`http://pin.example:${server.port}/pinned`, { http: named({ 'pin.example': answers }) }))).toBe(CALENDAR);
    expect(evil.requests).toHaveLength(0);
    await evil.close();
  });
  test('a name without any address is none', async () => {
    expect(codeOf(await fetched('http://empty.example/', { http: named({ 'empty.example': [[]] }) }))).toBe('feed-unknown-host');
  });
  test('lets allowed networks through', async () => {
    server.on('/good', body(CALENDAR));
    expect(text(await fetched(`http://intranet.example:${server.port}/good`, { http: named({ 'intranet.example': [['127.0.0.1']] }, ['127.0.0.0/8']) }))).toBe(CALENDAR);
  });
});

describe('files', () => {
  beforeAll(async () => {
    await Promise.all(['config/sub', 'feeds', 'feeds-not', 'outside'].map((name) => mkdir(join(directory, name), { recursive: true })));
    for (const path of ['config/own.ics', 'config/sub/a b.ics', 'feeds/listed.ics', 'feeds-not/near.ics', 'outside/secret.ics']) await writeFile(join(directory, path), CALENDAR);
    await writeFile(join(directory, 'feeds/empty.ics'), '');
    await symlink(join(directory, 'outside/secret.ics'), join(directory, 'feeds/link.ics'));
    await symlink(join(directory, 'feeds/listed.ics'), join(directory, 'config/inner.ics'));
    await symlink(join(directory, 'outside'), join(directory, 'config/way'));
  });

  test.each(['file:own.ics', 'file:sub/a%20b.ics', 'file:./sub/../own.ics', 'file:../feeds/listed.ics', 'file:inner.ics'])('%s is read', async (url) => {
    expect(text(await fetched(url))).toBe(CALENDAR);
  });
  test('by a whole address, too, and read again only when its content has changed', async () => {
    const url = `file://${join(directory, 'feeds/listed.ics')}`;
    const first = await fetched(url);
    if (first.kind !== 'fetched') throw new Error(text(first));
    expect((await fetched(url, { validators: first.validators })).kind).toBe('notModified');
    await writeFile(join(directory, 'feeds/listed.ics'), `${CALENDAR} `);
    expect((await fetched(url, { validators: first.validators })).kind).toBe('fetched');
    await writeFile(join(directory, 'feeds/listed.ics'), CALENDAR);
  });
  test.each(['file:../outside/secret.ics', 'file:../feeds-not/near.ics', 'file:///etc/passwd', 'file:/etc/passwd', 'file:../feeds/link.ics', 'file:way/secret.ics', 'file:%2e%2e/outside/secret.ics'])('%s is not allowed', async (url) => {
    expect(failure(await fetched(url), 'file-not-allowed')).toMatch(/fetch\.allow_files/);
  });
  test.each<[string, string, RegExp]>([
    ['file:absent.ics', 'file-unreadable', /does not exist/], ['file:sub', 'file-unreadable', /is not a file/], ['file:../feeds/empty.ics', 'feed-empty', /is empty/],
    ['file://other-host/x.ics', 'file-unreadable', /host/i], ['file:a%00b', 'file-unreadable', /null bytes/i], ['file:%', 'file-unreadable', /URI/],
  ])('%s: %s', async (url, code, message) => expect(failure(await fetched(url), code)).toMatch(message));
  test('a file that is too large', async () => {
    expect(codeOf(await fetched('file:own.ics', { limits: { bytesMax: 10 } }))).toBe('feed-too-large');
  });
  test('a path from the command line may be anywhere', async () => {
    expect(text(await fetched(join(directory, 'outside/secret.ics'), { isTrusted: true }))).toBe(CALENDAR);
    expect(text(await fetched(`file://${join(directory, 'outside/secret.ics')}`, { isTrusted: true }))).toBe(CALENDAR);
  });
  test.skipIf(process.platform === 'win32')('a device is no file', async () => {
    expect(codeOf(await fetched('/dev/zero', { isTrusted: true }))).toBe('file-unreadable');
  });
});
