import { sql, type Queryable } from '../database.ts';

const STATEMENTS = [
  'create schema if not exists site',
  `create table site.users (
    id integer generated always as identity primary key, login text not null check (login <> ''), email text not null default '',
    display_name text not null, role text not null check (role in ('subscriber', 'contributor', 'author', 'editor', 'administrator')),
    created timestamptz not null default now())`,
  'create unique index on site.users (lower(login))',
  `create unique index on site.users (lower(email)) where email <> ''`,
  `create table site.application_passwords (
    uuid uuid primary key default gen_random_uuid(), user_id integer not null references site.users on delete cascade,
    name text not null, app_id text, hash text not null, created timestamptz not null default now(), last_used timestamptz)`,
  'create index on site.application_passwords (user_id)',
  // The author of what the sync writes. Nobody can sign in as this user, because it has no password.
  `insert into site.users (login, display_name, role) values ('calsyncd', 'calsyncd', 'editor')`,
];

/** Users who may write to the built-in site, and their application passwords. */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
