import type { ImageRef } from '../../contract/post-args.ts';
import type { HandlerContext } from '../context.ts';
import { invalidParams } from '../http-problem.ts';
import { mayUpload } from './rights.ts';
import type { StoreDatabase } from './tables.ts';

/** The id of an image that a request names: an existing one, or one at an address, kept once per address. Throws HttpProblem. */
export async function imageId(db: StoreDatabase, ref: ImageRef | null, ctx: HandlerContext): Promise<number | null> {
  if (ref === null) return null;
  const images = db.selectFrom('site.images').select('id');
  if (ref.kind === 'id') {
    const known = ref.id > 2_147_483_647 ? undefined : await images.where('id', '=', ref.id).executeTakeFirst();
    if (!known) throw invalidParams('image');
    return known.id;
  }
  // As real sites answer it: their validator of images asks for the right, too.
  if (!mayUpload(ctx.caller)) throw invalidParams('image');
  const kept = await images.where('url', '=', ref.url).executeTakeFirst();
  if (kept) return kept.id;
  const { id } = await db.insertInto('site.images')
    .values({ url: ref.url, extension: extensionOf(ref.url), width: null, height: null, filesize: null, sizes: null }).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** `jpg` of `https://x.example/a/pic.JPG?v=2`; '' where the path shows none. */
const extensionOf = (url: string): string => /\.([a-z0-9]{1,5})$/i.exec(new URL(url).pathname)?.[1]?.toLowerCase() ?? '';
