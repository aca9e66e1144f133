import { configKeys, keysMeant, keysWith, type ConfigKey } from '../../config/keys/config-keys.ts';
import { nearest } from '../../config/nearest.ts';
import { commandOf } from '../terminal/command.ts';
import { EXIT, printJson, type ExitCode, type Io } from '../terminal/io.ts';
import { WrongUse } from '../terminal/wrong-use.ts';

/**
 * `keys [KEY]`: lists the keys of the configuration file; for a key, or a name that keys end in, all details; for any
 * other word, the keys that contain it.
 */
export const command = commandOf({
  group: 'Start and check',
  usage: 'keys [key]',
  description:
    'what may be in the configuration file: all keys; with a KEY or a word, those with default, example, and a common mistake',
  worksWithout: 'unread',
  act: async ({ io, options, args: [name] }) => {
    const all = configKeys();
    const keys = name === undefined ? all : keysMeant(all, name);
    if (name !== undefined && keys.length === 0) return tellFound(io, options.json === true, all, name);
    if (options.json) printJson(io, { keys: keys.map(asJson) });
    else io.out(name === undefined ? listOf(keys) : keys.map(inFull).join('\n'));
    return EXIT.done;
  },
});

function tellFound(io: Io, isJson: boolean, all: readonly ConfigKey[], word: string): ExitCode {
  const found = keysWith(all, word);
  if (found.length === 0) throw unknownKey(all, word);
  if (isJson) printJson(io, { keys: found.map(asJson) });
  else io.out(`No key is called "${word}". These mention it:\n\n${listOf(found)}`);
  return EXIT.done;
}

function unknownKey(keys: readonly ConfigKey[], name: string): WrongUse {
  const names = keys.flatMap(({ path }) => [path, path.split('.').at(-1) ?? path]);
  const meant = nearest(name, names);
  return new WrongUse(
    `There is no key "${name}".${meant === undefined ? ' "keys" alone lists them all.' : ` Did you mean "${meant}"?`}`,
  );
}

const asJson = ({ path, description, takes, fallback, isRequired, note }: ConfigKey): object => ({
  key: path,
  description,
  takes,
  default: fallback ?? null,
  required: isRequired,
  example: note?.example ?? null,
  wrong: note?.wrong ?? null,
  mind: note?.mind ?? null,
});

const listOf = (keys: readonly ConfigKey[]): string =>
  `${keys.map(({ path, description }) => `${path}\n    ${description}\n`).join('')}\n${MORE}\n`;

const MORE =
  'For details of one, or of all below it: keys NAME, such as "keys every" or "keys alerts". ' +
  'Any word finds keys, too: "keys picture".';

function inFull({ path, description, takes, fallback, isRequired, note }: ConfigKey): string {
  const name = path.split('.').at(-1) ?? path;
  const lines: readonly (readonly [what: string, text: string | undefined])[] = [
    ['takes', takes],
    ['default', isRequired ? 'none: it is required' : fallback],
    ['example', note && `${name}: ${note.example}`],
    ['not', note?.wrong === undefined ? undefined : `${name}: ${note.wrong}`],
    ['mind', note?.mind],
  ];
  const told = lines.flatMap(([what, text]) => (text === undefined ? [] : [`    ${what.padEnd(8)} ${text}\n`]));
  return `${path}\n    ${description}\n${told.join('')}`;
}
