import { sql, type Queryable } from '../database.ts';

const STATEMENTS = [
  // The bytes are kept apart from the rows that event pages load. The same image at two addresses is one file.
  `create table site.image_files (
    hash text primary key, media_type text not null, extension text not null, width integer not null, height integer not null,
    bytes bytea not null, fetched_at timestamptz not null default now())`,
  // Images are already compressed.
  'alter table site.image_files alter column bytes set storage external',
  // An image without a file was only referred to; it gets a file when its address is next sent.
  'alter table site.images add column hash text references site.image_files, add column name text',
  'create index on site.images (hash)',
];

/** The files of images, which are fetched once and served by the site itself. */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
