import { rowOf, sql, type Queryable } from '../../db/database.ts';
import { jsonb } from '../../db/jsonb.ts';

type Query = Queryable;

/** An ongoing episode, as a receiver was told about it. Times are in epoch milliseconds. */
export interface EpisodeRecord {
  readonly receiver: string;
  readonly site: string;
  readonly source: string;
  readonly kind: string;
  readonly about: string;
  readonly since: number;
  readonly stage: number;
  readonly messageId: string;
}

/** A message to be sent. */
export interface NewDelivery {
  readonly receiver: string;
  /** Messages with the same receiver and key are the same message. */
  readonly key: string;
  readonly kind: string;
  readonly channel: string;
  /** The receiver's address, in a form that may be shown. */
  readonly address: string;
  readonly subject: string;
  readonly messageId: string;
  /** Everything needed to send the message again if its answer is lost. */
  readonly content: unknown;
  readonly episodes: readonly EpisodeRecord[];
  /** The name of the person who sends it, if any. */
  readonly sentBy?: string;
}

/** How long a message may be in the process of being sent before its process counts as dead. */
const UNDER_WAY_MS = 120_000;

/**
 * Records that a message is being sent, and returns its id; undefined if another process is sending it. A message that
 * was refused before keeps its Message-ID.
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

/** A message about a source, with everybody it was sent to. */
export interface MessageSent {
  /** In epoch milliseconds. */
  readonly at: number;
  readonly subject: string;
  readonly receivers: readonly string[];
  /** None of the receivers has accepted it (yet). */
  readonly isOpen: boolean;
}

/**
 * The latest messages about a source, optionally before a time. Equal messages sent within the same minute count as
 * one.
 */
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

/** Whether a message has been accepted before, so that its receiver knows it even if our other records are lost. */
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

/** How an accepted message changes what its receiver knows. */
export interface Effect {
  readonly told: readonly EpisodeRecord[];
  readonly over: readonly EpisodeRecord[];
}

/** Records that a message was accepted. Call it in a transaction, so that the message is never sent again. */
export async function settleDelivery(
  query: Query,
  id: string,
  answer: string,
  effect: Effect,
  now: number,
): Promise<void> {
  await sql`update calsync.deliveries set state = 'sent', answer = ${answer}, content = null, retry_at = null,
    settled_at = ${new Date(now)} where id = ${id}`.execute(query);
  await recordReported(query, effect, now);
}

/** Records what a receiver knows now. */
export async function recordReported(query: Query, { told, over }: Effect, now: number): Promise<void> {
  await deleteReportedEpisodes(query, over);
  for (const { receiver, site, source, kind, about, since, stage, messageId } of told)
    await sql`insert into calsync.alerts_told (receiver, site, source, kind, about, since, stage, message_id, told_at)
      values (${receiver}, ${site}, ${source}, ${kind}, ${about}, ${new Date(since)}, ${stage}, ${messageId}, ${new Date(now)})
      on conflict (receiver, site, source, kind, about) do update set
        since = excluded.since, stage = excluded.stage, message_id = excluded.message_id, told_at = excluded.told_at`.execute(
      query,
    );
}

/** Records that a message was not accepted. It may be sent again from `retryAt` on, or never if that is null. */
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

/** What each receiver knows about ongoing episodes. */
export async function loadReportedEpisodes(query: Query): Promise<readonly EpisodeRecord[]> {
  const { rows } = await sql<Omit<EpisodeRecord, 'since'> & { since: Date }>`
    select receiver, site, source, kind, about, since, stage, message_id as "messageId" from calsync.alerts_told`.execute(
    query,
  );
  return rows.map((row) => ({ ...row, since: row.since.getTime() }));
}

export async function deleteReportedEpisodes(query: Query, told: readonly EpisodeRecord[]): Promise<void> {
  for (const { receiver, site, source, kind, about } of told)
    await sql`delete from calsync.alerts_told where receiver = ${receiver} and site = ${site} and source = ${source}
      and kind = ${kind} and about = ${about}`.execute(query);
}

