import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '../../db/database.ts';
import { whileCopying, type CopyEnd } from '../../db/server-copy.ts';
import { AppError } from '../../error.ts';
import { writeArchive, type Member } from '../archive.ts';
import { serverVersion, stepsDone } from '../catalog.ts';
import { refuseEmpty, type Making } from '../make-backup.ts';
import { asMember, CONTENTS, FORMAT, KEEP_TOO, MANIFEST, SERVER, type PhysicalManifest } from '../manifest.ts';
import { unlessMissing, uploadMembers, uploadNames } from '../uploads.ts';
import { listServerFiles, severalPlaces } from './list-files.ts';
import { neededSegments } from './log-segments.ts';
import { CONTROL, LABEL, LOG } from './server-files.ts';

/** What goes into a physical backup, and where it is written. */
export interface MakingPhysical extends Making {
  /** The data folder of the server that `database` belongs to, on this machine. */
  readonly data: string;
}

/** The backup that was made. */
export interface MadePhysical {
  readonly file: string;
  readonly bytes: number;
  /** The number of the server's files. */
  readonly files: number;
  readonly uploads: number;
  readonly server: string;
  readonly platform: string;
}

/** The kind of this machine, as far as it matters for reading a server's files. */
export const PLATFORM = `${process.platform}-${process.arch}`;

/**
 * Writes a server's own files, as of one moment and while it goes on working, into a file that only its owner may read.
 * Leaves either the complete file or none.
 */
export async function makePhysicalBackup(making: MakingPhysical): Promise<MadePhysical> {
  const { database, data, file, uploads, now } = making;
  await refuseEmpty(database.query());
  const manifest = await physicalManifest(database, making);
  const uploaded = await uploadNames(uploads);
  const packed = { files: 0, uploads: 0 };
  const bytes = await whileCopying(database, async ({ end, segmentBytes }) => {
    const found = await listServerFiles(data);
    const tell = makeTell(making, found.bytes);
    let ended: CopyEnd | undefined;
    const members = async function* (): AsyncGenerator<Member> {
      yield asMember(MANIFEST, manifest);
      for (const name of found.files) yield* serverMember(data, name, tell);
      await making.onProgress({ doing: 'what was written in the meantime' });
      ended = await end();
      if (ended.map !== '') throw severalPlaces();
      yield { name: `${SERVER}${LABEL}`, content: [Buffer.from(ended.label)] };
      yield* logMembers(data, ended, segmentBytes);
      await making.onProgress({ doing: 'uploaded files' });
      yield* uploadMembers(uploads, uploaded);
    };
    return writeArchive(
      file,
      members(),
      (sums) => {
        packed.files = [...sums.keys()].filter((name) => name.startsWith(SERVER)).length;
        // All other members are uploads, except the manifest.
        packed.uploads = sums.size - packed.files - 1;
        const contents = { members: Object.fromEntries(sums), folders: found.folders, end: ended?.position ?? '' };
        return asMember(CONTENTS, contents);
      },
      now / 1000,
    );
  });
  return { file, bytes, ...packed, server: manifest.server, platform: manifest.platform };
}

async function physicalManifest(database: Database, { program, now }: MakingPhysical): Promise<PhysicalManifest> {
  const query = database.query();
  return {
    what: 'calsyncd backup',
    kind: 'physical',
    format: FORMAT,
    program,
    madeAt: new Date(now).toISOString(),
    server: await serverVersion(query),
    platform: PLATFORM,
    migrations: await stepsDone(query),
    keepToo: KEEP_TOO,
  };
}

type Tell = (bytes: number) => void | Promise<void>;

/** Limited, because files grow while they are copied. */
function makeTell({ onProgress }: MakingPhysical, of: number): Tell {
  let done = 0;
  return (bytes) => {
    done += bytes;
    return onProgress({ doing: 'the files of PostgreSQL', done: Math.min(done, of), of, unit: 'bytes' });
  };
}

/** A file of a running server as it is found. What is written to it meanwhile is in the log as well. */
async function* serverMember(data: string, name: string, tell: Tell): AsyncGenerator<Member> {
  if (name === CONTROL) {
    yield { name: `${SERVER}${name}`, content: [await readAtRest(path.join(data, name))] };
    return;
  }
  // A file that is gone by now is removed again when the log is replayed.
  const opened = await unlessMissing(open(path.join(data, name)));
  if (opened) yield { name: `${SERVER}${name}`, content: told(opened.createReadStream(), tell) };
}

async function* told(content: AsyncIterable<Buffer>, tell: Tell): AsyncGenerator<Buffer> {
  for await (const bytes of content) {
    yield bytes;
    await tell(bytes.length);
  }
}

/** Reads a small file that no log restores and that must not be caught half written. */
async function readAtRest(file: string): Promise<Buffer> {
  for (let before = await readFile(file); ;) {
    const again = await readFile(file);
    if (again.equals(before)) return again;
    before = again;
  }
}

/** The segments of the copy's log. They make the files consistent, so none may be missing. */
async function* logMembers(data: string, { label, position }: CopyEnd, segmentBytes: number): AsyncGenerator<Member> {
  const names = neededSegments(label, position, segmentBytes);
  if (!names) throw new Error(`PostgreSQL gave an unexpected answer: ${label}`);
  for (const name of names) {
    const opened = await unlessMissing(open(path.join(data, LOG, name)));
    const size = await opened?.stat().then((found) => found.size);
    if (!opened || size !== segmentBytes) {
      await opened?.close();
      throw new AppError(
        'backup-physical',
        `PostgreSQL has removed its log (${name}) before it was copied. No file was left: make the backup again, or one without --physical.`,
      );
    }
    yield { name: `${SERVER}${LOG}/${name}`, content: opened.createReadStream() };
  }
}
