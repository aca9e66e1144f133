import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { coming } from '../support/coming.ts';
import { attackedSite, type Attack, type AttackedSite, type Withstood } from '../support/attacked-site.ts';

// The worst request of each kind, sent over a socket to the program in a separate process: it gets its answer, and
// meanwhile everybody else gets theirs.

const NS = '/api/calendar/events/v1';
const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=b';
/**
 * How much longer `/healthz` may take during an attack than without one, on a machine that does nothing else: the worst
 * attack takes 0.4 s on a slow machine. Work that grows faster than its input takes many seconds.
 */
const HEALTH_MS_MAX = 500;
/** A busy machine may delay one try; a process that is blocked delays each of them. */
const TRIES = 3;

let site: AttackedSite;
const table: string[] = [];
beforeAll(async () => {
  site = await attackedSite();
}, 120_000);
afterAll(async () => {
  const lines = `One request each: status, its time, and the longest of /healthz meanwhile\n${table.join('\n')}\n`;
  process.stderr.write(lines);
  await site.close();
});

/** Repeats an attack that looks slow: the machine may just have been busy. */
async function withstood(name: string, attack: Attack): Promise<Withstood> {
  let result = await site.attack(attack);
  for (let tries = 1; tries < TRIES && isSlow(result); tries += 1) {
    await forgetAnswers();
    result = await site.attack(attack);
  }
  table.push(
    `  ${name.padEnd(52)} ${String(result.status).padStart(3)} ${result.ms.toFixed(0).padStart(6)} ms ` +
      `${result.healthMs.toFixed(0).padStart(6)} ms (idle ${result.idleHealthMs.toFixed(0)} ms, machine busy ` +
      `${result.busy.toFixed(1)})`,
  );
  expect(isSlow(result), `${name}: /healthz took ${result.healthMs.toFixed(0)} ms`).toBe(false);
  return result;
}

/**
 * Changes the site, so that no answer comes from the cache: another try measures the same work as the first one.
 */
async function forgetAnswers(): Promise<void> {
  const changed = await site.attack({ as: 'editor', path: `${NS}/events`, body: event({ title: 'A change' }) });
  expect(changed.status).toBe(201);
}

const isSlow = ({ healthMs, idleHealthMs, busy }: Withstood): boolean =>
  healthMs > HEALTH_MS_MAX * busy + 2 * idleHealthMs;

