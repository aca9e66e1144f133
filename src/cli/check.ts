import type { Command } from 'commander';
import { addCommand, type Run } from './command.ts';
import { EXIT, printJson } from './io.ts';

/** `check`: reads the configuration and nothing else. That it can be read at all, its problems are told by whoever runs a command. */
export const addCheck = (program: Command, run: Run): void => addCommand(program, run, {
  usage: 'check',
  description: 'is the configuration right? every problem with line and column',
  act: async ({ io, config, options }) => {
    const [sources, feeds] = [config.sources.map(({ name }) => name), config.feeds.map(({ id }) => id)];
    if (options.json) printJson(io, { ok: true, problems: [], file: config.file, sources, feeds });
    else io.out(`${config.file} is right: ${count(sources.length, 'source')}, ${count(feeds.length, 'exported feed')}.\n`);
    return EXIT.done;
  },
});

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;
