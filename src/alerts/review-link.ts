import { createHmac, randomBytes } from 'node:crypto';
import { rowOf, sql, type Queryable } from '../db/database.ts';
import { isSameSecret } from '../redact.ts';
import { DAY_MS } from '../time.ts';

/** The plan that a link leads to, for whom, and until when (epoch milliseconds). */
export interface ReviewLink {
  readonly run: string;
  readonly receiver: string;
  readonly until: number;
}

/**
 * A link has to outlive the week until the next reminder, which brings another link, and the hours by which that may be
 * late.
 */
export const REVIEW_LINK_MS = 9 * DAY_MS;

/** The key that signs review links; created when it is first needed. */
export async function reviewKey(query: Queryable): Promise<Uint8Array> {
  await sql`insert into calsync.signing_keys (name, secret) values ('review', ${randomBytes(32)}) on conflict (name) do nothing`.execute(
    query,
  );
  return rowOf(
    await sql<{ secret: Buffer }>`select secret from calsync.signing_keys where name = 'review'`.execute(query),
  ).secret;
}

const signatureOf = (key: Uint8Array, text: string): string =>
  createHmac('sha256', key).update(text).digest().subarray(0, 24).toString('base64url');

/** The signed part of a review link's address. */
export function reviewToken(key: Uint8Array, { run, receiver, until }: ReviewLink): string {
  const text = Buffer.from(JSON.stringify([run, receiver, until])).toString('base64url');
  return `${text}.${signatureOf(key, text)}`;
}

/** The content of a token, which may have expired; undefined if it was not signed here. */
export function readReviewToken(key: Uint8Array, token: string): ReviewLink | undefined {
  const [text = '', signature = '', ...more] = token.split('.');
  if (more.length > 0 || !isSameSecret(signature, signatureOf(key, text))) return undefined;
  const [run, receiver, until] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as [
    string,
    string,
    number,
  ];
  return { run, receiver, until };
}

/** How long wrong codes count. */
export const WRONG_CODES_MS = 3_600_000;
const WRONG_CODES_MAX = 5;

/**
 * Checks a code given for a receiver. After too many wrong ones within an hour, none is accepted. Codes for the same
 * receiver are serialized; otherwise many sent at the same time would all be checked before the first wrong one counts.
 */
export const checkCode = (
  query: Queryable,
  receiver: string,
  isRight: boolean,
  now: number,
): Promise<'right' | 'wrong' | 'locked out'> =>
  query.transaction(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtext(${`code of ${receiver}`}))`.execute(transaction);
    await sql`delete from calsync.wrong_codes where at < ${new Date(now - WRONG_CODES_MS)}`.execute(transaction);
    const { count } = rowOf(
      await sql<{ count: number }>`
        select count(*)::int as count from calsync.wrong_codes where receiver = ${receiver}`.execute(transaction),
    );
    if (count >= WRONG_CODES_MAX) return 'locked out';
    if (isRight) return 'right';
    await sql`insert into calsync.wrong_codes (receiver, at) values (${receiver}, ${new Date(now)})`.execute(
      transaction,
    );
    return 'wrong';
  });