const times = (text: string, characters: number): string => text.repeat(Math.floor(characters / text.length));
const event = (fields: object): object => ({
  title: 'A',
  start_date: `${coming(0)} 18:00`,
  end_date: `${coming(0)} 20:00`,
  ...fields,
});
const embedLink = (href: string): string => `<link rel="alternate" type="application/json+oembed" href="${href}">`;
const proxied = (url: string): Attack => ({
  as: 'contributor',
  path: `/api/oembed/1.0/proxy?url=${encodeURIComponent(url)}`,
});
const part = (head: string, content: string): string =>
  `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;

describe('request bodies', () => {
  const bodies: readonly (readonly [name: string, status: number, attack: () => Attack])[] = [
    [
      'a form of 725,000 parameters to sign in',
      413,
      () => ({ path: '/authorize/login', type: FORM, body: times('k=1&', 2_900_000) }),
    ],
    ['a form of 10 KB to sign in', 403, () => ({ path: '/authorize/login', type: FORM, body: times('k=1&', 3_996) })],
    [
      'a form at /edit of 65,000 parameters by nobody',
      413,
      () => ({ path: '/edit/event/new/', type: FORM, body: times('k=1&', 260_000) }),
    ],
    [
      'a form at /edit of 900 parts and 11 MB of a picture, by nobody',
      401,
      () => ({
        path: '/edit/event/new/',
        type: MULTIPART,
        body: `${times(part('name="a"', '1'), 45_000)}${part('name="f"; filename="f"', times('x', 11_000_000))}--b--\r\n`,
      }),
    ],
    [
      'the longest text at /edit by nobody',
      401,
      () => ({ path: '/edit/event/new/', type: MULTIPART, body: `${part('name="a"', times('x', 249_000))}--b--\r\n` }),
    ],
    [
      'a form of 725,000 parameters by nobody',
      401,
      () => ({ path: `${NS}/events`, type: FORM, body: times('k=1&', 2_900_000) }),
    ],
    [
      'a form of 500,000 parameters',
      400,
      () => ({ as: 'contributor', path: `${NS}/events`, type: FORM, body: times('k=1&', 1_999_996) }),
    ],
    [
      'a form of 2 MB of blanks',
      400,
      () => ({ as: 'contributor', path: `${NS}/events`, type: FORM, body: `title=${times('+', 1_999_900)}` }),
    ],
    [
      'a form with a name of brackets',
      400,
      () => ({ as: 'contributor', path: `${NS}/events`, type: FORM, body: `a${times('[b]', 1_999_900)}=1` }),
    ],
    [
      'a multipart form of 38,000 parts',
      400,
      () => ({
        as: 'contributor',
        path: `${NS}/events`,
        type: MULTIPART,
        body: `${times(part('name="a"', '1'), 1_999_900)}--b--\r\n`,
      }),
    ],
    [
      'a multipart form of headers',
      400,
      () => ({
        as: 'contributor',
        path: `${NS}/events`,
        type: MULTIPART,
        body: `${part(`name="a"\r\n${times('X-a: b\r\n', 1_999_000)}X-c: d`, '1')}--b--\r\n`,
      }),
    ],
    ['9 MB of [ by nobody', 401, () => ({ path: `${NS}/events`, body: times('[', 9_000_000) })],
    ['9 MB of [', 400, () => ({ as: 'contributor', path: `${NS}/events`, body: times('[', 9_000_000) })],
    [
      '9 MB of another type by nobody',
      401,
      () => ({ path: `${NS}/events/1`, type: 'text/plain', body: times('x', 9_000_000) }),
    ],
    [
      '9 MB of another type',
      415,
      () => ({ as: 'contributor', path: `${NS}/events/1`, type: 'text/plain', body: times('x', 9_000_000) }),
    ],
    ['9 MB of {"a":', 400, () => ({ as: 'contributor', path: `${NS}/events`, body: times('{"a":', 9_000_000) })],
    ['9 MB of numbers', 400, () => ({ as: 'contributor', path: `${NS}/events`, body: `[${times('1,', 9_000_000)}1]` })],
    [
      '9 MB of text',
      400,
      () => ({ as: 'contributor', path: `${NS}/events`, body: event({ title: times('x', 9_000_000) }) }),
    ],
    [
      '9 MB of escapes',
      400,
      () => ({ as: 'contributor', path: `${NS}/events`, body: `{"title":"${times('\\u0041', 9_000_000)}"}` }),
    ],
    ['a query of 5,000 parameters', 400, () => ({ path: `${NS}/events?${times('k&', 10_000)}` })],
    ['a search of quotation marks', 200, () => ({ path: `${NS}/events?search=${times('%22', 6_000)}` })],
    [
      'a list of 100,000 tags',
      400,
      () => ({ as: 'contributor', path: `${NS}/events`, body: event({ tags: times('a,', 200_000) }) }),
    ],
    [
      'a cost of amounts without end',
      201,
      () => ({ as: 'contributor', path: `${NS}/events`, body: event({ cost: `${times('1,', 200)}x` }) }),
    ],
    ['a path of slashes', 301, () => ({ path: `/feeds/${times('/', 8_000)}x/` })],
  ];
  test.each(bodies)('%s', async (name, status, attack) => {
    expect(await withstood(name, attack())).toMatchObject({ status });
  });
});

describe('long texts of an event', () => {
  // Contributors' texts go through the sanitizer; editors' texts do not, because editors may write any HTML.
  const TEXTS: readonly (readonly [name: string, text: string])[] = [
    ['nested elements', '<b>'],
    ['paragraphs', '<p>'],
    ['open tags', '<'],
    ['tags without an end', '<divx'],
    ['open <pre>', '<pre'],
    ['blanks', ' '],
    ['signs', '&'],
    ['quotation marks', `"'`],
    ['numbers', '1.'],
  ];
  test.each(TEXTS)('%s', async (name, piece) => {
    const text = `${times(piece, 199_000)}x`;
    expect(
      (
        await withstood(`200,000 characters of ${name} by a contributor`, {
          as: 'contributor',
          path: `${NS}/events`,
          body: event({ description: text }),
        })
      ).status,
    ).toBe(201);
    const made = await withstood(`200,000 characters of ${name} by an editor`, {
      as: 'editor',
      path: `${NS}/events`,
      body: event({ description: text }),
    });
    const { id, slug } = JSON.parse(made.text) as { id: number; slug: string };
    for (const path of [`${NS}/events/${id}`, `/event/${slug}/`, `/event/${slug}.ics`])
      expect((await withstood(`  ${path.replace(slug, '…').replace(String(id), '…')}`, { path })).status).toBe(200);
  });

  test('all of them at once, in a list, on a page and in a feed', async () => {
    for (const path of [`${NS}/events?per_page=50`, '/', '/feeds/events.ics', '/feeds/events.csv'])
      expect((await withstood(`all of them: ${path}`, { path })).status).toBe(200);
  });

  test('a batch that creates twenty-five events with such texts', async () => {
    const requests = Array.from({ length: 25 }, (_, index) => ({
      method: 'POST',
      path: '/calendar/events/v1/events',
      body: event({
        description: times(TEXTS[index % TEXTS.length]?.[1] ?? ' ', 199_000),
        excerpt: times('<b>', 150_000),
      }),
    }));
    expect(
      (
        await withstood('a batch of 25 with 8 MB of text', {
          as: 'contributor',
          path: '/api/batch/v1',
          body: { requests },
        })
      ).status,
    ).toBe(207);
  });
});

