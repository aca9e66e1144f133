import { readFileSync } from 'node:fs';
import type { Queryable } from '../../db/database.ts';
import { versionsHere } from '../../db/versions.ts';
import type { WhatsNew } from '../../operator/frame/operator.ts';
import { newsSince } from '../text/changelog.ts';
import { VERSION } from './version.ts';

/** Earlier than every version. */
const NONE = '0.0.0';

/** What every version up to this one has brought, the latest first. */
export const allNews = (): WhatsNew['news'] => newsSince(changelog(), NONE, VERSION);

/** What this version brings compared with the one that worked on the database before; without one, what it is. */
export async function whatsNew(query: Queryable | undefined): Promise<WhatsNew> {
  const { before, since } = query ? await versionsHere(query, VERSION) : { before: undefined, since: undefined };
  return { version: VERSION, before, since, news: newsSince(changelog(), before, VERSION) };
}

const changelog = (): string => readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');
