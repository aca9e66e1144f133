/** Lists that grow by hundreds of items while a run creates venues and organizers. */
export type GrowingList = 'venues' | 'organizers';

/** The items of a list when it was last read, without what they say. */
export interface ListedNames {
  readonly ids: ReadonlySet<number>;
  /** Their names, in a form in which names that count as the same are equal. */
  readonly names: ReadonlySet<string>;
}

/** The lists of its site that a run has read in this process, so that later batches only read what has been added. */
export interface ListedByRuns {
  readonly of: (run: string, list: GrowingList) => ListedNames | undefined;
  readonly keep: (run: string, list: GrowingList, listed: ListedNames) => void;
  readonly forget: (run: string) => void;
}

/** A run may end in another process, so only the latest ones are kept. */
const RUNS_MAX = 8;

/** Keeps the lists of the latest runs. */
export function makeListedByRuns(): ListedByRuns {
  const runs = new Map<string, Map<GrowingList, ListedNames>>();
  return {
    of: (run, list) => runs.get(run)?.get(list),
    keep: (run, list, listed) => {
      const lists = runs.get(run) ?? new Map<GrowingList, ListedNames>();
      runs.delete(run);
      runs.set(run, lists.set(list, listed));
      const [oldest] = runs.keys();
      if (runs.size > RUNS_MAX && oldest !== undefined) runs.delete(oldest);
    },
    forget: (run) => {
      runs.delete(run);
    },
  };
}
