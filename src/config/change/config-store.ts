import type { Problem } from '../../problem.ts';
import type { Difference } from './difference.ts';

/** Who writes the file, and from where. */
export interface Writer {
  readonly name: string;
  readonly from: 'console' | 'command' | 'mail' | 'file';
  readonly address?: string;
}

/** How the history describes a change; by default, by what differs. */
export interface AboutChange {
  readonly source?: string;
  readonly reason?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The result of checking a text as the configuration file. */
export interface Checked {
  /** Why it cannot be used, each with its line; empty if it can. */
  readonly problems: readonly Problem[];
  /** What is valid but will not work, and what should be written differently. */
  readonly remarks: readonly Problem[];
  /** How it differs from the configuration in force; undefined if it cannot be used. */
  readonly difference: Difference | undefined;
}

/** The file as it is now. */
export interface FileNow extends Checked {
  /** Its path. */
  readonly file: string;
  /** '' if it cannot be read. May contain secrets, so use `maskSecrets` before showing it. */
  readonly text: string;
  readonly hash: string;
  /** When it was last written (epoch milliseconds). */
  readonly changedAt: number | undefined;
  /** Why this program cannot write it, worded as the end of a sentence; undefined if it can. */
  readonly readOnly: string | undefined;
}

/** The result of a request to write the file. */
export type Saved =
  | { readonly kind: 'saved'; readonly changes: string }
  /** The text would not work, so nothing was written. */
  | { readonly kind: 'broken'; readonly problems: readonly Problem[] }
  /** Someone else has edited the file since it was read, so nothing was written. */
  | { readonly kind: 'edited'; readonly text: string; readonly hash: string }
  | { readonly kind: 'read-only'; readonly reason: string };

/** The version of the file that this process uses. */
export interface InThisProcess {
  readonly hash: string;
  readonly since: Date;
  /** Why it does not use the file's current version; empty if it does, or has not looked yet. */
  readonly problems: readonly Problem[];
  readonly problemsSince: Date | null;
  readonly restart: readonly string[];
}

/** The configuration file, as pages use it. */
export interface ConfigStore {
  readonly read: () => Promise<FileNow>;
  readonly check: (text: string) => Checked;
  /** Writes a valid text and puts it into force, if the file's bytes still have the hash `expected`. */
  readonly save: (text: string, expected: string, by: Writer, about?: AboutChange) => Promise<Saved>;
  /** Reads the file now. */
  readonly load: () => Promise<InThisProcess>;
  readonly state: () => InThisProcess;
}
