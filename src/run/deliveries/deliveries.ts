import { rowOf, sql, type Queryable } from '../../db/database.ts';
import { jsonb } from '../../db/jsonb.ts';

type Query = Queryable;

/** What lasts, as a receiver was told of it. Times in epoch milliseconds. */
export interface ToldEpisode {
  readonly receiver: string;
  readonly site: string;
  readonly source: string;
  readonly kind: string;
  readonly about: string;
  readonly since: number;
  readonly stage: number;
  readonly messageId: string;
}

/** A message on its way. */
export interface NewDelivery {
  readonly receiver: string;
  /** Whatever has the same receiver and key is one message. */
  readonly key: string;
  readonly kind: string;
  readonly channel: string;
  /** To whom, as it may be shown. */
  readonly address: string;
  readonly subject: string;
  readonly messageId: string;
  /** All that sending it again takes, should its answer be lost. */
  readonly content: unknown;
  readonly episodes: readonly ToldEpisode[];
  /** The person who sends it. */
  readonly sentBy?: string;
}

/** How long a message may be under way before its process counts as dead. */
const UNDER_WAY_MS = 120_000;

/**
 * Records that a message is being sent. Undefined while another process does so. A message that was refused before keeps
 * its Message-ID.
 */
export async function claimDelivery(query: Query, delivery: NewDelivery, now: number): Promise<string | undefined> {
  const { receiver, key, kind, channel, address, subject, messageId, content, episodes, sentBy = null } = delivery;
  const { rows } = await sql<{ id: string }>`
    insert into calsync.deliveries as one
      (receiver, key, kind, channel, address, subject, message_id, content, episodes, state, tries, sent_by, claimed_at)
    values (${receiver}, ${key}, ${kind}, ${channel}, ${address}, ${subject}, ${messageId}, ${jsonb(content)},
    ${jsonb(episodes)}, 'sending', 1, ${sentBy}, ${new Date(now)})
    on conflict (receiver, key) where state in ('sending', 'refused') do update
      set state = 'sending', tries = one.tries + 1, subject = excluded.subject, content = excluded.content, address = excluded.address,
        episodes = excluded.episodes, claimed_at = excluded.claimed_at, settled_at = null, retry_at = null
      where one.state = 'refused' returning id::text`.execute(query);
  return rows[0]?.id;
}

/** A message about a source, with all who were sent it. */
export interface MessageSent {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly subject: string;
  readonly receivers: readonly string[];
  /** None of them has taken it (yet). */
  readonly isOpen: boolean;
}

/** The latest messages about a source, or those before a moment. What was sent within a minute of each other is one. */
export async function messagesAbout(
  query: Query,
  { site, source }: { readonly site: string; readonly source: string },
  before: number | undefined,
  limit: number,
): Promise<readonly MessageSent[]> {
  const { rows } = await sql<MessageSent>`
    select (extract(epoch from max(claimed_at)) * 1000)::bigint as at, subject, array_agg(distinct receiver) as receivers,
      bool_and(state <> 'sent') as "isOpen"
    from calsync.deliveries where episodes @> ${jsonb([{ site, source }])}
      and (${before ?? null}::bigint is null or claimed_at < to_timestamp(${before ?? 0}::bigint / 1000.0))
    group by subject, date_trunc('minute', claimed_at) order by 1 desc limit ${limit}`.execute(query);
  return rows;
}

/** Whether a message was taken before: its receiver knows it, even if nobody remembers. */
export async function wasDelivered(
  query: Query,
  { receiver, key }: Pick<NewDelivery, 'receiver' | 'key'>,
): Promise<boolean> {
  const { rows } =
    await sql`select from calsync.deliveries where receiver = ${receiver} and key = ${key} and state = 'sent' limit 1`.execute(
      query,
    );
  return rows.length > 0;
}

/** What a message that was taken changes in what its receiver knows. */
export interface Effect {
  readonly told: readonly ToldEpisode[];
  readonly over: readonly ToldEpisode[];
}

/** Records that a message was taken; call it in a transaction, so that it is known and never sent again. */
export async function settleDelivery(
  query: Query,
  id: string,
  answer: string,
  effect: Effect,
  now: number,
): Promise<void> {
  await sql`update calsync.deliveries set state = 'sent', answer = ${answer}, content = null, retry_at = null,
    settled_at = ${new Date(now)} where id = ${id}`.execute(query);
  await noteTold(query, effect, now);
}

