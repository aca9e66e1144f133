import { countInWords } from '../../count-in-words.ts';
import { ARGUMENTS } from './arguments.ts';

/** An error of commander's about a command line. */
interface Complaint {
  readonly code: string;
  readonly message: string;
}

/** The beginning of each commander message, and our sentence for it; `command` is the command as typed. */
const SENTENCES: Readonly<Record<string, readonly [RegExp, (parts: readonly string[], command: string) => string]>> = {
  'commander.unknownCommand': [/unknown command '(.*)'/, ([name]) => `There is no command "${name}".`],
  'commander.unknownOption': [
    /unknown option '(.*)'/,
    ([name], command) => `${command === '' ? 'calsyncd' : `"${command}"`} has no option ${name}.`,
  ],
  'commander.missingArgument': [
    /missing required argument '(.*)'/,
    ([name = ''], command) => `"${command}" needs <${name}>${name in ARGUMENTS ? `: ${ARGUMENTS[name] ?? ''}` : ''}.`,
  ],
  'commander.optionMissingArgument': [
    /option '(?:-\w, )?(--\S+) (.*)' argument missing/,
    ([option, value], command) => `"${command}": ${option} needs a value: ${option} ${value}.`,
  ],
  'commander.excessArguments': [
    /Expected (\d+) arguments? but got (\d+): (.*)\./s,
    ([expected, got, words], command) =>
      `"${command}" takes ${expected === '0' ? 'no arguments' : `at most ${countInWords(Number(expected), 'argument')}`}, ` +
      `and was given ${expected === '0' ? '' : `${got}: `}${words}.`,
  ],
};

/**
 * An error message about a command line: what is wrong, what was probably meant, and where to find more. `command` is
 * the name it begins with, or empty if there is no such command.
 */
export function wrongCommandLine({ code, message }: Complaint, command: string): string {
  const [pattern, sentence] = SENTENCES[code] ?? [];
  const parts = pattern?.exec(message);
  const said = parts && sentence ? sentence(parts.slice(1), command) : message.replace(/^error: /, '');
  const [, meant] = /\(Did you mean (?:one of )?(.*)\?\)/.exec(message) ?? [];
  return [
    said,
    ...(meant === undefined ? [] : [`Did you mean ${meant.replaceAll(', ', ' or ')}?`]),
    `"npm run -s calsyncd -- ${command === '' ? '' : `${command} `}--help" shows how to use it.`,
  ].join(' ');
}
