import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Problem } from '../../problem.ts';
import type { Config } from '../config.ts';
import { namesIn } from '../environment.ts';
import { fileAddressOf } from '../resolve.ts';
import { isRawList, isRawMap, isSame, rawAt, type Raw, type RawMap } from '../splice/raw.ts';

/**
 * Problems with what a form of the console would write into the file. An administrator of the site need not be the one
 * who runs the machine, so forms must not give access to its environment, its files, or secrets in the configuration
 * file.
 */
export function refusedByForms(before: Raw | undefined, after: Raw | undefined, config: Config): readonly Problem[] {
  const wasCalled = formerNames(before, after);
  const known = new Set(textsIn(before, [], (name) => name).map(({ place, text }) => keyOf(place, text)));
  const fresh = textsIn(after, [], wasCalled).filter(({ place, text }) => !known.has(keyOf(place, text)));
  return [
    ...fresh.flatMap(({ at, text }) => refusedNames(at, text, config.operator.environment)),
    ...fresh.filter(({ at }) => isAddress(at)).flatMap(({ at, text }) => refusedFile(at, text, config)),
    ...[...entriesOf(after, ['sources'])].flatMap(([name, entry]) =>
      refusedMove(['sources', name], rawAt(before, ['sources', wasCalled(name)]), entry, SOURCE_SECRETS),
    ),
    ...[...entriesOf(after, ['alerts', 'receivers'])].flatMap(([name, entry]) =>
      refusedMove(['alerts', 'receivers', name], rawAt(before, ['alerts', 'receivers', name]), entry, RECEIVER_SECRETS),
    ),
  ];
}

type Place = readonly string[];

/** A text of the file, its place, and its former place; all items of a list share one place. */
interface PlacedText {
  readonly at: Place;
  readonly place: Place;
  readonly text: string;
}

const keyOf = (place: Place, text: string): string => JSON.stringify([place, text]);

function textsIn(value: Raw | undefined, at: Place, wasCalled: (name: string) => string): readonly PlacedText[] {
  if (isRawList(value)) return value.flatMap((each) => textsIn(each, [...at, '-'], wasCalled));
  if (isRawMap(value)) return Object.entries(value).flatMap(([key, each]) => textsIn(each, [...at, key], wasCalled));
  if (typeof value !== 'string') return [];
  const [section, name, ...below] = at;
  const place = section === 'sources' && name !== undefined ? [section, wasCalled(name), ...below] : at;
  return [{ at, place, text: value }];
}

const has = (file: Raw | undefined, name: string): boolean => rawAt(file, ['sources', name]) !== undefined;

/** Maps a source's name to the one it had before this change renamed it. */
function formerNames(before: Raw | undefined, after: Raw | undefined): (name: string) => string {
  return (name) => {
    const was = rawAt(after, ['sources', name, 'was']);
    return typeof was === 'string' && !has(before, name) && has(before, was) && !has(after, was) ? was : name;
  };
}

const entriesOf = (file: Raw | undefined, section: Place): readonly (readonly [string, Raw])[] => {
  const entries = rawAt(file, section);
  return isRawMap(entries) ? Object.entries(entries) : [];
};

const problem = (at: Place, message: string): Problem => ({
  code: 'config-by-hand',
  message,
  where: { field: at.filter((key) => key !== '-').join('.') },
});

function refusedNames(at: Place, text: string, allowed: readonly string[]): readonly Problem[] {
  return namesIn(text)
    .filter((name) => !allowed.includes(name))
    .map((name) =>
      problem(
        at,
        `A form of the console cannot put \${${name}} here: it would hand a value of the machine's environment ` +
          'to anyone who sends the form. The person who runs calsyncd may write it into the file by hand, or allow the name ' +
          `with operator: { environment: [${name}] }. If you mean the sign itself, write $\${${name}}.`,
      ),
    );
}

const isAddress = (at: Place): boolean => at.length === 3 && at[0] === 'sources' && at[2] === 'url';

