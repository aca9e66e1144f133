import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { digestOf, namesTag } from '../etag.ts';

/** A file that pages load. */
export interface ServedFile {
  /** Its media type. */
  readonly type: string;
  readonly read: () => Promise<Uint8Array>;
  readonly cacheControl: string;
}

interface Kept {
  readonly plain: Uint8Array;
  readonly packed: Uint8Array;
  readonly tag: string;
}

/** Answers GET and HEAD with a file, which is read and packed at its first use. */
export function serveFile(file: ServedFile): (request: Request) => Promise<Response> {
  let kept: Promise<Kept> | undefined;
  return async (request) => answer(request, file, await (kept ??= load(file)));
}

async function load({ read }: ServedFile): Promise<Kept> {
  const plain = await read();
  return {
    plain,
    packed: await promisify(gzip)(plain),
    tag: digestOf(plain),
  };
}

function answer(request: Request, { type, cacheControl }: ServedFile, { plain, packed, tag }: Kept): Response {
  const isPacked = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '');
  // Each coding has its own bytes, and so its own tag (RFC 9110, 8.8.3.3).
  const etag = `"${tag}${isPacked ? '-gzip' : ''}"`;
  const headers = {
    ETag: etag,
    'Cache-Control': cacheControl,
    Vary: 'Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
  };
  if (namesTag(request.headers.get('if-none-match'), [etag])) return new Response(null, { status: 304, headers });
  const body = isPacked ? packed : plain;
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(body), {
    headers: {
      ...headers,
      'Content-Type': type,
      'Content-Length': String(body.length),
      ...(isPacked ? { 'Content-Encoding': 'gzip' } : {}),
    },
  });
}
