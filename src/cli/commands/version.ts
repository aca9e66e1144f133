import { hasDatabase } from '../../db/embedded/home.ts';
import { withServer } from '../open/open-database.ts';
import { commandOf } from '../terminal/command.ts';
import { EXIT, printJson } from '../terminal/io.ts';
import { printLines } from '../terminal/screen.ts';
import { allNews, whatsNew } from '../terminal/whats-new.ts';
import type { Line } from '../text/table.ts';

/** `version`: prints this version, and what is new compared with the one used here before. */
export const command = commandOf({
  group: 'Start and check',
  usage: 'version',
  description: 'which version this is, and what is new since the one before',
  example: 'version',
  options: [['--all', 'what was new in each version up to this one']],
  act: async ({ io, config, options }) => {
    // Asks a database if there is one, but does not create it.
    const isThere = config.databaseUrl !== undefined || hasDatabase(config.dataDir);
    const {
      version,
      before,
      since,
      news: newHere,
    } = isThere ? await withServer(config, io, (database) => whatsNew(database.query())) : await whatsNew(undefined);
    // Without an earlier version, everything would be new, page after page.
    const newSince = before === undefined ? [] : newHere;
    const news = options['all'] === true ? allNews() : newSince;
    if (options.json)
      printJson(io, { version, node: process.versions.node, before: before ?? null, since: since ?? null, news });
    else {
      // The library is only loaded for output that people read.
      const { linesFromMarkdown } = await import('../../html/markdown.ts');
      printLines(io, [
        `calsyncd ${version}, on Node.js ${process.versions.node}.`,
        isThere ? beforeInWords(before, since) : 'There is no database here yet: the first start creates it.',
        ...(news.length > 0 ? [] : ['"version --all" says what it brings; Help in the console does, too.']),
        ...news.flatMap((one): readonly Line[] => [
          '',
          { text: `New in ${one.version}:`, style: 'strong' },
          '',
          ...linesFromMarkdown(one.text).map(({ text, isHeading }): Line =>
            isHeading ? { text, style: 'strong' } : text,
          ),
        ]),
      ]);
    }
    return EXIT.done;
  },
});

function beforeInWords(before: string | undefined, since: Date | undefined): string {
  if (before === undefined)
    return 'No other version has worked on this database; commits of one version count as the same.';
  return since === undefined
    ? `The database is that of ${before}; the next start brings it up to date.`
    : `Before it, ${before} worked on this database.`;
}
