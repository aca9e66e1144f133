import type { Queryable } from '../../../db/database.ts';
import { goneEvent, type GoneEvent } from '../../store/former-events.ts';

/** Where an event was read from. */
export interface Origin {
  /** The source, as its operator calls it. */
  readonly name: string;
  /** The host of its address; undefined for files, and for what is no public address. */
  readonly host?: string | undefined;
  /** When it was last read without a fault, in epoch milliseconds. */
  readonly readAt: number | undefined;
  /**
   * When its series has it begin, by the clock of the series: `2027-01-10 18:00:00`, `2027-01-10` for whole days. That
   * is another time where its feed has moved it.
   */
  readonly usualStart?: string | undefined;
}

/** What pages tell besides what the interface answers: asked only about events that anybody may read there, or could. */
export interface Beyond {
  /** The event that had a slug and was taken off. */
  readonly goneEvent: (slug: string) => Promise<GoneEvent | undefined>;
  readonly originOf: (slug: string) => Promise<Origin | undefined>;
}

/** Answers from the tables of the site; `originOf` is told by whoever reads the sources. */
export const beyondOf = (db: Queryable, now: () => number, originOf: Beyond['originOf']): Beyond => ({
  goneEvent: (slug) => goneEvent(db, slug, now()),
  originOf,
});
