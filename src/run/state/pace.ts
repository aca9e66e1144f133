import { turns } from '../../client/turns.ts';

/** A site as far as its pace goes. */
interface PacedSite {
  readonly key: string;
  readonly requestsInFlight: number;
}

/** A site has asked to be left alone until then (epoch milliseconds), and why. */
export interface Rest {
  readonly until: number;
  readonly because: string;
}

/** A reading holds a feed's events and the site's beside each other: few at once keep memory bounded. */
export const READS_AT_ONCE = 2;

/**
 * How fast this process reads its feeds and writes to each of its sites: so many batches at a time as the configuration
 * allows, and none
 * while the site asks to be left alone. All runs of a process share one.
 */
export interface Pace {
  /**
   * Does `work` when fewer than `requests_in_flight` others of this process are at the site; first come, first served.
   */
  readonly inTurn: <T>(site: PacedSite, work: () => Promise<T>) => Promise<T>;
  /** Does `work`, which reads a source, when fewer than READS_AT_ONCE others are being read. */
  readonly reading: <T>(work: () => Promise<T>) => Promise<T>;
  /** The rest that a site wants right now. */
  readonly restOf: (site: PacedSite) => Rest | undefined;
  /** Notes that a site wants to be left alone for so many milliseconds from now. */
  readonly giveRest: (site: PacedSite, ms: number, because: string) => void;
  /** Ends a rest that was waited for. */
  readonly endRest: (site: PacedSite, rest: Rest) => void;
}

/** The pace of a process that has not written anything yet. */
export function makePace(): Pace {
  const queues = new Map<string, ReturnType<typeof turns>>();
  const rests = new Map<string, Rest>();
  const reads = turns(READS_AT_ONCE);
  return {
    reading: (work) => reads('', work),
    inTurn: ({ key, requestsInFlight }, work) => {
      const queue = queues.get(key) ?? turns(requestsInFlight);
      queues.set(key, queue);
      return queue(key, work);
    },
    restOf: ({ key }) => {
      const rest = rests.get(key);
      return rest && rest.until > Date.now() ? rest : undefined;
    },
    giveRest: ({ key }, ms, because) => {
      const until = Math.max(Date.now() + ms, rests.get(key)?.until ?? 0);
      rests.set(key, { until, because });
    },
    endRest: ({ key }, rest) => {
      if (rests.get(key) === rest) rests.delete(key);
    },
  };
}
