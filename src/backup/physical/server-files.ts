// Which of a server's files belong in a copy of it, according to PostgreSQL's documentation ("Making a Base Backup
// Using the Low Level API") and as its own pg_basebackup does it.

/** The log. A copy contains the part written while it was made. */
export const LOG = 'pg_wal';

/** Links to tablespaces, whose files are outside the data folder. */
export const TABLESPACES = 'pg_tblspc';

/** Folders that must exist, but whose contents the server recreates at each start. */
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

/** What concerns only the copied server's location and state, or would make the copy follow another server. */
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

/** Whether a copy leaves out a file or folder, by its path in the data folder. */
export function isNotCopied(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return NOT_COPIED.has(path) || name.startsWith('pgsql_tmp') || name.startsWith('pg_internal.init');
}

/** The file that a copy adds, which says where replay of the log begins. */
export const LABEL = 'backup_label';

/** The state of the server's log and files. It is read last, because it describes all the others. */
export const CONTROL = 'global/pg_control';

/** The files that every copy must have. */
export const NEEDED = [LABEL, CONTROL, 'PG_VERSION'];

const PATH = /^(?:\w[\w.-]*\/){0,5}\w[\w.-]*$/;
const PATH_LENGTH_MAX = 80;

/** Whether a text is a path in the data folder that PostgreSQL may have made, and so cannot lead outside. */
export const isServerPath = (path: string): boolean => path.length <= PATH_LENGTH_MAX && PATH.test(path);

/** Whether a backup may contain a file with this path. */
export const isCopied = (path: string): boolean => isServerPath(path) && (path === LABEL || !isNotCopied(path));
