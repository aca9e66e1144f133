import type { Sum } from './archive.ts';

/** The form of backups that this program writes. It reads those up to it. */
export const FORMAT = 1;

/** What a backup begins with: what it is, and of what. */
export interface Manifest {
  readonly what: 'calsyncd backup';
  readonly format: number;
  /** The version of the program that made it. */
  readonly program: string;
  readonly madeAt: string;
  /** The version of PostgreSQL. */
  readonly server: string;
  /** The steps that the schema has had. */
  readonly migrations: readonly string[];
  /** Each table with its columns. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
  /** Tables that are there, but empty, and why. */
  readonly leftOut: Readonly<Record<string, string>>;
  /** What is not in it, and has to be kept, too. */
  readonly keepToo: readonly string[];
}

/** What a backup ends with, so that one that is cut off is known: what each member holds, and where counters are. */
export interface Contents {
  readonly members: Readonly<Record<string, Sum>>;
  readonly sequences: Readonly<Record<string, Sequence>>;
}

export interface Sequence {
  readonly last: number;
  readonly called: boolean;
}

export const MANIFEST = 'manifest.json';
export const CONTENTS = 'contents.json';
export const TABLES = 'tables/';
export const UPLOADS = 'uploads/';

export const KEEP_TOO = [
  'the configuration file, which may hold passwords',
  'the environment variables that it names',
  'files that it names: feeds, a logo',
];

/** A JSON value as a member of a backup. */
export const asMember = (name: string, value: Manifest | Contents) => ({
  name,
  content: [Buffer.from(`${JSON.stringify(value, null, 2)}\n`)],
});

type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

/** Reads a manifest; undefined if it is none. */
export function readManifest(text: string): Manifest | undefined {
  const value = parsed(text);
  if (!isRecord(value) || value['what'] !== 'calsyncd backup' || !Number.isInteger(value['format'])) return undefined;
  const { tables, migrations, program, madeAt, server } = value;
  const isWhole =
    isRecord(tables) &&
    Object.entries(tables).every(([name, columns]) => TABLE.test(name) && isNames(columns)) &&
    isNames(migrations) &&
    [program, madeAt, server].every((each) => typeof each === 'string');
  return isWhole ? (value as unknown as Manifest) : undefined;
}

const TABLE = /^(?:site|calsync)\.[a-z_\d]{1,63}$/;

/** Reads what stands at the end of a backup; undefined if it is something else. */
export function readContents(text: string): Contents | undefined {
  const value = parsed(text);
  if (!isRecord(value) || !isRecord(value['members']) || !isRecord(value['sequences'])) return undefined;
  const isWhole =
    Object.values(value['members']).every(
      (sum) =>
        isRecord(sum) &&
        typeof sum['sha256'] === 'string' &&
        Number.isInteger(sum['bytes']) &&
        Number.isInteger(sum['rows']),
    ) &&
    Object.entries(value['sequences']).every(
      ([name, each]) =>
        TABLE.test(name) && isRecord(each) && Number.isInteger(each['last']) && typeof each['called'] === 'boolean',
    );
  return isWhole ? (value as unknown as Contents) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
