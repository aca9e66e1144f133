import { sql, type Queryable } from '../db/database.ts';
import { DAY_MS } from '../time.ts';
import type { OwnSource } from './links.ts';
import { startOf } from '../html/shortened.ts';

/** What a publisher says about the way their events are shown. */
export interface PublisherAnswer {
  readonly at: Date;
  readonly isRight: boolean;
  readonly text: string;
}

export const ANSWER_TEXT_MAX = 2000;
const ANSWERS_KEPT = 50;
const ANSWERS_A_DAY = 20;

/** Stores an answer. False if there were too many in a day: somebody may be playing with the link. */
export async function storeAnswer(
  query: Queryable,
  { site, source }: OwnSource,
  isRight: boolean,
  text: string,
  now: number,
): Promise<boolean> {
  const { rows } = await sql`insert into calsync.publisher_answers (site, source, at, is_right, text)
    select ${site}, ${source}, ${new Date(now)}, ${isRight}, ${startOf(text.trim(), ANSWER_TEXT_MAX)}
    where (select count(*) from calsync.publisher_answers where site = ${site} and source = ${source}
      and at > ${new Date(now - DAY_MS)}) < ${ANSWERS_A_DAY} returning id`.execute(query);
  await sql`delete from calsync.publisher_answers where site = ${site} and source = ${source} and id not in (
    select id from calsync.publisher_answers where site = ${site} and source = ${source} order by id desc limit ${ANSWERS_KEPT})`.execute(
    query,
  );
  return rows.length > 0;
}

/** The answers about a source, the latest first; the last fifty are kept. */
export async function listAnswers(query: Queryable, { site, source }: OwnSource): Promise<readonly PublisherAnswer[]> {
  const { rows } = await sql<PublisherAnswer>`select at, is_right as "isRight", text from calsync.publisher_answers
    where site = ${site} and source = ${source} order by id desc`.execute(query);
  return rows;
}

/** A feed has few people behind it: somebody who gives more addresses is playing with the link. */
const STOPS_MAX = 100;

/** Records that an address wants no more letters about a source. False if too many addresses have asked for this. */
export async function stopLetters(
  query: Queryable,
  { site, source }: OwnSource,
  address: string,
  now: number,
): Promise<boolean> {
  const own = { site, source };
  await sql`insert into calsync.publisher_stops (site, source, address, at)
    select ${site}, ${source}, ${address.toLowerCase()}, ${new Date(now)}
    where (select count(*) from calsync.publisher_stops where site = ${site} and source = ${source}) < ${STOPS_MAX}
    on conflict do nothing`.execute(query);
  return (await lettersStopped(query, own, address)) !== null;
}

/** When an address asked for no more letters about a source; null if it did not. */
export async function lettersStopped(
  query: Queryable,
  { site, source }: OwnSource,
  address: string,
): Promise<Date | null> {
  const { rows } = await sql<{ at: Date }>`select at from calsync.publisher_stops
    where site = ${site} and source = ${source} and address = ${address.toLowerCase()}`.execute(query);
  return rows[0]?.at ?? null;
}
