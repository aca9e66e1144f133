import { INTEGER_MAX } from '../../contract/limits.ts';
import { rowOf, sql, type Queryable } from '../../db/database.ts';
import type { ImageRef } from '../../contract/post-args.ts';
import type { HandlerContext } from '../context.ts';
import { HttpProblem, invalidParams } from '../http-problem.ts';
import { imageName, ownFile } from './image-address.ts';
import { mayUpload } from './rights.ts';

/**
 * Returns the id of the image that a request names: an existing one by id or by this site's own address, or one from
 * another address, whose file `fetchImages` has fetched. Throws HttpProblem if it cannot be used.
 */
export async function imageId(db: Queryable, ref: ImageRef | null, ctx: HandlerContext): Promise<number | null> {
  if (ref === null) return null;
  if (ref.kind === 'id') return existing(db, sql`id = ${Math.min(ref.id, INTEGER_MAX)}`);
  const own = ownFile(ctx.settings, ref.url);
  if (own) return existing(db, sql`hash = ${own.hash} and name = ${own.name}`);
  // As on real sites, whose image validator also checks the right to upload.
  if (!mayUpload(ctx.caller))
    throw invalidParams({ image: 'Without the right to upload, name an image of this site by its id.' });
  const fetched = ctx.images?.get(ref.url);
  if (fetched?.kind === 'failed') throw imageProblem(fetched.message);
  if (!fetched) return existing(db, sql`url = ${ref.url} and hash is not null`);
  const result = await sql<{ id: number }>`
    insert into site.images (url, hash, name, extension, width, height, filesize)
    select ${ref.url}, hash, ${imageName(ref.url)}, extension, width, height, length(bytes) from site.image_files where hash = ${fetched.hash}
    on conflict (url) do update set hash = excluded.hash, name = excluded.name, extension = excluded.extension,
      width = excluded.width, height = excluded.height, filesize = excluded.filesize returning id`.execute(db);
  return rowOf(result).id;
}

async function existing(db: Queryable, where: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from site.images where ${where} order by id limit 1`.execute(db);
  if (!rows[0]) throw invalidParams({ image: 'There is no such image on this site.' });
  return rows[0].id;
}

const imageProblem = (message: string): HttpProblem =>
  new HttpProblem('rest_invalid_param', 'Invalid parameter(s): image', {
    params: { image: `Invalid parameter. ${message}` },
    details: { image: { code: 'image-not-usable', message, data: null } },
  });
