import { printableJson } from '../../json.ts';
import type { FeedParser } from '../../run/parse/parse-pool.ts';
import type { Screen } from '../text/table.ts';

/** What a command may use of the terminal and the machine. Provided by main, and by tests for themselves. */
export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether a person is watching the error stream, so that progress is shown in a line that is redrawn. */
  readonly isTerminal: boolean;
  /** The width of that terminal in characters. */
  readonly columns?: () => number | undefined;
  /** The terminal behind standard output; absent if there is none. */
  readonly screen?: Screen;
  /** Asks the person at the terminal; undefined if the input ends. Absent if nobody can answer. */
  readonly ask?: (question: string) => Promise<string | undefined>;
  readonly now: () => number;
  /** Resolves when the program is asked to stop. */
  readonly stopped: Promise<void>;
  /** Calls the listener for each request to reload the configuration; returns a function that removes it. */
  readonly onReload?: (listener: () => void) => () => void;
  /** A parser that several commands share; without it, each command starts its own. */
  readonly parser?: FeedParser;
}

/** The exit codes of every command. */
export const EXIT = { done: 0, failed: 1, needsPerson: 2, wrongUse: 64 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The options of every command. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly config?: string;
}

export const printJson = (io: Io, value: unknown): void => io.out(`${printableJson(value, 2)}\n`);
