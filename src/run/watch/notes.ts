import { sql, type Queryable } from '../../db/database.ts';
import { recordAct, type Actor } from './acts.ts';
import type { SourceName } from './pauses.ts';

type Query = Queryable;

/** A person's note about a source. */
export interface SourceNote {
  readonly text: string;
  readonly by: string;
  readonly at: Date;
}

/** The longest note, in characters. */
export const NOTE_MAX = 2_000;

export async function noteOf(query: Query, { site, source }: SourceName): Promise<SourceNote | undefined> {
  const { rows } = await sql<SourceNote>`
    select text, name as by, at from calsync.notes where site = ${site} and source = ${source}`.execute(query);
  return rows[0];
}

/** Writes the note of a source, or deletes it if the text is blank. */
export async function writeNote(query: Query, { site, source }: SourceName, text: string, by: Actor): Promise<void> {
  const note = text.trim();
  await query.transaction(async (transaction) => {
    if (note === '')
      await sql`delete from calsync.notes where site = ${site} and source = ${source}`.execute(transaction);
    else
      await sql`insert into calsync.notes (site, source, text, name) values (${site}, ${source}, ${note}, ${by.name})
        on conflict (site, source) do update set text = excluded.text, name = excluded.name, at = now()`.execute(
        transaction,
      );
    await recordAct(transaction, by, { kind: 'note', site, source, details: { text: note } });
  });
}
