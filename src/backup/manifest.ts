import type { Sum } from './archive.ts';
import { isServerPath } from './physical/server-files.ts';

/** The format of backups that this program writes. It reads all formats up to this one. */
export const FORMAT = 1;

/** The beginning of every backup, which says what it contains. */
interface Head {
  readonly what: 'calsyncd backup';
  readonly format: number;
  /** The version of the program that made it. */
  readonly program: string;
  readonly madeAt: string;
  /** The version of PostgreSQL. */
  readonly server: string;
  /** The migrations that the schema has had. */
  readonly migrations: readonly string[];
  /** What the backup does not contain and has to be kept as well. */
  readonly keepToo: readonly string[];
}

/** A backup of rows, which every PostgreSQL can load. */
export interface Manifest extends Head {
  /** Earlier backups do not have it. */
  readonly kind: 'portable';
  /** Each table with its columns. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
  /** Tables that exist but are empty, and why. */
  readonly leftOut: Readonly<Record<string, string>>;
}

/** A backup of the server's files, for the same PostgreSQL on the same kind of machine. */
export interface PhysicalManifest extends Head {
  readonly kind: 'physical';
  /** The kind of machine, as in `linux-x64`. */
  readonly platform: string;
}

/** The end of a backup, which lists the sum of each member, so that a truncated one is recognised. */
interface Tail {
  readonly members: Readonly<Record<string, Sum>>;
}

export interface Contents extends Tail {
  /** The positions of the sequences. */
  readonly sequences: Readonly<Record<string, Sequence>>;
}

export interface PhysicalContents extends Tail {
  /** The folders of the server, including empty ones. */
  readonly folders: readonly string[];
  /**
   * The position up to which the server's log has to be replayed before its files are consistent, as in `0/2A000138`.
   */
  readonly end: string;
}

export interface Sequence {
  readonly last: number;
  readonly called: boolean;
}

export const MANIFEST = 'manifest.json';
export const CONTENTS = 'contents.json';
export const TABLES = 'tables/';
export const UPLOADS = 'uploads/';
/** The server's files. */
export const SERVER = 'server/';

export const KEEP_TOO = [
  'the configuration file, which may hold passwords',
  'the environment variables that it names',
  'files that it names: feeds, a logo',
];

/** A JSON value as a member of a backup. */
export const asMember = (name: string, value: Manifest | PhysicalManifest | Contents | PhysicalContents) => ({
  name,
  content: [Buffer.from(`${JSON.stringify(value, null, 2)}\n`)],
});

type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

/** Parses a manifest; undefined if the text is not one. */
export function readManifest(text: string): Manifest | PhysicalManifest | undefined {
  const value = parsed(text);
  if (!isRecord(value) || value['what'] !== 'calsyncd backup' || !Number.isInteger(value['format'])) return undefined;
  const { migrations, program, madeAt, server, kind = 'portable' } = value;
  const isOfKind = KINDS[String(kind)];
  const isWhole =
    isNames(migrations) && [program, madeAt, server].every((each) => typeof each === 'string') && isOfKind?.(value);
  return isWhole ? ({ ...value, kind } as unknown as Manifest | PhysicalManifest) : undefined;
}

/** Checks of what each kind of manifest needs. */
const KINDS: Readonly<Record<string, (value: Json) => boolean>> = {
  portable: ({ tables }) =>
    isRecord(tables) && Object.entries(tables).every(([name, columns]) => TABLE.test(name) && isNames(columns)),
  physical: ({ platform }) => typeof platform === 'string' && /^[\w-]{1,40}$/.test(platform),
};

const TABLE = /^(?:site|calsync)\.[a-z_\d]{1,63}$/;

/** Parses the end of a backup; undefined if the text is something else. */
export function readContents(text: string): Contents | undefined {
  const value = tailIn(text);
  if (!value || !isRecord(value['sequences'])) return undefined;
  const isWhole = Object.entries(value['sequences']).every(
    ([name, each]) =>
      TABLE.test(name) && isRecord(each) && Number.isInteger(each['last']) && typeof each['called'] === 'boolean',
  );
  return isWhole ? (value as unknown as Contents) : undefined;
}

/** Parses the end of a physical backup. */
export function readPhysicalContents(text: string): PhysicalContents | undefined {
  const value = tailIn(text);
  if (!value || !isNames(value['folders']) || !value['folders'].every(isServerPath)) return undefined;
  return LOG_POSITION.test(String(value['end'])) ? (value as unknown as PhysicalContents) : undefined;
}

const LOG_POSITION = /^[\dA-F]{1,8}\/[\dA-F]{1,8}$/;

/** Parses what the end of any backup has. */
function tailIn(text: string): Json | undefined {
  const value = parsed(text);
  if (!isRecord(value) || !isRecord(value['members'])) return undefined;
  const isWhole = Object.values(value['members']).every(
    (sum) =>
      isRecord(sum) &&
      typeof sum['sha256'] === 'string' &&
      Number.isInteger(sum['bytes']) &&
      Number.isInteger(sum['rows']),
  );
  return isWhole ? value : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
