import { createHash, createHmac, randomBytes } from 'node:crypto';
import { sql, type Queryable } from '../db/database.ts';

/** A source, by the key of its site and its name. */
export interface OwnSource {
  readonly site: string;
  readonly source: string;
}

/** The secret part of the address of a publisher's page. */
export interface PublisherLink {
  readonly token: string;
  readonly madeAt: Date;
  /** Who replaced the former link; null for the first one. */
  readonly madeBy: string | null;
}

const SECRET_BYTES = 32;
const TOKEN_BYTES = 24;

/** Derived from a secret that stays here, so that a copy of the hashes opens nothing. */
const tokenOf = (secret: Uint8Array): string =>
  createHmac('sha256', secret).update('publisher page').digest().subarray(0, TOKEN_BYTES).toString('base64url');

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The link for a source's publisher, made when it is first needed. `now` is in epoch milliseconds. */
export async function publisherLink(
  query: Queryable,
  { site, source }: OwnSource,
  now: number,
): Promise<PublisherLink> {
  const secret = randomBytes(SECRET_BYTES);
  await sql`insert into calsync.publisher_links (site, source, secret, token_hash, made_at)
    values (${site}, ${source}, ${secret}, ${hashOf(tokenOf(secret))}, ${new Date(now)}) on conflict (site, source) do nothing`.execute(
    query,
  );
  const { rows } = await sql<{ secret: Buffer; madeAt: Date; madeBy: string | null }>`
    select secret, made_at as "madeAt", made_by as "madeBy" from calsync.publisher_links where site = ${site} and source = ${source}`.execute(
    query,
  );
  const [row] = rows;
  if (row === undefined) throw new TypeError('the link has just been stored');
  return { token: tokenOf(row.secret), madeAt: row.madeAt, madeBy: row.madeBy };
}

/** Makes a new link; the former one no longer works. */
export async function rotateLink(
  query: Queryable,
  { site, source }: OwnSource,
  by: string,
  now: number,
): Promise<PublisherLink> {
  const secret = randomBytes(SECRET_BYTES);
  await sql`insert into calsync.publisher_links (site, source, secret, token_hash, made_at, made_by)
    values (${site}, ${source}, ${secret}, ${hashOf(tokenOf(secret))}, ${new Date(now)}, ${by})
    on conflict (site, source) do update set secret = excluded.secret, token_hash = excluded.token_hash,
      made_at = excluded.made_at, made_by = excluded.made_by`.execute(query);
  return { token: tokenOf(secret), madeAt: new Date(now), madeBy: by };
}

/** The source whose page a token opens. */
export async function sourceOfToken(query: Queryable, token: string): Promise<OwnSource | undefined> {
  const { rows } = await sql<OwnSource>`
    select site, source from calsync.publisher_links where token_hash = ${hashOf(token)}`.execute(query);
  return rows[0];
}
