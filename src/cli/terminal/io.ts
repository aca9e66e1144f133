import { printableJson } from '../../json.ts';
import type { FeedParser } from '../../run/parse/parse-pool.ts';
import type { Screen } from '../text/table.ts';

/** What a command may use of the terminal and the machine; main provides it, and tests provide their own. */
export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether a person is watching the error stream, and so gets progress in a line that is written anew. */
  readonly isTerminal: boolean;
  /** The width of that terminal, in characters. */
  readonly columns?: () => number | undefined;
  /** What is known of where the standard output goes; without it that is no terminal. */
  readonly screen?: Screen;
  /** Asks the person at the terminal; undefined when the input ends. Only where somebody can answer. */
  readonly ask?: (question: string) => Promise<string | undefined>;
  readonly now: () => number;
  /** Resolves when the program is asked to stop. */
  readonly stopped: Promise<void>;
  /** Calls the listener at each request to read the configuration again; returns a function that removes it. */
  readonly onReload?: (listener: () => void) => () => void;
  /** Reads feeds for several commands; where there is none, each starts its own. */
  readonly parser?: FeedParser;
}

/** The exit codes of every command. */
export const EXIT = { done: 0, failed: 1, needsPerson: 2, wrongUse: 64 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Options that every command has. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly config?: string;
}

export const printJson = (io: Io, value: unknown): void => io.out(`${printableJson(value, 2)}\n`);
