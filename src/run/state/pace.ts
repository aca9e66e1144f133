import { turns } from '../../client/turns.ts';

/** The part of a site's setup that pacing needs. */
interface PacedSite {
  readonly key: string;
  readonly requestsInFlight: number;
}

/** Until when a site asks not to be called (epoch milliseconds), and why. */
export interface SitePause {
  readonly until: number;
  readonly because: string;
}

/** Fetching a feed is mostly waiting for its publisher, so several sources do it at once. */
export const FETCHES_AT_ONCE = 8;
/** A reading keeps the events of a feed and of the site in memory together, so only a few run at once. */
const READS_AT_ONCE = 2;

/**
 * Limits how many feeds this process fetches and reads at once, and how many batches it writes to each site at once: as
 * configured, and none while the site asks us to wait. Shared by all runs of a process.
 */
export interface Pace {
  /**
   * Runs `work` when fewer than `requests_in_flight` others of this process are at the site, first come, first served.
   */
  readonly inTurn: <T>(site: PacedSite, work: () => Promise<T>) => Promise<T>;
  /** Runs `work`, which fetches a source and may read it, when fewer than FETCHES_AT_ONCE others are doing so. */
  readonly fetching: <T>(work: () => Promise<T>) => Promise<T>;
  /** Runs `work`, which reads what was fetched, when fewer than READS_AT_ONCE others are doing so. */
  readonly reading: <T>(work: () => Promise<T>) => Promise<T>;
  /** The rest that a site is asking for, if any. */
  readonly restOf: (site: PacedSite) => SitePause | undefined;
  /** Records that a site asks to be left alone for `ms` milliseconds from now. */
  readonly giveRest: (site: PacedSite, ms: number, because: string) => void;
  /** Ends a rest that has been waited for. */
  readonly endRest: (site: PacedSite, rest: SitePause) => void;
}

/** Makes the pace for a process that has just started. */
export function makePace(): Pace {
  const queues = new Map<string, ReturnType<typeof turns>>();
  const rests = new Map<string, SitePause>();
  const [fetches, reads] = [turns(FETCHES_AT_ONCE), turns(READS_AT_ONCE)];
  return {
    fetching: (work) => fetches('', work),
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
