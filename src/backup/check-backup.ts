import { AppError } from '../error.ts';
import { readArchive, unreadable, type Sum } from './archive.ts';
import {
  CONTENTS,
  FORMAT,
  MANIFEST,
  readContents,
  readManifest,
  readPhysicalContents,
  SERVER,
  TABLES,
  UPLOADS,
  type Contents,
  type Manifest,
  type PhysicalContents,
  type PhysicalManifest,
} from './manifest.ts';
import { countsOf, type Counts, type Progress } from './make-backup.ts';
import { isCopied, NEEDED } from './physical/server-files.ts';

interface Whole {
  /** The unpacked size. */
  readonly bytes: number;
  /** Whether the file continues after the backup's end, and so may be a different one than expected. */
  readonly goesOn: boolean;
}

/** A complete backup of rows. */
export interface CheckedPortable extends Whole {
  readonly kind: 'portable';
  readonly manifest: Manifest;
  readonly contents: Contents;
  readonly counts: Counts;
}

/** A complete backup of the server's files. */
export interface CheckedPhysical extends Whole {
  readonly kind: 'physical';
  readonly manifest: PhysicalManifest;
  readonly contents: PhysicalContents;
  readonly counts: { readonly files: number; readonly uploads: number };
}

/** A complete backup. */
export type Checked = CheckedPortable | CheckedPhysical;

type Sums = ReadonlyMap<string, Sum>;

/** The maximum size of members that are read as a whole. */
const SMALL_BYTES_MAX = 16_000_000;

/**
 * Reads a backup from beginning to end and checks that it is complete, and that this program, with these `migrations`,
 * can restore it. Throws AppError.
 */
export async function checkBackup(
  file: string,
  migrations: readonly string[],
  onProgress?: (progress: Progress) => void,
): Promise<Checked> {
  const texts = new Map<string, string>();
  const sums = new Map<string, Sum>();
  let manifest: Manifest | PhysicalManifest | undefined;
  let small: Buffer[] | undefined;
  let length = 0;
  let goesOn = false;
  await readArchive(file, {
    begin: (name) => {
      if ((manifest === undefined) !== (name === MANIFEST))
        throw unreadable(file, `its first file is not ${MANIFEST}, as in a backup of calsyncd`);
      if (manifest?.kind === 'physical' && !isOfPhysical(name)) throw unreadable(file, `${name} does not belong in it`);
      small = name === MANIFEST || name === CONTENTS ? [] : undefined;
      length = 0;
    },
    part: (bytes, _rows, read) => {
      onProgress?.({ ...read, unit: 'bytes' });
      length += bytes.length;
      if (small && length > SMALL_BYTES_MAX) throw unreadable(file, 'its description of itself is too long');
      small?.push(bytes);
    },
    end: (name, sum) => {
      if (small) texts.set(name, Buffer.concat(small).toString());
      // The manifest is checked before the rest is read.
      if (name === MANIFEST) manifest = manifestIn(file, texts, migrations);
      if (name !== CONTENTS) sums.set(name, sum);
    },
    more: () => {
      goesOn = true;
    },
  });
  manifest ??= manifestIn(file, texts, migrations);
  const bytes = [...sums.values()].reduce((sum, { bytes: each }) => sum + each, 0);
  const text = texts.get(CONTENTS) ?? '';
  return manifest.kind === 'portable'
    ? { ...portable(file, manifest, text, sums), bytes, goesOn }
    : { ...physical(file, manifest, text, sums), bytes, goesOn };
}

function portable(file: string, manifest: Manifest, text: string, sums: Sums): Omit<CheckedPortable, keyof Whole> {
  const contents = readContents(text);
  if (!contents) throw unreadable(file, 'it ends in the middle');
  compareSums(file, contents, sums);
  for (const table of Object.keys(manifest.tables))
    if (!sums.has(`${TABLES}${table}`)) throw unreadable(file, `the table ${table} is missing`);
  return { kind: 'portable', manifest, contents, counts: countsOf(sums) };
}

function physical(
  file: string,
  manifest: PhysicalManifest,
  text: string,
  sums: Sums,
): Omit<CheckedPhysical, keyof Whole> {
  const contents = readPhysicalContents(text);
  if (!contents) throw unreadable(file, 'it ends in the middle');
  compareSums(file, contents, sums);
  for (const name of NEEDED) if (!sums.has(`${SERVER}${name}`)) throw unreadable(file, `${name} is missing`);
  const countIn = (folder: string): number => [...sums.keys()].filter((name) => name.startsWith(folder)).length;
  return { kind: 'physical', manifest, contents, counts: { files: countIn(SERVER), uploads: countIn(UPLOADS) } };
}

/** Whether a physical backup may have a member of this name. */
const isOfPhysical = (name: string): boolean =>
  [MANIFEST, CONTENTS].includes(name) ||
  name.startsWith(UPLOADS) ||
  (name.startsWith(SERVER) && isCopied(name.slice(SERVER.length)));

function manifestIn(
  file: string,
  texts: ReadonlyMap<string, string>,
  migrations: readonly string[],
): Manifest | PhysicalManifest {
  const manifest = readManifest(texts.get(MANIFEST) ?? '');
  if (!manifest) throw unreadable(file, 'it is not a backup of calsyncd');
  const unknown = manifest.migrations.filter((name) => !migrations.includes(name));
  if (manifest.format > FORMAT || unknown.length > 0)
    throw new AppError(
      'backup-newer',
      `The backup ${file} was made by a newer calsyncd ` +
        `(${manifest.program}${unknown.length > 0 ? `, with the database changes ${unknown.join(', ')}` : ''}). ` +
        'Restore it with that version or a later one. Nothing was changed.',
    );
  return manifest;
}

/** Checks that what was read is what was written. */
export function compareSums(file: string, { members }: Pick<Contents, 'members'>, sums: Sums): void {
  for (const name of new Set([...Object.keys(members), ...sums.keys()])) {
    const [written, found] = [Object.hasOwn(members, name) ? members[name] : undefined, sums.get(name)];
    if (!written || !found) throw unreadable(file, `${name} is ${found ? 'not meant to be there' : 'missing'}`);
    if (written.sha256 !== found.sha256 || written.bytes !== found.bytes || written.rows !== found.rows)
      throw unreadable(file, `${name} is damaged`);
  }
}
