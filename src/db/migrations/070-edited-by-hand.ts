import { sql, type Queryable } from '../database.ts';

const STATEMENTS = [
  // One's own events, the newest first; and what few events are, whoever wrote them.
  'create index on site.events (author, id desc)',
  `create index on site.events (status, id desc) where status in ('draft', 'auto-draft', 'pending', 'trash')`,
  // Why an editor has sent an event back.
  `create table site.review_notes (
    event_id integer primary key references site.events on delete cascade, text text not null, written_by text not null,
    written_at timestamptz not null)`,
  // What visitors have suggested. The address is for whoever decides, and goes with the row.
  `create table site.suggestions (
    id integer generated always as identity primary key, made_at timestamptz not null, decided_at timestamptz,
    state text not null check (state in ('waits', 'taken', 'refused')), fields jsonb not null, email text not null)`,
  `create index on site.suggestions (made_at) where state = 'waits'`,
  `create index on site.suggestions (decided_at) where state <> 'waits'`,
];

/** Events that people write themselves, hand in, or suggest. */
export const up = async (db: Queryable): Promise<void> => {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
};
