import { sql, type Queryable } from '../database.ts';

const STATEMENTS = [
  // Without bytes: the image could not be made smaller, and is not tried again.
  `create table site.image_sizes (
    hash text not null references site.image_files on delete cascade, width integer not null, bytes bytea,
    primary key (hash, width))`,
  'alter table site.image_sizes alter column bytes set storage external',
];

/** Images in the widths that pages request, made at the first request. */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
