import type { FeedCode } from '../../feed-codes.ts';
import { furtherProblems, REPORTED_PER_CODE, type Problem, type Where } from '../../problem.ts';

/** Collects problems while reading, and no more of each code than are reported: a hostile feed has one in each line. */
export interface ProblemList {
  add(code: FeedCode, message: string, where?: Where): void;
  all(): readonly Problem[];
}

/** The UIDs of events whose problems are only counted; null stands for any other place. */
export type OnlyCounted = Set<string | null>;

/** An empty list. */
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
