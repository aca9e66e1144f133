import { createHash } from 'node:crypto';
import { sql, type Queryable } from '../../db/database.ts';
import type { ImageRef } from '../../contract/post-args.ts';
import type { FetchedImages, HandlerContext } from '../context.ts';
import { ownFile } from './image-address.ts';
import { imageFileFromBytes, type ImageFile } from './image-file.ts';
import { mayEditOthers, mayUpload } from './rights.ts';

/**
 * Fetches the bytes at an address from a request, at most `IMAGE_BYTES_MAX`. The message of a failure is fit for users;
 * that of a refusal may name an address of the internal network.
 */
export type FetchImage = (
  url: string,
) => Promise<
  | { readonly kind: 'fetched'; readonly bytes: Uint8Array }
  | { readonly kind: 'failed' | 'refused'; readonly message: string }
>;

export const IMAGE_BYTES_MAX = 10_000_000;
const AT_ONCE = 4;

type Ctx = Pick<HandlerContext, 'db' | 'caller' | 'settings'>;
type Args = Readonly<Record<string, unknown>>;

/**
 * Fetches the images that requests name and stores their files before any transaction begins, so that other writers
 * need not wait for a foreign server. Addresses fetched before are skipped, and nothing is fetched for callers who may
 * not upload. The rows that make images of the files are written with the request.
 */
export async function fetchImages(fetchImage: FetchImage, requests: readonly Args[], ctx: Ctx): Promise<FetchedImages> {
  const named = [...new Set(requests.flatMap(addressesIn))].filter((url) => !ownFile(ctx.settings, url));
  if (named.length === 0 || !mayUpload(ctx.caller)) return new Map();
  const { rows } = await sql<{
    url: string;
  }>`select url from site.images where url = any (${named}) and hash is not null`.execute(ctx.db);
  const waiting = named.filter((url) => !rows.some((row) => row.url === url)).values();
  const fetched = new Map<string, { kind: 'file'; hash: string } | { kind: 'failed'; message: string }>();
  const worker = async (): Promise<void> => {
    for (const url of waiting) fetched.set(url, await stored(fetchImage, url, ctx));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return fetched;
}

/** The image addresses in a request, including those of the venues and organizers in it. */
function addressesIn(args: Args): readonly string[] {
  const image = args['image'] as ImageRef | null | undefined;
  const nested = ['venue', 'organizer'].flatMap((name) =>
    Array.isArray(args[name]) ? (args[name] as readonly { readonly data?: Args }[]) : [],
  );
  return [
    ...(image?.kind === 'url' ? [image.url] : []),
    ...nested.flatMap(({ data }) => (data ? addressesIn(data) : [])),
  ];
}

/** Only editors may learn to which internal addresses a name resolves. */
const NOT_PUBLIC = 'This is not an address of the public internet, so nothing is fetched from there.';

async function stored(
  fetchImage: FetchImage,
  url: string,
  ctx: Ctx,
): Promise<{ kind: 'file'; hash: string } | { kind: 'failed'; message: string }> {
  const answer = await fetchImage(url);
  if (answer.kind === 'refused' && !mayEditOthers(ctx.caller)) return { kind: 'failed', message: NOT_PUBLIC };
  if (answer.kind !== 'fetched') return { kind: 'failed', message: answer.message };
  const { bytes } = answer;
  if (bytes.length > IMAGE_BYTES_MAX)
    return { kind: 'failed', message: `The image is larger than ${IMAGE_BYTES_MAX / 1e6} MB.` };
  const file = imageFileFromBytes(bytes);
  if (!file) return { kind: 'failed', message: 'What is at this address is no JPEG, PNG, GIF, WebP or AVIF image.' };
  return { kind: 'file', hash: await storeImageFile(ctx.db, bytes, file) };
}

/** Stores the file of an image, and returns its hash. */
export async function storeImageFile(db: Queryable, bytes: Uint8Array, file: ImageFile): Promise<string> {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 40);
  await sql`insert into site.image_files (hash, media_type, extension, width, height, bytes)
    values (${hash}, ${file.mediaType}, ${file.extension}, ${file.width}, ${file.height}, ${Buffer.from(bytes)})
    on conflict (hash) do update set fetched_at = now()`.execute(db);
  return hash;
}
