import { countInWords } from '../../count-in-words.ts';
import { AppError } from '../../error.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { whyUnwritable } from '../../files/why-unwritable.ts';
import type { Config } from '../../config/config.ts';
import { buildFeed } from '../../feeds/content/build-feed.ts';
import { commandOf } from '../terminal/command.ts';
import { whileReading } from '../progress/while-reading.ts';
import { EXIT, printJson } from '../terminal/io.ts';
import { withApp } from '../open/open-context.ts';
import { definitionsOf, exportedSite } from '../web/open-feeds.ts';
import { siteNamed } from '../open/open-sites.ts';
import { knownNames } from '../text/unknown-name.ts';
import { problemInWords } from '../terminal/words.ts';

/** `export FEED [-o FILE]`: writes one exported feed to a file or to standard output. */
export const command = commandOf({
  group: 'The built-in site and the feeds',
  usage: 'export <feed>',
  description: 'one exported feed as a file',
  example: 'export all -o all.ics',
  options: [
    ['-o, --output <file>', 'the file to write; standard output if left out'],
    ['--cancel-lost', 'cancel events that the site has lost, however many: they were deleted on purpose'],
  ],
  act: async ({ io, config, options, args: [id] }) =>
    withApp(config, io, async (app) => {
      const feed = config.feeds.find((each) => each.id === id);
      const site = siteNamed(app.sites, feed?.site);
      const definition = definitionsOf(config, site).find((each) => each.id === id);
      if (!definition) throw unknownFeed(id, config);
      const built = await whileReading(app, io, `exporting ${id}`, () =>
        buildFeed({ ...exportedSite(app, site), cancelLost: options['cancelLost'] === true }, definition, io.now()),
      );
      const file = options['output'];
      if (typeof file === 'string') {
        const coded = await built.body.coded('identity');
        await replaceFile(file, () => coded.chunks()).catch((cause: Error) => {
          throw new AppError('file-unwritable', `${file} cannot be written: ${whyUnwritable(cause)}.`, { cause });
        });
      }
      for (const problem of built.problems) io.err(`${problemInWords(problem)}\n`);
      if (options.json)
        printJson(io, {
          feed: id,
          events: built.events,
          file: file ?? null,
          problems: built.problems,
          ...(typeof file === 'string' ? {} : { calendar: (await built.body.bytes()).toString() }),
        });
      else if (typeof file === 'string') io.err(`Wrote ${countInWords(built.events, 'event')} to ${file}.\n`);
      else io.out((await built.body.bytes()).toString());
      return EXIT.done;
    }),
});

function unknownFeed(id: string, { feeds }: Config): AppError {
  const known = feeds.map((feed) => feed.id);
  return new AppError(
    'unknown-feed',
    `There is no feed "${id}". ${known.length === 0 ? 'None is configured: add one under `feeds:`.' : knownNames(id, known, 'Known feeds')}`,
  );
}
