import { loadConfig } from '../../config.ts';
import { CANDIDATES_MAX, candidatesFor, type Lookup } from '../complete/candidates.ts';
import { FILES_TOO } from '../complete/shell-scripts.ts';
import { wantedAt, splitOptionValues } from '../complete/wanted.ts';
import { commandOf, type Call } from '../terminal/command.ts';
import { EXIT, printJson } from '../terminal/io.ts';

/** `complete -- WORD…`: lists candidates for the last word of a command line, for the scripts of `completion`. */
export const command = commandOf({
  group: 'Start and check',
  usage: 'complete [words...]',
  description: 'what the last word of a command line could become; for the scripts of "completion"',
  example: 'complete -- sync city',
  isHidden: true,
  worksWithout: 'unread',
  tellsDoubts: true,
  act: async (call) => {
    const { words, before } = splitOptionValues(call.args.length === 0 ? [''] : call.args);
    const lines = (await linesFor(call, words)).map((line) => (line === FILES_TOO ? line : `${before}${line}`));
    if (call.options.json) printJson(call.io, { candidates: lines });
    else call.io.out(lines.map((line) => `${line}\n`).join(''));
    return EXIT.done;
  },
});

async function linesFor(call: Call, words: readonly string[]): Promise<readonly string[]> {
  const { program } = call;
  const [name = ''] = words;
  const beginning = words.at(-1) ?? '';
  const shape = words.length > 1 ? await program.shapeOf(name) : undefined;
  const wanted = wantedAt(words, shape);
  switch (wanted.kind) {
    case 'command':
      return beginningSo(beginning.startsWith('-') ? ['--help', '--version'] : [...program.names, 'help'], beginning);
    case 'option':
      return wanted.options
        .filter((option) => option.name.startsWith(beginning))
        .map((option) => `${option.name}\t${option.description}`);
    case 'value': {
      const choices = shape?.choices?.[wanted.name];
      return choices ? beginningSo(choices, beginning) : valuesFor(call, wanted.name, words);
    }
    case 'nothing':
      return [];
  }
}

const beginningSo = (all: readonly string[], beginning: string): readonly string[] =>
  all.filter((word) => word.startsWith(beginning)).slice(0, CANDIDATES_MAX);

async function valuesFor(
  { config, isBroken }: Call,
  name: string,
  words: readonly string[],
): Promise<readonly string[]> {
  const beginning = words.at(-1) ?? '';
  const { words: found, files } = await candidatesFor(name, lookupOf(words, isBroken ? undefined : config), beginning);
  return [...(files ? [FILES_TOO] : []), ...beginningSo(found, beginning)];
}

/** The configuration that the command line names, or else the usual one, and its database. */
function lookupOf(words: readonly string[], usual: Call['config'] | undefined): Lookup {
  const named = words[words.indexOf('--config') + 1];
  const config = words.includes('--config') && named !== undefined ? loadConfig({ path: named }).value : usual;
  return {
    config,
    ask: async (question) => {
      if (!config) return [];
      const { askIfRunning } = await import('../complete/running-database.ts');
      return askIfRunning(config, question);
    },
  };
}
