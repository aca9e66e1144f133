import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../../config/config.ts';
import { versionsHere, type VersionsHere } from '../../db/versions.ts';
import { withServer } from '../open/open-database.ts';
import { commandOf } from '../terminal/command.ts';
import { EXIT, printJson, type Io } from '../terminal/io.ts';
import { VERSION } from '../terminal/version.ts';
import { newsSince } from '../text/changelog.ts';

/** `version`: which one this is, and what it brings compared with the one that has worked here before. */
export const command = commandOf({
  group: 'Start and check',
  usage: 'version',
  description: 'which version this is, and what is new since the one before',
  example: 'version',
  act: async ({ io, config, options }) => {
    const { before, since } = await versionsOf(config, io);
    const news = newsSince(changelog(), before, VERSION);
    if (options.json)
      printJson(io, {
        version: VERSION,
        node: process.versions.node,
        before: before ?? null,
        since: since ?? null,
        news,
      });
    else {
      io.out(`calsyncd ${VERSION}, on Node.js ${process.versions.node}.\n${beforeInWords(before, since)}\n`);
      for (const { version, text } of news) io.out(`\nNew in ${version}:\n\n${text}\n`);
    }
    return EXIT.done;
  },
});

/** A database is asked that is there, and none is made. */
async function versionsOf(config: Config, io: Io): Promise<VersionsHere> {
  const isThere = config.databaseUrl !== undefined || existsSync(path.join(config.dataDir, 'postgres', 'data'));
  return isThere
    ? withServer(config, io, (database) => versionsHere(database.query(), VERSION))
    : { before: undefined, since: undefined };
}

function beforeInWords(before: string | undefined, since: Date | undefined): string {
  if (before === undefined) return 'No other version has worked on this database.';
  return since === undefined
    ? `The database is that of ${before}; the next start brings it up to date.`
    : `Before it, ${before} worked on this database.`;
}

const changelog = (): string => readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');
