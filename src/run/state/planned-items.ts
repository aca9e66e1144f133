import type { Stage } from '../../sync/model/plan.ts';
import type { BatchName, Item, StoredBatch } from './batches.ts';

/** The approximate size of the plan for 10,000 events as JSON, which is a fraction of what planning needs. */
const CHARACTERS_MAX = 25_000_000;

/**
 * The items of batches that this process has just stored. They do not change in the database, so that the process need
 * not read and parse them again to write them; a process that did not plan the run does.
 */
export interface PlannedItems {
  /** Keeps as many batches of a run as there is room for. */
  readonly keep: (run: string, batches: readonly StoredBatch[]) => void;
  readonly of: (batch: BatchName) => readonly Item[] | undefined;
  /** Forgets a finished batch, or a whole run. */
  readonly forget: (run: string, batch?: Pick<BatchName, 'stage' | 'number'>) => void;
}

/** Keeps items of at most this many characters in all; those of earlier runs only if there is room left. */
export function makePlannedItems(charactersMax = CHARACTERS_MAX): PlannedItems {
  const runs = new Map<string, Map<string, StoredBatch>>();
  return {
    keep: (run, batches) => {
      const kept = new Map<string, StoredBatch>();
      let left = charactersMax;
      for (const batch of batches.filter(({ isExact }) => isExact)) {
        left -= batch.characters;
        if (left < 0) break;
        kept.set(nameOf(batch), batch);
      }
      for (const [earlier, own] of [...runs].toReversed()) {
        left -= sum(own.values());
        if (left < 0) runs.delete(earlier);
      }
      runs.set(run, kept);
    },
    of: (batch) => runs.get(batch.run)?.get(nameOf(batch))?.items,
    forget: (run, batch) => {
      const own = runs.get(run);
      if (batch) own?.delete(nameOf(batch));
      if (!batch || own?.size === 0) runs.delete(run);
    },
  };
}

const sum = (batches: Iterable<StoredBatch>): number =>
  [...batches].reduce((all, { characters }) => all + characters, 0);

const nameOf = ({ stage, number }: { readonly stage: Stage; readonly number: number }): string => `${stage}/${number}`;
