import fs from 'node:fs';
import path from 'node:path';

/** A system user that the server runs as. */
export interface Account { readonly name: string; readonly uid: number; readonly gid: number }

/**
 * PostgreSQL refuses to run as root, so root starts it as one fixed user: the owner of an existing data directory,
 * else `postgres` where the machine has one, else `nobody` (initdb wants an entry in the password file, and this one always exists).
 * Undefined for everybody else: the server runs as who we are.
 */
export function serverAccount(data: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = fs.readFileSync('/etc/passwd', 'utf8').split('\n').map((line) => line.split(':'))
    .flatMap(([name, , uid, gid]) => (name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : []));
  const owner = fs.existsSync(data) ? fs.statSync(data).uid : 0;
  const account = owner === 0 ? users.find(({ name }) => name === 'postgres') ?? users.find(({ name }) => name === 'nobody')
    : users.find(({ uid }) => uid === owner) ?? { name: String(owner), uid: owner, gid: fs.statSync(data).gid };
  return account ?? { name: 'nobody', uid: 65_534, gid: 65_534 };
}

/** Whether the account (undefined: we ourselves) may walk down to the program or directory `target`, and use it, as far as it is there. */
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
