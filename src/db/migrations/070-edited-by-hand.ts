import { sql, type Queryable } from '../database.ts';

const STATEMENTS = [
  // A person's own events, newest first, and events in rare states, whoever wrote them.
  'create index on site.events (author, id desc)',
  `create index on site.events (status, id desc) where status in ('draft', 'auto-draft', 'pending', 'trash')`,
  // Why an editor has returned an event.
  `create table site.review_notes (
    event_id integer primary key references site.events on delete cascade, text text not null, written_by text not null,
    written_at timestamptz not null)`,
  // What visitors have suggested. The address is for the person who decides, and is deleted with the row.
  `create table site.suggestions (
    id integer generated always as identity primary key, made_at timestamptz not null, decided_at timestamptz,
    state text not null check (state in ('waits', 'taken', 'refused')), fields jsonb not null, email text not null)`,
  `create index on site.suggestions (made_at) where state = 'waits'`,
  `create index on site.suggestions (decided_at) where state <> 'waits'`,
];

/** Events that people write themselves, submit, or suggest. */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
