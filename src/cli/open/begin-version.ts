import type { Queryable } from '../../db/database.ts';
import { noteVersion, versionsHere } from '../../db/versions.ts';
import type { Io } from '../terminal/io.ts';
import { VERSION } from '../terminal/version.ts';

/** Notes that this version works here from now on; after an upgrade, the terminal or the log says so, once. */
export async function beginVersion(query: Queryable, io: Pick<Io, 'err'>): Promise<void> {
  if (!(await noteVersion(query, VERSION))) return;
  const { before } = await versionsHere(query, VERSION);
  if (before !== undefined)
    io.err(
      `This is calsyncd ${VERSION}; before it, ${before} ran here. "npm run -s calsyncd -- version" says what is new.\n`,
    );
}
