import { expect, test } from 'vitest';
import { isCopied } from '../../../src/backup/physical/server-files.ts';

test.each([
  'PG_VERSION',
  'base/16384/2619_fsm',
  'global/pg_control',
  'pg_wal/000000010000000000000002',
  'backup_label',
])('%s belongs in a backup', (file) => expect(isCopied(file)).toBe(true));

test.each([
  '../town.yaml',
  'base/../../town.yaml',
  '/etc/passwd',
  'base//1',
  './PG_VERSION',
  'base/.',
  'base\\1',
  '',
  `base/${'1'.repeat(90)}`,
  'a/b/c/d/e/f/g',
  'postmaster.pid',
  'standby.signal',
  'recovery.signal',
  'tablespace_map',
  'base/16384/pgsql_tmp/pgsql_tmp12.0',
  'base/16384/pg_internal.init',
])('“%s” does not belong in a backup', (file) => expect(isCopied(file)).toBe(false));
