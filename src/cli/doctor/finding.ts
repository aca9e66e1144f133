import type { Problem } from '../../problem.ts';

/** What a test has found, and what is wrong. */
export interface Finding {
  readonly found: string;
  /** What is worth a look, although it works. */
  readonly remarks?: readonly string[];
  readonly facts: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
}
