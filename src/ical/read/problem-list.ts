import type { FeedCode } from '../../feed-codes.ts';
import { furtherProblems, REPORTED_PER_CODE, type Problem, type Where } from '../../problem.ts';

/**
 * Collects problems during reading, but per code only as many as are reported: a hostile feed may have one on each
 * line.
 */
export interface ProblemList {
  add(code: FeedCode, message: string, where?: Where): void;
  all(): readonly Problem[];
}

/** The UIDs of events whose problems are only counted, not listed; null stands for any other place. */
export type OnlyCounted = Set<string | null>;

/** Makes an empty list. */
export function problemList(onlyCounted?: OnlyCounted): ProblemList {
  const problems: Problem[] = [];
  const counts = new Map<FeedCode, number>();
  return {
    add(code, message, where = {}) {
      const count = (counts.get(code) ?? 0) + 1;
      counts.set(code, count);
      if (count <= REPORTED_PER_CODE) problems.push({ code, message, where });
      else onlyCounted?.add(where.uid ?? null);
    },
    all: () => [...problems, ...furtherProblems(counts)],
  };
}
