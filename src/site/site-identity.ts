import { randomUUID } from 'node:crypto';
import { rowOf, sql, type Queryable } from '../db/database.ts';

const KNOWN = sql<{ readonly name: string }>`select name from site.identity`;

/**
 * The name of the site, chosen once and kept with its events: it stays when the site moves to another address.
 * `proposed` is asked the first time; where it has none, the name is a random one (RFC 7986, 5.3).
 */
export async function siteIdentity(db: Queryable, proposed: () => Promise<string | undefined>): Promise<string> {
  const {
    rows: [known],
  } = await KNOWN.execute(db);
  if (known) return known.name;
  // Another process may have been faster.
  await sql`insert into site.identity (name) values (${(await proposed()) ?? randomUUID()}) on conflict do nothing`.execute(
    db,
  );
  return rowOf(await KNOWN.execute(db)).name;
}