describe('pages and pictures fetched from other sites', () => {
  test.each(['<link a', '<link ', '<!--', '<', '<b>'])('a page that consists of %s', async (piece) => {
    const page = site.page(
      'text/html',
      `<html><head>${piece === '<link a' ? `<link ${times('a', 490_000)}` : times(piece, 490_000)}>`,
    );
    expect((await withstood(`a page of 0.5 MB of ${piece}`, proxied(page))).status).toBe(404);
  });

  test.each<[string, string, string]>([
    ['open XML', 'text/xml', times('<oembed>', 190_000)],
    ['XML tags without an end', 'text/xml', times('<oembed ', 190_000)],
    ['open CDATA', 'text/xml', `<oembed>${times('<a><![CDATA[', 190_000)}`],
    ['blanks in XML', 'text/xml', `<oembed><html>${times(' ', 190_000)}`],
    ['nested elements', 'application/json', JSON.stringify({ type: 'rich', html: times('<p>', 190_000) })],
    [
      'frames without an address',
      'application/json',
      JSON.stringify({ type: 'rich', html: `${times('x', 95_000)}${times('<iframe></iframe>', 95_000)}` }),
    ],
    ['nested JSON', 'application/json', `{"type":"rich","html":${times('[', 190_000)}`],
    [
      'a title of elements',
      'application/json',
      JSON.stringify({ type: 'photo', url: 'https://x.example', title: times('<b>', 190_000) }),
    ],
  ])('a page whose oEmbed data are %s', async (name, type, content) => {
    const page = site.page('text/html', embedLink(site.page(type, content)));
    expect([200, 404]).toContain((await withstood(`oEmbed data of 0.2 MB: ${name}`, proxied(page))).status);
  });

  test('a page that does not declare its encoding', async () => {
    expect(
      (
        await withstood(
          'a page of 3 MB in no encoding',
          proxied(site.page('text/html', Buffer.alloc(2_900_000, 'é ß ', 'latin1'))),
        )
      ).status,
    ).toBe(404);
  });

  test.each<[string, () => Uint8Array]>([
    [
      'a name of 10 MB',
      () => {
        const bytes = Buffer.alloc(9_900_000, 'avif');
        bytes.writeUInt32BE(9_900_000, 0);
        bytes.write('ftypavif', 4);
        return bytes;
      },
    ],
    [
      'a million boxes',
      () => {
        const bytes = Buffer.alloc(9_900_000);
        for (let at = 0; at + 8 <= bytes.length; at += 8) {
          bytes.writeUInt32BE(8, at);
          bytes.write(at === 0 ? 'ftyp' : 'free', at + 4);
        }
        return bytes;
      },
    ],
    ['fill bytes', () => Buffer.alloc(9_900_000, 0xff).fill(0xd8, 1, 2)],
  ])('a picture that consists of %s', async (name, bytes) => {
    const image = site.page('image/avif', bytes());
    expect(
      (await withstood(`a picture with ${name}`, { as: 'author', path: `${NS}/events`, body: event({ image }) }))
        .status,
    ).toBe(400);
  });
});
