import type { Problem } from '../../problem.ts';
import type { Difference } from './difference.ts';

/** Who writes the file, and from where. */
export interface Writer {
  readonly name: string;
  readonly from: 'console' | 'command' | 'mail' | 'file';
  readonly address?: string;
}

/** What the history says of a change; without it, what differs. */
export interface AboutChange {
  readonly source?: string;
  readonly reason?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** What a text would be as the configuration file. */
export interface Checked {
  /** Why it cannot be used, each at its line; empty if it can. */
  readonly problems: readonly Problem[];
  /** What can be read but will not work, and what should be written differently. */
  readonly remarks: readonly Problem[];
  /** What it would change in what is in force; undefined if it cannot be used. */
  readonly difference: Difference | undefined;
}

/** The file as it is now. */
export interface FileNow extends Checked {
  /** Where it is. */
  readonly file: string;
  /** '' if it cannot be read. It may hold secrets: `maskSecrets` before it is shown. */
  readonly text: string;
  readonly hash: string;
  /** When it was written last, in epoch milliseconds. */
  readonly changedAt: number | undefined;
  /** Why this program cannot write it, as the end of a sentence; undefined if it can. */
  readonly readOnly: string | undefined;
}

/** What became of a request to write the file. */
export type Saved =
  | { readonly kind: 'saved'; readonly changes: string }
  /** It would not work: nothing was written. */
  | { readonly kind: 'broken'; readonly problems: readonly Problem[] }
  /** Somebody else has edited the file since it was read: nothing was written. */
  | { readonly kind: 'edited'; readonly text: string; readonly hash: string }
  | { readonly kind: 'read-only'; readonly reason: string };

/** With which version of the file this process works. */
export interface InThisProcess {
  readonly hash: string;
  readonly since: Date;
  /** Why it does not work with the file as it is; empty if it does, or has not looked yet. */
  readonly problems: readonly Problem[];
  readonly problemsSince: Date | null;
  readonly restart: readonly string[];
}

/** The configuration file as pages work with it. */
export interface ConfigStore {
  readonly read: () => Promise<FileNow>;
  readonly check: (text: string) => Checked;
  /** Writes a text that can be used, if the file still has the bytes with the hash `expected`, and takes it over. */
  readonly save: (text: string, expected: string, by: Writer, about?: AboutChange) => Promise<Saved>;
  /** Has the file read at once. */
  readonly load: () => Promise<InThisProcess>;
  readonly state: () => InThisProcess;
}