/** The messages that receivers accepted in a period (epoch milliseconds). */
export async function acceptedBetween(
  query: Query,
  after: number,
  until: number,
): Promise<readonly Pick<NewDelivery, 'receiver' | 'kind'>[]> {
  const { rows } = await sql<Pick<NewDelivery, 'receiver' | 'kind'>>`select receiver, kind from calsync.deliveries
    where state = 'sent' and claimed_at > ${new Date(after)} and claimed_at <= ${new Date(until)}`.execute(query);
  return rows;
}

/**
 * By receiver, the number in the key of the last accepted message whose key begins with `key`, if the receiver has
 * accepted none since then whose key begins with `endKey`.
 */
export async function reportsWithoutEnd(
  query: Query,
  key: string,
  endKey: string,
): Promise<ReadonlyMap<string, number>> {
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

/** Why a receiver is left alone for now, and how often it has refused messages since it last accepted one. */
export interface ReceiverTrouble {
  readonly refusals: number;
  /** In epoch milliseconds; nothing is sent before then. */
  readonly until: number;
}

/**
 * Receivers that have refused messages since they last accepted one, or that another process is sending to. Messages
 * dated in the future come from a clock that was ahead, and are ignored.
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

/** Claims messages whose process died before it knew whether they were accepted. */
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

/** Gives up a message whose receiver no longer exists. */
export async function giveUpDelivery(query: Query, id: string, now: number): Promise<void> {
  await sql`update calsync.deliveries set state = 'given up', content = null, settled_at = ${new Date(now)} where id = ${id}`.execute(
    query,
  );
}

/** Gives up messages that were refused by receivers that are no longer configured. */
export async function giveUpUnconfigured(query: Query, named: readonly string[]): Promise<void> {
  await sql`update calsync.deliveries set state = 'given up', retry_at = null
    where state = 'refused' and kind <> 'letter' and receiver <> all(${[...named]}::text[])`.execute(query);
}

/** The day of the last digest, by receiver. */
export async function digestDays(query: Query): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ receiver: string; day: string }>`
    select receiver, max(substr(key, 8)) as day from calsync.deliveries where kind = 'digest' and state = 'sent' group by receiver`.execute(
    query,
  );
  return new Map(rows.map(({ receiver, day }) => [receiver, day]));
}

/** An entry in the log of messages. */
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

/** The messages sent, latest first, and their total number. */
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

/** A receiver that cannot be reached, for a person to look into. */
export interface Undelivered {
  readonly receiver: string;
  readonly address: string;
  readonly answer: string;
  readonly messages: number;
  readonly tries: number;
  /** When a message was first refused since the last accepted one. */
  readonly since: Date;
}

/**
 * Receivers that did not accept their last message. Letters to publishers do not count, because their sender sees the
 * answer.
 */
export async function undelivered(query: Query): Promise<readonly Undelivered[]> {
  const { rows } = await sql<Undelivered>`
    select receiver, (array_agg(address order by claimed_at desc))[1] as address, coalesce((array_agg(answer order by claimed_at desc))[1], '') as answer,
      count(*)::int as messages, sum(tries)::int as tries, min(claimed_at) as since
    from calsync.deliveries as one where state = 'refused' and kind <> 'letter' and claimed_at > coalesce(
      (select max(taken.claimed_at) from calsync.deliveries as taken where taken.receiver = one.receiver and taken.state = 'sent'), '-infinity')
    group by receiver order by min(claimed_at)`.execute(query);
  return rows;
}

/** The number of letters sent in the last 24 hours. */
export async function lettersOfDay(query: Query, now: number): Promise<number> {
  return rowOf(
    await sql<{ count: number }>`select count(*)::int as count from calsync.deliveries
      where kind = 'letter' and claimed_at > ${new Date(now - 86_400_000)}`.execute(query),
  ).count;
}

/** The messages to one receiver, latest first. */
export async function deliveriesTo(query: Query, receiver: string, limit: number): Promise<readonly DeliveryRecord[]> {
  const { rows } = await sql<DeliveryRecord>`select ${RECORD} from calsync.deliveries where receiver = ${receiver}
    order by claimed_at desc, id desc limit ${limit}`.execute(query);
  return rows;
}

/** Deletes log entries older than `before`. */
export async function cleanDeliveries(query: Query, before: Date): Promise<void> {
  await sql`delete from calsync.deliveries where claimed_at < ${before} and state <> 'sending'`.execute(query);
}
