import type { Problem } from '../../problem.ts';

/** The result of a test, and any problems. */
export interface Finding {
  readonly found: string;
  /** Things that work but are worth a look. */
  readonly remarks?: readonly string[];
  readonly facts: Readonly<Record<string, unknown>>;
  readonly problems: readonly Problem[];
}
