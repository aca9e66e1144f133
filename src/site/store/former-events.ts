import { sql, type Queryable } from '../../db/database.ts';
import { DAY_MS } from '../../time.ts';

/** How long the page of an event that was taken off says what it was. */
const GONE_DAYS = 90;

/** An event that everybody could read until it was taken off. Its texts are as they are stored. */
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

/** The event that had a slug and was taken off in the last 90 days; undefined for none that everybody could read. */
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

/** Forgets what an event was that should never have been told of. */
export const forgetGoneEvent = async (db: Queryable, slug: string): Promise<void> => {
  await sql`delete from site.gone_events where slug = ${slug}`.execute(db);
};

/** Forgets those of which nothing is said any more. */
export const forgetGoneEvents = async (db: Queryable, now: number): Promise<void> => {
  await sql`delete from site.gone_events where gone_at < ${lastDay(now)}`.execute(db);
};

const lastDay = (now: number): Date => new Date(now - GONE_DAYS * DAY_MS);