/** Records what a receiver knows now. */
export async function noteTold(query: Query, { told, over }: Effect, now: number): Promise<void> {
  await forgetTold(query, over);
  for (const { receiver, site, source, kind, about, since, stage, messageId } of told)
    await sql`insert into calsync.alerts_told (receiver, site, source, kind, about, since, stage, message_id, told_at)
      values (${receiver}, ${site}, ${source}, ${kind}, ${about}, ${new Date(since)}, ${stage}, ${messageId}, ${new Date(now)})
      on conflict (receiver, site, source, kind, about) do update set
        since = excluded.since, stage = excluded.stage, message_id = excluded.message_id, told_at = excluded.told_at`.execute(
      query,
    );
}

/** Gives a message back that was not taken: it may be sent again from `retryAt` on; null: never. */
export async function refuseDelivery(
  query: Query,
  id: string,
  answer: string,
  retryAt: number | null,
  now: number,
): Promise<void> {
  await sql`update calsync.deliveries set state = 'refused', answer = ${answer}, content = null, settled_at = ${new Date(now)},
    retry_at = ${retryAt === null ? null : new Date(retryAt)} where id = ${id}`.execute(query);
}

/** What each receiver knows of what lasts. */
export async function loadTold(query: Query): Promise<readonly ToldEpisode[]> {
  const { rows } = await sql<Omit<ToldEpisode, 'since'> & { since: Date }>`
    select receiver, site, source, kind, about, since, stage, message_id as "messageId" from calsync.alerts_told`.execute(
    query,
  );
  return rows.map((row) => ({ ...row, since: row.since.getTime() }));
}

export async function forgetTold(query: Query, told: readonly ToldEpisode[]): Promise<void> {
  for (const { receiver, site, source, kind, about } of told)
    await sql`delete from calsync.alerts_told where receiver = ${receiver} and site = ${site} and source = ${source}
      and kind = ${kind} and about = ${about}`.execute(query);
}

/** The messages that receivers took within a time (epoch milliseconds). */
export async function takenBetween(
  query: Query,
  after: number,
  until: number,
): Promise<readonly Pick<NewDelivery, 'receiver' | 'kind'>[]> {
  const { rows } = await sql<Pick<NewDelivery, 'receiver' | 'kind'>>`select receiver, kind from calsync.deliveries
    where state = 'sent' and claimed_at > ${new Date(after)} and claimed_at <= ${new Date(until)}`.execute(query);
  return rows;
}

/**
 * The number in the key of the last message that begins with `key`, by the receivers who took it and none after it that
 * begins with `endKey`.
 */
export async function toldWithoutEnd(query: Query, key: string, endKey: string): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ receiver: string; key: string }>`
    select distinct on (receiver) receiver, key from calsync.deliveries
    where state = 'sent' and (starts_with(key, ${key}) or starts_with(key, ${endKey}))
    order by receiver, id desc`.execute(query);
  return new Map(
    rows
      .filter((row) => row.key.startsWith(key))
      .map((row) => [row.receiver, Number.parseInt(row.key.slice(key.length), 10)]),
  );
}

/** Why a receiver is left alone for now, and how often it has refused since it last took a message. */
export interface ReceiverTrouble {
  readonly refusals: number;
  /** Epoch milliseconds; nothing is sent before. */
  readonly until: number;
}

/**
 * Receivers that have refused since they last took a message, or that another process is sending to. What is said to
 * come was written by a clock that was ahead, and keeps nothing back.
 */
export async function receiversInTrouble(query: Query, now: number): Promise<ReadonlyMap<string, ReceiverTrouble>> {
  const { rows } = await sql<{ receiver: string; refusals: number; until: Date | null }>`
    select receiver, coalesce(sum(tries) filter (where state = 'refused'), 0)::int as refusals,
      max(case when state = 'sending' then claimed_at + ${sql.lit(`${UNDER_WAY_MS} ms`)}::interval else retry_at end) as until
    from calsync.deliveries as one
    where kind not in ('test', 'letter') and state in ('sending', 'refused') and claimed_at <= ${new Date(now + UNDER_WAY_MS)} and claimed_at > coalesce(
      (select max(taken.claimed_at) from calsync.deliveries as taken where taken.receiver = one.receiver and taken.state = 'sent'), '-infinity')
    group by receiver`.execute(query);
  return new Map(rows.map(({ receiver, refusals, until }) => [receiver, { refusals, until: until?.getTime() ?? now }]));
}

/** Messages whose process died before it knew whether they were taken. */
export async function lostDeliveries(
  query: Query,
  now: number,
): Promise<readonly (NewDelivery & { readonly id: string; readonly tries: number })[]> {
  const { rows } = await sql<NewDelivery & { id: string; tries: number }>`
    update calsync.deliveries set claimed_at = ${new Date(now)}, tries = tries + 1
    where state = 'sending' and kind not in ('test', 'letter')
      and (claimed_at <= ${new Date(now - UNDER_WAY_MS)} or claimed_at > ${new Date(now + UNDER_WAY_MS)})
    returning id::text, receiver, key, kind, channel, address, subject, message_id as "messageId", content, episodes, tries`.execute(
    query,
  );
  return rows;
}

