import { resumeSource } from '../../run/watch/pauses.ts';
import { withDatabase } from '../open/open-database.ts';
import { askedBy, REASON } from '../terminal/asked-by.ts';
import { commandOf } from '../terminal/command.ts';
import { watchedSources } from '../terminal/watched-sources.ts';
import { EXIT, printJson } from '../terminal/io.ts';

/** `resume SOURCE…`: ends pauses. */
export const command = commandOf({
  group: 'Events and sources',
  usage: 'resume <sources...>',
  description: 'let paused sources be read by schedule again',
  example: 'resume theatre',
  options: [REASON],
  act: async (call) =>
    withDatabase(call.config, call.io, async (database) => {
      const { io, config, options } = call;
      const { by, reason } = askedBy(call);
      const resumed: { readonly source: string; readonly wasPaused: boolean }[] = [];
      for (const name of await watchedSources(config, call.args))
        resumed.push({
          source: name.source,
          wasPaused: await resumeSource(database.query(), name, by, reason),
        });
      if (options.json) printJson(io, { resumed });
      else
        for (const { source, wasPaused } of resumed)
          io.out(wasPaused ? `${source} is read again when it is due.\n` : `${source} was not paused.\n`);
      return EXIT.done;
    }),
});
