/** A command's arguments and options, as it declares them. */
export interface Shape {
  readonly usage: string;
  readonly options?: readonly (readonly [flags: string, description: string, fallback?: string])[];
  /** The possible values, by the name of an argument or of an option's value. */
  readonly choices?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** What can be at the end of a command line. */
export type Wanted =
  | { readonly kind: 'command' }
  | { readonly kind: 'option'; readonly options: readonly Option[] }
  | { readonly kind: 'value'; readonly name: string }
  | { readonly kind: 'nothing' };

interface Option {
  readonly name: string;
  readonly description: string;
}

/** The options of every command. */
export const COMMON_OPTIONS = [
  ['--json', 'one JSON value on standard output'],
  ['--config <file>', 'the configuration file (default: CONFIG or config/calsyncd.yaml)'],
] as const satisfies Shape['options'];

/** The words of a command line, with options separated from their values. */
export interface SplitWords {
  readonly words: readonly string[];
  /** What precedes the value in the shell's last word, and has to precede each candidate. */
  readonly before: string;
}

/** Separates `--option=value`; bash passes the `=` as a word of its own. */
export function splitOptionValues(typed: readonly string[]): SplitWords {
  const words = typed.flatMap((word, index) => {
    if (word === '=') return index === typed.length - 1 ? [''] : [];
    const [, option, value] = OPTION_WITH_VALUE.exec(word) ?? [];
    return option === undefined || value === undefined ? [word] : [option, value];
  });
  const [, option] = OPTION_WITH_VALUE.exec(typed.at(-1) ?? '') ?? [];
  return { words, before: option === undefined ? '' : `${option}=` };
}

const OPTION_WITH_VALUE = /^(--[a-z][a-z-]*)=(.*)$/s;

/**
 * What is expected as the last of the words after the program's name; `shape` is that of the command, which is the
 * first of them.
 */
export function wantedAt(words: readonly string[], shape: Shape | undefined): Wanted {
  if (words.length <= 1 || (words.length === 2 && words[0] === 'help')) return { kind: 'command' };
  if (!shape) return { kind: 'nothing' };
  const options = optionsOf(shape);
  const { position, awaited, used } = readWords(words.slice(1, -1), options);
  const isOption = words.at(-1)?.startsWith('-') === true;
  if (isOption && (awaited === undefined || awaited.repeats))
    return {
      kind: 'option',
      options: options.filter(({ names, repeats }) => repeats || !used.has(names)).map(asListed),
    };
  if (awaited?.value !== undefined) return { kind: 'value', name: awaited.value };
  const argument = argumentAt(shape.usage, position);
  return argument === undefined ? { kind: 'nothing' } : { kind: 'value', name: argument };
}

interface ReadOption {
  readonly names: readonly string[];
  readonly description: string;
  /** The name of its value; undefined for a switch. */
  readonly value: string | undefined;
  readonly repeats: boolean;
}

const optionsOf = ({ options = [] }: Shape): readonly ReadOption[] =>
  [...options, ...COMMON_OPTIONS, ['--help', 'display help for command'] as const].map(([flags, description]) => ({
    names: flags.match(/(?<![\w-])--?[a-z][a-z-]*/g) ?? [],
    description,
    value: /<([\w-]+)(?:\.\.\.)?>/.exec(flags)?.[1],
    repeats: flags.includes('...'),
  }));

const asListed = ({ names, description }: ReadOption): Option => ({ name: names.at(-1) ?? '', description });

/** How many arguments have been read, which option expects its value, and which options are used. */
function readWords(
  words: readonly string[],
  options: readonly ReadOption[],
): { readonly position: number; readonly awaited: ReadOption | undefined; readonly used: ReadonlySet<unknown> } {
  let position = 0;
  let awaited: ReadOption | undefined;
  const used = new Set<unknown>();
  for (const word of words) {
    const option = word.startsWith('-') ? options.find(({ names }) => names.includes(word)) : undefined;
    if (option) {
      used.add(option.names);
      awaited = option.value === undefined ? undefined : option;
    } else if (awaited === undefined) position += 1;
    else if (!awaited.repeats) awaited = undefined;
  }
  return { position, awaited, used };
}

/** The name of the argument at a position; the last one may be repeatable. */
function argumentAt(usage: string, position: number): string | undefined {
  const names = [...usage.matchAll(/[<[]([\w-]+)(\.\.\.)?[>\]]/g)];
  const last = names.at(-1);
  const [, name] = names[position] ?? (last?.[2] === undefined ? [] : last);
  return name;
}
