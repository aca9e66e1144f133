/** The number of sources, their behaviour, and the sites they are written to. */
export interface Load {
  readonly sources: number;
  readonly sites: number;
  readonly everyMs: number;
  /**
   * Which share of the reads finds a change (0 to 1), and how many requests to the site that takes: reads, then writes.
   */
  readonly changed: number;
  readonly siteReads: number;
  readonly siteWrites: number;
  readonly siteMs: number;
  /** How many concurrent writes a site accepts. */
  readonly siteLimit: number;
  /** How long publishers take to answer: shares of the sources with their milliseconds. */
  readonly publishers: readonly (readonly [share: number, ms: number])[];
}

/** The machines that carry the load. */
export interface Machines {
  readonly workers: number;
  /** CPU cores for the programs and for the database. */
  readonly programCores: number;
  readonly databaseCores: number;
}

/** Measured costs: milliseconds of a core, kilobytes, and counts. */
export interface Costs {
  readonly unchangedProgramMs: number;
  readonly unchangedDatabaseMs: number;
  readonly changedProgramMs: number;
  readonly changedDatabaseMs: number;
  readonly startMs: number;
  readonly startMsOfSource: number;
  readonly memoryMb: number;
  readonly memoryKbOfSource: number;
  readonly rowKb: number;
  readonly sourceKb: number;
  readonly keptDays: number;
  /** How many sources a worker can fetch at a time, and how many it can read and plan. */
  readonly fetchesAtOnce: number;
  readonly readsAtOnce: number;
}

export type Part = 'fetches' | 'reads' | 'programs' | 'database' | 'sites';
const PARTS: readonly Part[] = ['fetches', 'reads', 'programs', 'database', 'sites'];

/** The result of a simulation. */
export interface Scaled {
  /**
   * The number of runs that started in the second interval, and which share of them was more than a minute late (0 to
   * 1).
   */
  readonly runs: number;
  readonly late: number;
  readonly latestMs: number;
  /** The average usage of each part (0 to 1); for sites, that of the busiest one. */
  readonly usage: Readonly<Record<Part, number>>;
  readonly busiest: Part;
  readonly readyMs: number;
  readonly memoryMbOfWorker: number;
  readonly runRows: number;
  readonly databaseMb: number;
  /** The expected number of pairs of source names that share a four-character key on one site. */
  readonly equalNames: number;
}

const LATE_MS = 60_000;
const NAMES = 32 ** 4;

/** Simulates a load for two intervals and measures the second one, because the first one begins idle. */
export function simulate(load: Load, machines: Machines, costs: Costs): Scaled {
  const clock = makeClock();
  const parts: Readonly<Record<Exclude<Part, 'sites'>, Place>> = {
    fetches: makePlace(clock, machines.workers * costs.fetchesAtOnce),
    reads: makePlace(clock, machines.workers * costs.readsAtOnce),
    // A program's event loop is a single thread.
    programs: makePlace(clock, Math.min(machines.workers, machines.programCores)),
    database: makePlace(clock, machines.databaseCores),
  };
  const sites = Array.from({ length: load.sites }, () => makePlace(clock, load.siteLimit));
  const lates: number[] = [];
  const random = seeded(1);
  const begin = (source: number, dueAt: number): void => {
    const [ms, isChanged] = [publisherMs(load, random()), random() < load.changed];
    const site = sites[source % load.sites] as Place;
    parts.fetches.take((leave) => {
      if (dueAt >= load.everyMs) lates.push(clock.now() - dueAt);
      parts.programs.use(costs.unchangedProgramMs, () =>
        parts.database.use(costs.unchangedDatabaseMs, () =>
          clock.after(ms, () => (isChanged ? read(site, leave) : leave())),
        ),
      );
    });
  };
  const read = (site: Place, leave: () => void): void =>
    parts.reads.take((leaveReads) =>
      clock.after(load.siteReads * load.siteMs, () =>
        parts.programs.use(costs.changedProgramMs, () =>
          parts.database.use(costs.changedDatabaseMs, () => {
            leaveReads();
            leave();
            for (let write = 0; write < load.siteWrites; write += 1) site.use(load.siteMs, () => undefined);
          }),
        ),
      ),
    );
  for (let source = 0; source < load.sources; source += 1) {
    const offset = random() * load.everyMs;
    for (const interval of [0, 1]) {
      const dueAt = offset + interval * load.everyMs;
      clock.at(dueAt, () => begin(source, dueAt));
    }
  }
  clock.run(2 * load.everyMs);
  const usage = {
    ...mapParts(parts, (place) => place.usedMs() / (2 * load.everyMs)),
    sites: sites.reduce((most, place) => Math.max(most, place.usedMs()), 0) / (2 * load.everyMs),
  };
  return {
    runs: lates.length,
    // Runs that have not started by the end are late as well.
    late: (lates.filter((ms) => ms > LATE_MS).length + load.sources - lates.length) / load.sources,
    latestMs: lates.reduce((most, ms) => Math.max(most, ms), 0),
    usage,
    busiest: PARTS.toSorted((one, other) => usage[other] - usage[one])[0] as Part,
    ...still(load, costs),
  };
}

