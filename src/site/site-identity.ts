import { randomUUID } from 'node:crypto';
import { rowOf, sql, type Queryable } from '../db/database.ts';

const KNOWN = sql<{ readonly name: string }>`select name from site.identity`;

/**
 * Returns the site's name, which is chosen once and stored with its events, so it survives a move to another address.
 * `proposed` is called the first time; if it returns nothing, the name is random (RFC 7986, section 5.3).
 */
export async function siteIdentity(db: Queryable, proposed: () => Promise<string | undefined>): Promise<string> {
  const {
    rows: [known],
  } = await KNOWN.execute(db);
  if (known) return known.name;
  // Another process may have inserted it first.
  await sql`insert into site.identity (name) values (${(await proposed()) ?? randomUUID()}) on conflict do nothing`.execute(
    db,
  );
  return rowOf(await KNOWN.execute(db)).name;
}
