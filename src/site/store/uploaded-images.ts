import { rowOf, sql, type Queryable } from '../../db/database.ts';
import type { SiteSettings } from '../context.ts';
import { storeImageFile } from './fetch-images.ts';
import { imageName, mediaUrl } from './image-address.ts';
import { imageFileFromBytes } from './image-file.ts';
import { whileWaited } from './turn.ts';

/** Stores an uploaded image and returns the id by which requests name it; undefined if it is not an image. */
export async function storeImage(
  db: Queryable,
  settings: SiteSettings,
  bytes: Uint8Array,
  fileName: string,
): Promise<number | undefined> {
  const file = imageFileFromBytes(bytes);
  const hash = file && (await storeImageFile(db, bytes, file));
  if (!file || hash === undefined) return undefined;
  const name = imageName(`http://in-process/${encodeURIComponent(fileName)}`);
  const { extension, width, height } = file;
  const url = mediaUrl(settings, { hash, name, extension });
  return whileWaited(db, undefined, async (transaction) => {
    const inserted = await sql<{ id: number }>`
      insert into site.images (url, hash, name, extension, width, height, filesize)
      values (${url}, ${hash}, ${name}, ${extension}, ${width}, ${height}, ${bytes.length})
      on conflict (url) do update set hash = excluded.hash returning id`.execute(transaction);
    return rowOf(inserted).id;
  });
}
