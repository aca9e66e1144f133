import { randomUUID } from 'node:crypto';
import type { Kysely } from '../db/database.ts';
import type { SiteTables } from './tables.ts';

/**
 * The name of the site, chosen once and kept with its events: it stays when the site moves to another address.
 * `proposed` is asked the first time; where it has none, the name is a random one (RFC 7986, 5.3).
 */
export async function siteIdentity(
  db: Kysely<SiteTables>,
  proposed: () => Promise<string | undefined>,
): Promise<string> {
  const known = await db.selectFrom('site.identity').select('name').executeTakeFirst();
  if (known) return known.name;
  // Another process may have been faster.
  await db
    .insertInto('site.identity')
    .values({ name: (await proposed()) ?? randomUUID() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await db.selectFrom('site.identity').select('name').executeTakeFirstOrThrow()).name;
}
