import type { Argument, Command, HelpConfiguration } from 'commander';
import { wrapped } from '../text/text-width.ts';

const INDENT = '  ';
/** Indents a description below a term that leaves no room. */
const BELOW = ' '.repeat(6);
const GAP = 2;
/** Sentences in narrower columns are hard to read. */
const PROSE_MIN = 36;

/** The layout of the help: in a file one line per item; on a terminal wrapped, but never within a word. */
export const helpLayout = (columns: number | undefined): HelpConfiguration => ({
  minWidthToWrap: 1,
  // Every command has options, so the usage does not mention them.
  subcommandTerm: (command: Command) => [command.name(), ...command.registeredArguments.map(argumentInUsage)].join(' '),
  formatItem: (term: string, termWidth: number, description: string) => {
    const beside = `${INDENT}${term.padEnd(termWidth + GAP)}`;
    if (description === '') return beside.trimEnd();
    if (columns === undefined) return `${beside}${description}`;
    const room = columns - beside.length;
    return room >= PROSE_MIN
      ? `${beside}${wrapped(description, room).join(`\n${' '.repeat(beside.length)}`)}`
      : `${INDENT}${term}\n${wrapped(description, columns - BELOW.length)
          .map((line) => `${BELOW}${line}`)
          .join('\n')}`;
  },
});

function argumentInUsage(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}
