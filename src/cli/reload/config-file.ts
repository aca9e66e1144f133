import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { AboutChange, Checked, ConfigStore } from '../../config/change/config-store.ts';
import { differenceInWords, differenceOf, isNoDifference, type Difference } from '../../config/change/difference.ts';
import { hashOf, whyReadOnly, writeConfigFile } from '../../config/change/write-file.ts';
import type { Environment } from '../../config/environment.ts';
import { readConfig, unreadable, type Config, type LoadedConfig } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { readWhole } from '../../files/read-whole.ts';
import { recordAct, type Actor } from '../../run/watch/acts.ts';
import { keepVersion } from '../../run/watch/config-versions.ts';

/** What is needed to work with the file. */
export interface FileParts {
  readonly database: Database;
  /** The name of the file as given. */
  readonly name: string;
  readonly env?: Environment | undefined;
  /** The configuration that a text is compared with; undefined if none is known to be in force. */
  readonly inForce: () => Config | undefined;
}

/** How the history describes a change. */
export const changesInWords = (difference: Difference): string =>
  isNoDifference(difference) ? 'only comments and spacing' : differenceInWords(difference);

/**
 * Stores a version of the file and, if it changes something, records the change as an act. Returns the version's
 * number.
 */
export function keepFile(
  database: Database,
  bytes: Buffer,
  by: Actor,
  difference?: Difference,
  about?: AboutChange,
): Promise<number> {
  const changes = difference ? changesInWords(difference) : '';
  return keepVersion(database, { bytes, hash: hashOf(bytes), by, changes }, async (query) => {
    if (!difference || isNoDifference(difference)) return;
    await recordAct(query, by, { kind: 'configure', ...about, details: { changes, ...about?.details } });
  });
}

/**
 * Reads the file's bytes for a running program. An empty file usually means a full disk or an interrupted editor, so it
 * counts as a problem and takes nothing out of force.
 */
export function readWhileRunning(name: string, bytes: Buffer, env?: Environment): LoadedConfig {
  const loaded = readConfig(name, bytes, env);
  const empty = loaded.doubts.find(({ code }) => code === 'config-empty');
  if (!empty) return loaded;
  const message = 'The file is empty. To read nothing and publish nothing, write: sources: {}';
  return { bytes, problems: [...loaded.problems, { ...empty, message }], doubts: [], warnings: loaded.warnings };
}

/** Returns functions that read, check and write the configuration file. */
export function openFile({ database, name, env, inForce }: FileParts): Pick<ConfigStore, 'read' | 'check' | 'save'> {
  const check = (text: string): Checked => checked(Buffer.from(text));
  const checked = (bytes: Buffer): Checked => {
    const { value, problems, doubts, warnings } = readWhileRunning(name, bytes, env);
    const running = inForce();
    return {
      problems,
      remarks: [...doubts, ...warnings],
      difference: value && running && differenceOf(running, value),
    };
  };
  const save: ConfigStore['save'] = async (text, expected, by, about) => {
    const { problems, difference } = check(text);
    if (problems.length > 0) return { kind: 'broken', problems };
    const written = await writeConfigFile(name, text, expected);
    if (written.kind === 'edited') return { kind: 'edited', text: written.bytes.toString('utf8'), hash: written.hash };
    if (written.kind === 'read-only') return written;
    await keepFile(database, Buffer.from(text), by, difference, about);
    return { kind: 'saved', changes: difference ? changesInWords(difference) : '' };
  };
  return {
    check,
    save,
    read: async () => {
      const file = path.resolve(name);
      try {
        const bytes = await readWhole(name);
        return {
          ...checked(bytes),
          file,
          text: bytes.toString('utf8'),
          hash: hashOf(bytes),
          changedAt: (await stat(name)).mtimeMs,
          readOnly: await whyReadOnly(name),
        };
      } catch (error) {
        const problems = [unreadable(name, error as NodeJS.ErrnoException)];
        const nothing = { remarks: [], difference: undefined, text: '', hash: '', changedAt: undefined };
        return { ...nothing, file, problems, readOnly: 'it cannot be read' };
      }
    },
  };
}