/** Gives up a message whose receiver is no more. */
export async function giveUpDelivery(query: Query, id: string, now: number): Promise<void> {
  await sql`update calsync.deliveries set state = 'given up', content = null, settled_at = ${new Date(now)} where id = ${id}`.execute(
    query,
  );
}

/** Gives up what was refused by receivers that the configuration does not name any more. */
export async function giveUpUnnamed(query: Query, named: readonly string[]): Promise<void> {
  await sql`update calsync.deliveries set state = 'given up', retry_at = null
    where state = 'refused' and kind <> 'letter' and receiver <> all(${[...named]}::text[])`.execute(query);
}

/** The day of each receiver's last digest. */
export async function digestDays(query: Query): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ receiver: string; day: string }>`
    select receiver, max(substr(key, 8)) as day from calsync.deliveries where kind = 'digest' and state = 'sent' group by receiver`.execute(
    query,
  );
  return new Map(rows.map(({ receiver, day }) => [receiver, day]));
}

/** A line of the log of what was sent. */
export interface DeliveryRecord {
  readonly id: string;
  readonly receiver: string;
  readonly kind: string;
  readonly channel: string;
  readonly address: string;
  readonly subject: string;
  readonly messageId: string;
  readonly state: 'sending' | 'sent' | 'refused' | 'given up';
  readonly tries: number;
  readonly answer: string | null;
  readonly sentBy: string | null;
  readonly at: Date;
}

const RECORD = sql.raw(
  'id::text, receiver, kind, channel, address, subject, message_id as "messageId", state, tries, answer, ' +
    'sent_by as "sentBy", claimed_at as at',
);

/** What was sent, the latest first, and how many there are. */
export async function listDeliveries(
  query: Query,
  limit: number,
): Promise<{ readonly deliveries: readonly DeliveryRecord[]; readonly count: number }> {
  const { rows } =
    await sql<DeliveryRecord>`select ${RECORD} from calsync.deliveries order by claimed_at desc, id desc limit ${limit}`.execute(
      query,
    );
  const { count } = rowOf(
    await sql<{ count: number }>`select count(*)::int as count from calsync.deliveries`.execute(query),
  );
  return { deliveries: rows, count };
}

/** The last message to each receiver, by its name. */
export async function lastDeliveries(query: Query): Promise<ReadonlyMap<string, DeliveryRecord>> {
  const { rows } =
    await sql<DeliveryRecord>`select distinct on (receiver) ${RECORD} from calsync.deliveries order by receiver, claimed_at desc, deliveries.id desc`.execute(
      query,
    );
  return new Map(rows.map((row) => [row.receiver, row]));
}

/** A receiver that cannot be reached: a matter for a person. */
export interface Undelivered {
  readonly receiver: string;
  readonly address: string;
  readonly answer: string;
  readonly messages: number;
  readonly tries: number;
  /** When the first message was refused since the last one that was taken. */
  readonly since: Date;
}

/** Receivers that did not take the last message; letters to publishers aside, whose sender sees the answer. */
export async function undelivered(query: Query): Promise<readonly Undelivered[]> {
  const { rows } = await sql<Undelivered>`
    select receiver, (array_agg(address order by claimed_at desc))[1] as address, coalesce((array_agg(answer order by claimed_at desc))[1], '') as answer,
      count(*)::int as messages, sum(tries)::int as tries, min(claimed_at) as since
    from calsync.deliveries as one where state = 'refused' and kind <> 'letter' and claimed_at > coalesce(
      (select max(taken.claimed_at) from calsync.deliveries as taken where taken.receiver = one.receiver and taken.state = 'sent'), '-infinity')
    group by receiver order by min(claimed_at)`.execute(query);
  return rows;
}

/** How many letters were sent in the last 24 hours. */
export async function lettersOfDay(query: Query, now: number): Promise<number> {
  return rowOf(
    await sql<{ count: number }>`select count(*)::int as count from calsync.deliveries
      where kind = 'letter' and claimed_at > ${new Date(now - 86_400_000)}`.execute(query),
  ).count;
}

/** What was sent to one receiver, the latest first. */
export async function deliveriesTo(query: Query, receiver: string, limit: number): Promise<readonly DeliveryRecord[]> {
  const { rows } = await sql<DeliveryRecord>`select ${RECORD} from calsync.deliveries where receiver = ${receiver}
    order by claimed_at desc, id desc limit ${limit}`.execute(query);
  return rows;
}

/** Deletes the log before a time. */
export async function cleanDeliveries(query: Query, before: Date): Promise<void> {
  await sql`delete from calsync.deliveries where claimed_at < ${before} and state <> 'sending'`.execute(query);
}
