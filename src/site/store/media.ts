import { sql, type Queryable } from '../../db/database.ts';
import { namesTag } from '../../etag.ts';
import { MEDIA_PATH } from './image-address.ts';
import { imageSizes, SIZED_PATH, type Sized } from './image-sizes.ts';
import type { Resize } from './resize.ts';

interface File {
  readonly media_type: string;
  readonly extension: string;
  readonly size: number;
}

/**
 * Serves image files below `/media/`, resized with `resize`. Their bytes never change, so they may be cached for ever.
 */
export function makeMedia(db: Queryable, resize?: Resize): (request: Request) => Promise<Response> {
  const sized = imageSizes(db, resize);
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, { allow: 'GET, HEAD' });
    const { pathname } = new URL(request.url);
    const [, wanted = '', size = '', name = ''] = SIZED_PATH.exec(pathname) ?? [];
    if (wanted !== '') return sizedAnswer(request, wanted, name, await sized(wanted, size));
    return wholeFile(db, request, pathname);
  };
}

/** Serves the original file. */
async function wholeFile(db: Queryable, request: Request, pathname: string): Promise<Response> {
  const [, hash = '', , extension] = MEDIA_PATH.exec(pathname) ?? [];
  const { rows } =
    hash === ''
      ? { rows: [] }
      : await sql<File>`select media_type, extension, length(bytes) as size from site.image_files where hash = ${hash}`.execute(
          db,
        );
  const [file] = rows;
  if (!file || file.extension !== extension) return plain(404, {});
  const headers = headersOf(file, hash);
  if (namesTag(request.headers.get('if-none-match'), [headers.etag]))
    return new Response(null, { status: 304, headers });
  const whole = { ...headers, 'content-type': file.media_type, 'content-length': String(file.size) };
  if (request.method === 'HEAD') return new Response(null, { headers: whole });
  const {
    rows: [found],
  } = await sql<{ bytes: Uint8Array<ArrayBuffer> }>`select bytes from site.image_files where hash = ${hash}`.execute(
    db,
  );
  return found ? new Response(found.bytes, { headers: whole }) : plain(404, {});
}

function sizedAnswer(request: Request, hash: string, name: string, sized: Sized): Response {
  if (!sized) return plain(404, {});
  if (sized.kind === 'original')
    return new Response(null, {
      status: 302,
      // Relative to `/media/{hash}/{size}/`. The next request may find it resized.
      headers: { location: `../${name}.${sized.extension}`, 'cache-control': 'public, max-age=600' },
    });
  const type = 'image/webp';
  const headers = headersOf({ media_type: type }, `${hash}-${sized.bytes.length}`);
  if (namesTag(request.headers.get('if-none-match'), [headers.etag]))
    return new Response(null, { status: 304, headers });
  const whole = { ...headers, 'content-type': type, 'content-length': String(sized.bytes.length) };
  return new Response(request.method === 'HEAD' ? null : sized.bytes, { headers: whole });
}

const headersOf = ({ media_type: type }: Pick<File, 'media_type'>, hash: string) => ({
  etag: `"${hash}"`,
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  // Whatever type a browser sniffs, nothing in the file is executed.
  'content-security-policy': "default-src 'none'; sandbox",
  'content-disposition': `inline; filename="image.${type.slice('image/'.length)}"`,
  // Calendars on other sites may embed it.
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
});

const plain = (status: number, headers: Readonly<Record<string, string>>): Response =>
  new Response(status === 404 ? 'There is no such image.\n' : 'Images can only be read.\n', {
    status,
    headers: { ...headers, 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
  });