/** Files may only be read from folders that the configuration names, and from the folder of uploads. */
function refusedFile(at: Place, text: string, config: Config): readonly Problem[] {
  const address = text.trim();
  if (/^(?:https?|webcals?):/i.test(address)) return [];
  // The result of expanding the environment is not known here.
  if (!/^file:/i.test(address) && namesIn(text).length === 0)
    return [problem(at, `Expected an address beginning with https:, http: or webcal:, found "${address}".`)];
  const file = fileOf(address, path.dirname(config.file));
  if (file !== undefined && isInNamedFolder(file, config)) return [];
  return [
    problem(
      at,
      'From the console only files are read that are in a folder which fetch.allow_files names, and whose ' +
        'names do not begin with a dot: other files of the machine may hold secrets, and what is read here is ' +
        'shown to everybody. Upload the file under “Add a source”, or ask the person who runs calsyncd to name its folder.',
    ),
  ];
}

function fileOf(address: string, directory: string): string | undefined {
  try {
    return path.resolve(fileURLToPath(fileAddressOf(address, directory)));
  } catch {
    // Not the address of a file on this machine.
    return undefined;
  }
}

function isInNamedFolder(file: string, { file: configFile, dataDir, fetch }: Config): boolean {
  // The first folder is that of the configuration file, which was not named explicitly; the last one holds the uploads.
  const [uploads, named] = [fetch.allowFiles.at(-1) ?? '', fetch.allowFiles.slice(1, -1)];
  if (isPlainlyBelow(uploads, file)) return true;
  return file !== configFile && !isBelow(dataDir, file) && named.some((folder) => isPlainlyBelow(folder, file));
}

const wayFrom = (folder: string, file: string): readonly string[] => path.relative(folder, file).split(path.sep);
const isBelow = (folder: string, file: string): boolean => !['', '..'].includes(wayFrom(folder, file)[0] ?? '');
const isPlainlyBelow = (folder: string, file: string): boolean =>
  !path.isAbsolute(path.relative(folder, file)) && wayFrom(folder, file).every((part) => !/^(?:\.|$)/.test(part));

/** A secret that stays in the file while the address it is sent to may change. */
interface SentAlong {
  readonly address: string;
  readonly secret: string;
  readonly what: string;
  /** The part of the address that must stay the same. */
  readonly target: (address: string) => string;
}

const originOf = (address: string): string => URL.parse(address.replace(/^webcal(s?):/i, 'http$1:'))?.origin ?? address;
const SOURCE_SECRETS: SentAlong = { address: 'url', secret: 'auth', what: 'the credentials', target: originOf };
const RECEIVER_SECRETS: SentAlong = { address: 'ntfy', secret: 'token', what: 'the token', target: (text) => text };

function refusedMove(at: Place, before: Raw | undefined, after: Raw, along: SentAlong): readonly Problem[] {
  if (!isRawMap(before) || !isRawMap(after)) return [];
  const [from, to] = [valueOf(before, along.address), valueOf(after, along.address)];
  const [kept, secret] = [valueOf(before, along.secret), valueOf(after, along.secret)];
  if (kept === undefined || !isSame(kept, secret) || from === undefined || to === undefined) return [];
  if (along.target(String(from)) === along.target(String(to))) return [];
  return [
    problem(
      [...at, along.address],
      `The console does not move this to another server, because ${along.what} under ${along.secret} would be ` +
        'sent there. If you know them, write both into the file by hand.',
    ),
  ];
}

/** The value of a key in an entry, or in one that it inherits by "<<". */
function valueOf(entry: RawMap, key: string): Raw | undefined {
  if (Object.hasOwn(entry, key)) return entry[key];
  const shared = entry['<<'];
  const maps = isRawList(shared) ? shared : [shared];
  return maps
    .filter(isRawMap)
    .map((map) => valueOf(map, key))
    .find((value) => value !== undefined);
}
