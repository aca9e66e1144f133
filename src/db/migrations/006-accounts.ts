import { randomBytes } from 'node:crypto';
import { sql, type Queryable } from '../database.ts';

const STATEMENTS = [
  // For signing in on the site's own pages, never for its interface. Null means that this user cannot sign in.
  'alter table site.users add password_hash text',
  `create table site.sessions (
    hash text primary key, user_id integer not null references site.users on delete cascade,
    created timestamptz not null, expires timestamptz not null)`,
  'create index on site.sessions (user_id)',
  'create table site.secrets (name text primary key, value text not null)',
];

/** Passwords of accounts, sessions, and the key that signs cookies and forms. */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  await sql`insert into site.secrets values ('session', ${randomBytes(32).toString('base64url')})`.execute(db);
};