/** The part of the result that depends on the number of sources alone. */
function still(
  { sources, sites, everyMs, changed }: Load,
  costs: Costs,
): Pick<Scaled, 'readyMs' | 'memoryMbOfWorker' | 'runRows' | 'databaseMb' | 'equalNames'> {
  const runsOfDay = Math.max(1, 86_400_000 / everyMs);
  // Each changed run has a row, and so has each sequence of unchanged runs between two of them.
  const rowsOfDay = Math.min(runsOfDay, 1 + 2 * changed * runsOfDay);
  const runRows = Math.round(sources * costs.keptDays * rowsOfDay);
  const ofSite = sources / sites;
  return {
    readyMs: costs.startMs + sources * costs.startMsOfSource,
    memoryMbOfWorker: costs.memoryMb + (sources * costs.memoryKbOfSource) / 1000,
    runRows,
    databaseMb: (runRows * costs.rowKb + sources * costs.sourceKb) / 1000,
    equalNames: (sites * ofSite * (ofSite - 1)) / 2 / NAMES,
  };
}

function publisherMs({ publishers }: Load, chance: number): number {
  let left = chance;
  for (const [share, ms] of publishers) {
    if (left < share) return ms;
    left -= share;
  }
  return publishers.at(-1)?.[1] ?? 0;
}

function mapParts<K extends string, T>(parts: Readonly<Record<K, Place>>, of: (place: Place) => T): Record<K, T> {
  return Object.fromEntries(Object.entries<Place>(parts).map(([name, place]) => [name, of(place)])) as Record<K, T>;
}

interface Clock {
  readonly now: () => number;
  readonly at: (time: number, act: () => void) => void;
  readonly after: (ms: number, act: () => void) => void;
  /** Runs everything that is due until then, in order of time. */
  readonly run: (until: number) => void;
}

function makeClock(): Clock {
  const heap: { readonly time: number; readonly act: () => void }[] = [];
  let time = 0;
  const swap = (one: number, other: number): void => {
    [heap[one], heap[other]] = [heap[other] as (typeof heap)[number], heap[one] as (typeof heap)[number]];
  };
  const timeAt = (index: number): number => heap[index]?.time ?? Number.POSITIVE_INFINITY;
  const at: Clock['at'] = (when, act) => {
    let index = heap.push({ time: when, act }) - 1;
    for (let above = (index - 1) >> 1; index > 0 && timeAt(above) > when; above = (index - 1) >> 1) {
      swap(index, above);
      index = above;
    }
  };
  const next = (): (typeof heap)[number] | undefined => {
    const last = heap.length - 1;
    if (last > 0) swap(0, last);
    const first = heap.pop();
    for (let index = 0; ;) {
      const below = timeAt(2 * index + 2) < timeAt(2 * index + 1) ? 2 * index + 2 : 2 * index + 1;
      if (timeAt(below) >= timeAt(index)) return first;
      swap(index, below);
      index = below;
    }
  };
  return {
    now: () => time,
    at,
    after: (ms, act) => at(time + ms, act),
    run: (until) => {
      while (timeAt(0) <= until) {
        const first = next();
        time = first?.time ?? time;
        first?.act();
      }
    },
  };
}

/** A resource with a fixed number of places and a first-come, first-served queue. */
interface Place {
  readonly take: (act: (leave: () => void) => void) => void;
  readonly use: (ms: number, then: () => void) => void;
  /** For how long a place was in use, on average. */
  readonly usedMs: () => number;
}

function makePlace(clock: Clock, size: number): Place {
  // The queue's head is an index, because `shift` takes linear time on a long array.
  const waiting: ((leave: () => void) => void)[] = [];
  let [free, gone, used] = [size, 0, 0];
  const enter = (act: (leave: () => void) => void): void => {
    const from = clock.now();
    act(() => {
      used += clock.now() - from;
      const next = waiting[gone];
      if (next === undefined) {
        free += 1;
        return;
      }
      gone += 1;
      enter(next);
    });
  };
  const take: Place['take'] = (act) => {
    if (free === 0) return void waiting.push(act);
    free -= 1;
    enter(act);
  };
  return {
    take,
    use: (ms, then) =>
      take((leave) =>
        clock.after(ms, () => {
          leave();
          then();
        }),
      ),
    usedMs: () => used / size,
  };
}

/** Random numbers from 0 to 1, always the same for a seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    const more = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((more ^ (more >>> 14)) >>> 0) / 4_294_967_296;
  };
}
