import fs from 'node:fs';
import path from 'node:path';
import { AppError } from '../../error.ts';
import { livingUsers } from './process.ts';

/** A system user that the server runs as. It may be missing from the password file. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

// No convention assigns these numbers (Debian and systemd document their ranges), and they exist in containers with
// mapped users (0 to 65535).
const OWN_UIDS = { first: 60_706, last: 61_183 };
const SYSTEM_UID_MAX = 999;
const NOBODY_UID = 65_534;

/**
 * The user that the server runs as. PostgreSQL refuses to run as root, so root runs it as the owner of the data
 * directory, or else as a separate user, because anyone who shares the server's user can read its files and stop it.
 * Undefined if we are not root: the server then runs as our own user.
 */
export function serverAccount(data: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = fs.existsSync(data) ? fs.statSync(data) : { uid: 0, gid: 0 };
  return uid === 0
    ? ownAccount()
    : (accountsOf('/etc/passwd').find((account) => account.uid === uid) ?? accountOf(uid, gid));
}

/** Whether other programs may also run as this user. */
export const isShared = ({ name, uid }: Account): boolean => name === 'nobody' || uid === NOBODY_UID;

/** A user and group that no file and no running program of the machine uses. Throws AppError if there is none. */
export function ownAccount(): Account {
  const taken = new Set([
    ...livingUsers(),
    ...accountsOf('/etc/passwd').map(({ uid }) => uid),
    ...accountsOf('/etc/group').map(({ uid }) => uid),
  ]);
  for (let uid = OWN_UIDS.first; uid <= OWN_UIDS.last; uid += 1) if (!taken.has(uid)) return accountOf(uid, uid);
  throw noAccount(`all user numbers from ${OWN_UIDS.first} to ${OWN_UIDS.last} are in use`);
}

/**
 * A user from the password file that runs nothing at the moment; initdb requires its user to be listed there. Throws
 * AppError if there is none.
 */
export function idleAccount(): Account {
  const living = livingUsers();
  const idle = accountsOf('/etc/passwd').filter(({ uid }) => uid !== 0 && !living.has(uid));
  const account = idle.find(({ uid }) => uid <= SYSTEM_UID_MAX) ?? idle.find(isShared);
  if (!account) throw noAccount('every system user of this machine runs programs');
  return account;
}

/**
 * Gives a folder and everything in it to the account, from the top down, so that the former owner cannot interfere.
 * Throws AppError.
 */
export function giveTo(account: Account, target: string): void {
  try {
    fs.lchownSync(target, account.uid, account.gid);
    if (fs.lstatSync(target).isDirectory())
      for (const name of fs.readdirSync(target)) giveTo(account, path.join(target, name));
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw noAccount(`${target} cannot be given to the user ${account.name}: ${(cause as Error).message}`, cause);
  }
}

/**
 * Whether the account (undefined: our own user) can reach and use the program or directory `target`, as far as it
 * exists.
 */
export function canReach(target: string, account: Account | undefined): boolean {
  if (!account) return true;
  for (let at = path.resolve(target); ; at = path.dirname(at)) {
    if (fs.existsSync(at) && !mayEnter(fs.statSync(at), account)) return false;
    if (at === path.dirname(at)) return true;
  }
}

function mayEnter({ mode, uid, gid }: fs.Stats, account: Account): boolean {
  if (uid === account.uid) return (mode & 0o100) !== 0;
  return (mode & (gid === account.gid ? 0o010 : 0o001)) !== 0;
}

const accountOf = (uid: number, gid: number): Account => ({ name: `number ${uid}`, uid, gid });

/**
 * The entries of a file like /etc/passwd or /etc/group, whose third field is the number. Empty if there is no such
 * file.
 */
function accountsOf(file: string): readonly Account[] {
  if (!fs.existsSync(file)) return [];
  return fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .flatMap(([name, , uid, gid]) => (name && uid ? [{ name, uid: Number(uid), gid: Number(gid) }] : []));
}

const noAccount = (why: string, cause?: unknown): AppError =>
  new AppError(
    'database-no-user',
    'PostgreSQL refuses to run as root, and no other user could be found for it: ' +
      `${why}. Run calsyncd as another user than root, or install PostgreSQL and set DATABASE_URL.`,
    { cause },
  );
