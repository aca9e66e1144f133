/** How many sources there are, what they are like, and the sites that they are written to. */
export interface Load {
  readonly sources: number;
  readonly sites: number;
  readonly everyMs: number;
  /** How many of the reads find a change, 0 to 1, and how many requests that costs at the site: reads, then writes. */
  readonly changed: number;
  readonly siteReads: number;
  readonly siteWrites: number;
  readonly siteMs: number;
  /** How many writes a site takes at once. */
  readonly siteLimit: number;
  /** How long publishers take: each share of the sources with its milliseconds. */
  readonly publishers: readonly (readonly [share: number, ms: number])[];
}

/** What carries the load. */
export interface Machines {
  readonly workers: number;
  /** Cores for the programs, and for the database. */
  readonly programCores: number;
  readonly databaseCores: number;
}

/** Milliseconds of a core, kilobytes and counts, as measured. */
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
  /** Places of a worker for sources that are being fetched, and for those that are being read and planned. */
  readonly fetchesAtOnce: number;
  readonly readsAtOnce: number;
}

export type Part = 'fetches' | 'reads' | 'programs' | 'database' | 'sites';
const PARTS: readonly Part[] = ['fetches', 'reads', 'programs', 'database', 'sites'];

/** What came of it. */
export interface Scaled {
  /** Runs that began in the second interval, and how many of them more than a minute late, 0 to 1. */
  readonly runs: number;
  readonly late: number;
  readonly latestMs: number;
  /** How much of each part was in use on average, 0 to 1; of the sites the one with the most. */
  readonly usage: Readonly<Record<Part, number>>;
  readonly busiest: Part;
  readonly readyMs: number;
  readonly memoryMbOfWorker: number;
  readonly runRows: number;
  readonly databaseMb: number;
  /** Pairs of names with the same four characters on one site, to be expected. */
  readonly equalNames: number;
}

const LATE_MS = 60_000;
const NAMES = 32 ** 4;

/** Carries a load for two intervals, of which the second one counts: the first begins with nothing under way. */
export function simulate(load: Load, machines: Machines, costs: Costs): Scaled {
  const clock = makeClock();
  const parts: Readonly<Record<Exclude<Part, 'sites'>, Place>> = {
    fetches: makePlace(clock, machines.workers * costs.fetchesAtOnce),
    reads: makePlace(clock, machines.workers * costs.readsAtOnce),
    // The event loop of a program is one thread.
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
    // What has not begun by the end is late, too.
    late: (lates.filter((ms) => ms > LATE_MS).length + load.sources - lates.length) / load.sources,
    latestMs: lates.reduce((most, ms) => Math.max(most, ms), 0),
    usage,
    busiest: PARTS.toSorted((one, other) => usage[other] - usage[one])[0] as Part,
    ...still(load, costs),
  };
}

/** What there is without anything happening. */
function still(
  { sources, sites, everyMs, changed }: Load,
  costs: Costs,
): Pick<Scaled, 'readyMs' | 'memoryMbOfWorker' | 'runRows' | 'databaseMb' | 'equalNames'> {
  const runsOfDay = Math.max(1, 86_400_000 / everyMs);
  // Each changed run has a row, and so has what comes unchanged between two of them.
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
  /** Does what is due until then, in the order of time. */
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

/** Something that only so many can be at, one after the other in the order in which they came. */
interface Place {
  readonly take: (act: (leave: () => void) => void) => void;
  readonly use: (ms: number, then: () => void) => void;
  /** How long one of its places was in use, on average over all of them. */
  readonly usedMs: () => number;
}

function makePlace(clock: Clock, size: number): Place {
  // Those who wait are taken from the front by counting: shifting a long list would take its length each time.
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

/** Numbers from 0 to 1 that are the same each time (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    const more = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((more ^ (more >>> 14)) >>> 0) / 4_294_967_296;
  };
}
