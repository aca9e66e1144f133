import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeMedia } from '../../../src/site/store/media.ts';
import { makeResizer, type Resize } from '../../../src/site/store/resize.ts';
import { builtinSite, type TestSite } from '../../support/builtin-site.ts';
import { png } from '../../support/pictures.ts';
import { pagesOf } from '../../support/site-pages.ts';

// Pictures in smaller widths, with the library that makes them and without it.

const wide = (): ReturnType<typeof sharp> =>
  sharp({ create: { width: 2_000, height: 1_000, channels: 3, background: { r: 200, g: 40, b: 40 } } });

let site: TestSite;
let files: Readonly<Record<string, Uint8Array>>;
let resized: number;
const resizer = makeResizer();
const counting: Resize = (bytes, size) => {
  resized += 1;
  return resizer(bytes, size);
};

beforeAll(async () => {
  files = {
    'jpeg.jpg': await wide().jpeg().toBuffer(),
    'png.png': await wide().png().toBuffer(),
    'webp.webp': await wide().webp().toBuffer(),
    'avif.avif': await wide().avif({ effort: 0 }).toBuffer(),
    'gif.gif': await wide().gif().toBuffer(),
    // Only a header: the image data are missing.
    'broken.png': png(1_500, 1_000),
    'bomb.png': png(30_000, 30_000),
    'small.png': await sharp({ create: { width: 200, height: 100, channels: 3, background: '#000' } })
      .png()
      .toBuffer(),
  };
  site = await builtinSite({}, undefined, async (url) => {
    const bytes = files[url.split('/').at(-1) ?? ''];
    return bytes ? { kind: 'fetched', bytes } : { kind: 'failed', message: 'There is nothing.' };
  });
  for (const name of Object.keys(files))
    await site.ask('administrator', 'POST', '/events', {
      title: name,
      slug: name.split('.')[0],
      start_date: '2026-12-05 19:00',
      end_date: '2026-12-05 21:00',
      image: `https://pictures.example/${name}`,
    });
});
afterAll(() => site.close());

async function pictureOn(slug: string): Promise<string> {
  const { html } = await pagesOf(site)().get(`/event/${slug}/`);
  return /<img class="hd"[^>]*>|<img[^>]*class="hd"[^>]*>/.exec(html)?.[0] ?? '';
}
const widthsIn = (tag: string): readonly number[] => [...tag.matchAll(/ (\d+)w/g)].map(([, width]) => Number(width));
const original = async (slug: string): Promise<string> =>
  (await site.ask(null, 'GET', `/events/by-slug/${slug}`)).body['image'] === false
    ? ''
    : ((await site.ask(null, 'GET', `/events/by-slug/${slug}`)).body['image'] as { url: string }).url;
/** The address of an event's picture in a size, whether or not pages link to it. */
async function sized(slug: string, size: number | string): Promise<string> {
  return (await original(slug)).replace(/\/([^/]+)\.\w+$/, `/${size}/$1.webp`);
}

describe('with the library', () => {
  test.each(['jpeg', 'png', 'webp', 'avif'])(
    'a page offers a %s in suitable widths, which the site makes once',
    async (slug) => {
      const tag = await pictureOn(slug);
      expect(tag).toContain('width="2000" height="1000"');
      expect(widthsIn(tag)).toEqual([320, 640, 1280]);
      resized = 0;
      const media = makeMedia(site.db, counting);
      const address = /srcset="(\S+) 320w/.exec(tag)![1]!;
      const [one, other] = await Promise.all([media(new Request(address)), media(new Request(address))]);
      const bytes = Buffer.from(await one.arrayBuffer());
      expect([one.status, other.status, one.headers.get('content-type')]).toEqual([200, 200, 'image/webp']);
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 320, height: 160 });
      // A much smaller WebP file, which begins with RIFF….WEBP.
      expect([bytes.toString('latin1', 8, 12), bytes.length < 5_000]).toEqual(['WEBP', true]);
      expect(one.headers.get('cache-control')).toContain('immutable');
      // Made once for both requests, and for a later one to another process.
      await makeMedia(site.db, counting)(new Request(address));
      expect(resized).toBe(1);
    },
  );

  test.each([
    ['gif', 'an animation would stand still'],
    ['small', 'it is small already'],
    ['bomb', 'it would take gigabytes to decode'],
  ])('a %s has no smaller widths: %s', async (slug) => {
    expect(widthsIn(await pictureOn(slug))).toEqual([]);
    resized = 0;
    const media = makeMedia(site.db, counting);
    const { status, headers } = await media(new Request(await sized(slug, 320)));
    expect([status, headers.get('location')]).toEqual([302, expect.stringMatching(/^\.\.\/\w+\.(?:gif|png)$/)]);
    expect(resized).toBe(0);
  });

  test('search engines get a picture in three aspect ratios if it is large enough', async () => {
    const told = async (slug: string): Promise<readonly string[]> => {
      const { html } = await pagesOf(site)().get(`/event/${slug}/`);
      return JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)![1]!).image;
    };
    const media = makeMedia(site.db, counting);
    const sizes = await Promise.all(
      (await told('jpeg')).map(async (address) => {
        const { width, height } = await sharp(await (await media(new Request(address))).arrayBuffer()).metadata();
        return [width, height];
      }),
    );
    expect(sizes).toEqual([
      [720, 720],
      [960, 720],
      [1200, 675],
    ]);
    for (const slug of ['small', 'gif', 'bomb']) expect(await told(slug)).toEqual([await original(slug)]);
  });

  test('a picture that cannot be decoded leads to the original, and is not tried again', async () => {
    resized = 0;
    const address = await sized('broken', 640);
    for (let time = 0; time < 3; time += 1) {
      const { status, headers } = await makeMedia(site.db, counting)(new Request(address));
      expect([status, new URL(headers.get('location')!, address).href]).toEqual([302, await original('broken')]);
    }
    expect(resized).toBe(1);
  });

  test('other sizes, and pictures that the site does not have, are not found', async () => {
    const media = makeMedia(site.db, counting);
    for (const address of [
      await sized('jpeg', 321),
      await sized('jpeg', '720x721'),
      (await sized('jpeg', 320)).replace(/media\/..../, 'media/0000'),
    ])
      expect((await media(new Request(address))).status).toBe(404);
  });

  test.each([
    [
      'SVG',
      Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="1000"><rect width="9" height="9"/></svg>',
      ),
    ],
    ['PDF', Buffer.from('%PDF-1.4\n')],
    ['an empty file', Buffer.alloc(0)],
  ])('%s is not decoded', async (_, bytes) => {
    expect(await resizer(bytes, { width: 320 })).toBeUndefined();
  });
});

describe('without the library', () => {
  test('the address of a smaller width leads to the original picture', async () => {
    const address = await sized('png', 640);
    const { status, headers } = await makeMedia(site.db)(new Request(address));
    expect([status, new URL(headers.get('location')!, address).href]).toEqual([302, await original('png')]);
  });

  test('the library is looked for only once', async () => {
    let asked = 0;
    const broken = makeResizer(async () => {
      asked += 1;
      throw new Error('Could not load the "sharp" module using the linux-x64 runtime');
    });
    expect([
      await broken(files['png.png']!, { width: 320 }),
      await broken(files['png.png']!, { width: 320 }),
      asked,
    ]).toEqual([undefined, undefined, 1]);
  });
});
