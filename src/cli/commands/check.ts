import { commandOf } from '../terminal/command.ts';
import { EXIT, printJson } from '../terminal/io.ts';
import { problemInWords } from '../terminal/words.ts';
import { countInWords } from '../../count-in-words.ts';

/**
 * `check`: reads the configuration and nothing else. If it cannot be read at all, `runCommand` reports the problems.
 */
export const command = commandOf({
  group: 'Start and check',
  usage: 'check',
  description: 'check the configuration: every problem with its line and column',
  example: 'check --config /etc/calsyncd.yaml',
  tellsDoubts: true,
  act: async ({ io, config, doubts, warnings, options }) => {
    const [sources, feeds] = [config.sources.map(({ name }) => name), config.feeds.map(({ id }) => id)];
    const ok = doubts.length === 0;
    if (options.json) printJson(io, { ok, problems: doubts, notes: warnings, file: config.file, sources, feeds });
    else if (ok)
      io.out(
        `${config.file} is right: ${countInWords(sources.length, 'source')}, ${countInWords(feeds.length, 'exported feed')}.\n`,
      );
    else
      io.err(
        `The configuration can be read, but not everything in it will work:\n${doubts.map((problem) => `  ${problemInWords(problem)}\n`).join('')}`,
      );
    return ok ? EXIT.done : EXIT.failed;
  },
});
