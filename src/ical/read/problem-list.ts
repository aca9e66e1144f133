import type { FeedCode } from '../../feed-codes.ts';
import type { Problem, Where } from '../../problem.ts';

const REPORTED_PER_CODE = 50;

/**
 * Collects problems while reading: up to 50 of each code are kept, the rest are only counted, so that a hostile feed
 * cannot flood a report.
 */
export interface ProblemList {
  add(code: FeedCode, message: string, where?: Where): void;
  all(): readonly Problem[];
}

export function problemList(): ProblemList {
  const problems: Problem[] = [];
  const counts = new Map<FeedCode, number>();
  return {
    add(code, message, where = {}) {
      const count = (counts.get(code) ?? 0) + 1;
      counts.set(code, count);
      if (count <= REPORTED_PER_CODE) problems.push({ code, message, where });
    },
    all() {
      const more = [...counts]
        .filter(([, count]) => count > REPORTED_PER_CODE)
        .map(([code, count]): Problem => ({
          code,
          message: `${count - REPORTED_PER_CODE} more problems of the kind "${code}".`,
          where: {},
        }));
      return [...problems, ...more];
    },
  };
}

/** How many further problems of its kind an entry only counts; 0 for an ordinary entry. */
export const furtherCount = ({ message, where }: Problem): number =>
  Object.keys(where).length > 0 ? 0 : Number(/^(\d+) more problems of the kind "/.exec(message)?.[1] ?? 0);
