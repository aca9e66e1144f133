import { sql, type Queryable } from '../../db/database.ts';
import { DAY_MS } from '../../time.ts';

/** How long the page of a trashed event says what it was. */
const GONE_DAYS = 90;

/** An event that anybody could read until it was trashed. Its texts are as stored. */
export interface GoneEvent {
  readonly title: string;
  /** `2027-01-10 18:00:00` */
  readonly start: string;
  readonly language: string;
  readonly venues: readonly number[];
  readonly organizers: readonly number[];
  /** Epoch milliseconds. */
  readonly goneAt: number;
}

/**
 * Returns the event that had a slug, could be read by anybody and was trashed in the last 90 days; undefined if none.
 */
export async function goneEvent(db: Queryable, slug: string, now: number): Promise<GoneEvent | undefined> {
  const { rows } = await sql<Omit<GoneEvent, 'goneAt'> & { gone_at: Date }>`
    select title, to_char(start_wall, 'YYYY-MM-DD HH24:MI:SS') as start, language, venue_ids as venues,
      organizer_ids as organizers, gone_at from site.gone_events where slug = ${slug} and gone_at >= ${lastDay(now)}`.execute(
    db,
  );
  const [row] = rows;
  if (!row) return undefined;
  const { gone_at, ...event } = row;
  return { ...event, goneAt: gone_at.getTime() };
}

/** Forgets a trashed event that should never have been public. */
export const forgetGoneEvent = async (db: Queryable, slug: string): Promise<void> => {
  await sql`delete from site.gone_events where slug = ${slug}`.execute(db);
};

/** Forgets trashed events whose pages no longer say what they were. */
export const forgetGoneEvents = async (db: Queryable, now: number): Promise<void> => {
  await sql`delete from site.gone_events where gone_at < ${lastDay(now)}`.execute(db);
};

const lastDay = (now: number): Date => new Date(now - GONE_DAYS * DAY_MS);
