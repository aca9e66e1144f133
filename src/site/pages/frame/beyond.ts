import type { Queryable } from '../../../db/database.ts';
import { goneEvent, type GoneEvent } from '../../store/former-events.ts';

/** The source from which an event was read. */
export interface Origin {
  /** The source's name, as given by its operator. */
  readonly name: string;
  /** The host of its address; undefined for files and for non-public addresses. */
  readonly host?: string | undefined;
  /** When it was last read successfully, in epoch milliseconds. */
  readonly readAt: number | undefined;
  /**
   * The start according to its series, in the series' zone: `2027-01-10 18:00:00`, or `2027-01-10` for all-day events.
   * Differs from the actual start if the feed has moved the event.
   */
  readonly usualStart?: string | undefined;
}

/**
 * What pages show beyond the interface's answers. Only asked about events that are public in the interface, or were.
 */
export interface Beyond {
  /** The trashed event that had a slug. */
  readonly goneEvent: (slug: string) => Promise<GoneEvent | undefined>;
  readonly originOf: (slug: string) => Promise<Origin | undefined>;
}

/** Answers from the site's tables; `originOf` is supplied by the program that reads the sources. */
export const beyondOf = (db: Queryable, now: () => number, originOf: Beyond['originOf']): Beyond => ({
  goneEvent: (slug) => goneEvent(db, slug, now()),
  originOf,
});
