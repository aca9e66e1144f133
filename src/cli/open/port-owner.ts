import fs from 'node:fs';
import path from 'node:path';
import { AppError } from '../../error.ts';

/** The program that listens on a port. */
export interface PortOwner {
  readonly pid: number;
  /** The name alone, because arguments may contain secrets. */
  readonly name: string;
  /** The directory in which it was started, if it is this program. */
  readonly calsyncdIn: string | undefined;
}

const LISTENING = '0A';

/**
 * Finds out which program listens on a local TCP port. Undefined if that is not possible: on systems other than Linux,
 * and for programs of other users.
 */
function portOwner(port: number): PortOwner | undefined {
  const sockets = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listeningSockets(table, port)));
  if (sockets.size === 0) return undefined;
  for (const pid of entries('/proc').filter((name) => /^\d+$/.test(name))) {
    if (entries(`/proc/${pid}/fd`).some((fd) => sockets.has(link(`/proc/${pid}/fd/${fd}`))))
      return ownerAt(Number(pid));
  }
  return undefined;
}

/** Adds the name of the program that occupies the port to the error; returns other errors unchanged. */
export function withPortOwner(error: unknown, port: number): unknown {
  if (!(error instanceof AppError) || (error.cause as NodeJS.ErrnoException | undefined)?.code !== 'EADDRINUSE')
    return error;
  const owner = portOwner(port);
  if (!owner) return error;
  const { pid, name, calsyncdIn } = owner;
  const free = `PORT to a free one, for example PORT=${port + 1}.`;
  const message =
    calsyncdIn === undefined
      ? `Port ${port} is taken by another program (${name}, process ${pid}). Set ${free}`
      : `Port ${port} is taken by another calsyncd: process ${pid}, started in ${calsyncdIn}. Stop it with "kill ${pid}", or set ${free}`;
  return new AppError(error.code, message, { cause: error });
}

function ownerAt(pid: number): PortOwner {
  const [program = '', ...args] = read(`/proc/${pid}/cmdline`).split('\0');
  const isCalsyncd = args.includes('start') && args.some((arg) => /(?:^|\/)src\/main\.ts$/.test(arg));
  return { pid, name: path.basename(program), calsyncdIn: isCalsyncd ? link(`/proc/${pid}/cwd`) : undefined };
}

/** `socket:[1234]` for each listener on a port, as in the links of open files (proc(5), /proc/net/tcp). */
const listeningSockets = (table: string, port: number): readonly string[] =>
  read(table)
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = '', , state]) => state === LISTENING && Number.parseInt(local.split(':')[1] ?? '', 16) === port)
    .map((fields) => `socket:[${fields[9]}]`);

// Skips processes that have ended in the meantime or belong to another user.
const orElse = <T>(reading: () => T, otherwise: T): T => {
  try {
    return reading();
  } catch {
    return otherwise;
  }
};
const entries = (directory: string): readonly string[] => orElse(() => fs.readdirSync(directory), []);
const link = (file: string): string => orElse(() => fs.readlinkSync(file), '');
const read = (file: string): string => orElse(() => fs.readFileSync(file, 'utf8'), '');
