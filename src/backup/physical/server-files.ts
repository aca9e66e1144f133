// Which of a server's files belong into a copy of it, as PostgreSQL's documentation has it ("Making a Base Backup Using
// the Low Level API"), and its own pg_basebackup does it.

/** The log, of which a copy takes what was written during it. */
export const LOG = 'pg_wal';

/** Other databases' files may be anywhere: its links lead out of the data folder. */
export const TABLESPACES = 'pg_tblspc';

/** Folders that have to be there, but whose contents the server makes anew at each start. */
const MADE_ANEW = [
  LOG,
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
];

export const isMadeAnew = (folder: string): boolean => MADE_ANEW.includes(folder);

/** The place of the server that was copied, what it is doing, and what would make the copy follow another server. */
const NOT_COPIED = new Set([
  'postmaster.pid',
  'postmaster.opts',
  'postgresql.auto.conf.tmp',
  'current_logfiles',
  'current_logfiles.tmp',
  'backup_label',
  'backup_label.old',
  'backup_manifest',
  'tablespace_map',
  'tablespace_map.old',
  'recovery.signal',
  'standby.signal',
]);

/** Whether a file or a folder is none that a copy takes, by its path in the data folder. */
export function isNotCopied(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return NOT_COPIED.has(path) || name.startsWith('pgsql_tmp') || name.startsWith('pg_internal.init');
}

/** What a copy adds: where replaying the log begins. */
export const LABEL = 'backup_label';

/** How the server's log and its files stand to each other; read last, as it says of all others what they are. */
export const CONTROL = 'global/pg_control';

/** What no copy is without. */
export const NEEDED = [LABEL, CONTROL, 'PG_VERSION'];

const PATH = /^(?:\w[\w.-]*\/){0,5}\w[\w.-]*$/;
const PATH_LENGTH_MAX = 80;

/** Whether something is a path in the data folder that PostgreSQL may have made: it leads nowhere else. */
export const isServerPath = (path: string): boolean => path.length <= PATH_LENGTH_MAX && PATH.test(path);

/** Whether a backup may have a file of this path. */
export const isCopied = (path: string): boolean => isServerPath(path) && (path === LABEL || !isNotCopied(path));
