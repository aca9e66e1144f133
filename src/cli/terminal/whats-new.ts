import { readFileSync } from 'node:fs';
import type { Queryable } from '../../db/database.ts';
import { noteVersion, versionsHere } from '../../db/versions.ts';
import type { WhatsNew } from '../../operator/frame/operator.ts';
import { newsSince } from '../text/changelog.ts';
import type { Io } from './io.ts';
import { VERSION } from './version.ts';

/** Earlier than every version. */
const NONE = '0.0.0';

/** The changes of all versions up to this one, the latest first. */
export const allNews = (): WhatsNew['news'] => newsSince(changelog(), NONE, VERSION);

/**
 * The changes of this version compared with the one that used the database before; without one, those of this version
 * alone.
 */
export async function whatsNew(query: Queryable | undefined): Promise<WhatsNew> {
  const { before, since } = query ? await versionsHere(query, VERSION) : { before: undefined, since: undefined };
  return { version: VERSION, before, since, news: newsSince(changelog(), before, VERSION) };
}

/**
 * Records that this version uses the database from now on. After an upgrade, says so once on the terminal or in the
 * log.
 */
export async function beginVersion(query: Queryable, io: Pick<Io, 'err'>): Promise<void> {
  if (!(await noteVersion(query, VERSION))) return;
  const { before } = await versionsHere(query, VERSION);
  if (before !== undefined)
    io.err(
      `This is calsyncd ${VERSION}; before it, ${before} ran here. "npm run -s calsyncd -- version" says what is new.\n`,
    );
}

const changelog = (): string => readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');
