import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { knownPage } from '../ical/read/known-pages.ts';
import { LOOKED_AT, type ConfigFile, type SiteEntry, type SourceEntry } from './declaration.ts';
import { countInWords } from '../count-in-words.ts';
import { isLanguage } from './language-names.ts';
import type { Incomplete } from './read-file.ts';
import { doubt, placeOf, type Path, type Reading } from './reading.ts';
import { onOneLine } from './splice/render-yaml.ts';
import { fileAddressOf, logoAddressOf } from './resolve.ts';
import { NO_HOME } from './write-instead.ts';

/** Looks up a path in the file system, to check paths of the configuration. */
export type InspectPath = (file: string) => {
  readonly kind: 'file' | 'directory' | 'nothing' | 'unreadable';
  /** The other names in its directory. */ readonly beside: readonly string[];
  /** If it is unreadable, the first folder on the way that we cannot enter. */
  readonly closed?: string;
};

/**
 * Finds settings that are valid but will not work, for which `check` fails. Parts of the content may be missing if
 * something else is wrong. `allowedAnyway` are directories of feeds besides those in the configuration.
 */
export function findDoubts(
  content: Incomplete<ConfigFile>,
  reading: Reading,
  lookAt: InspectPath,
  allowedAnyway: readonly string[] = [],
): void {
  if (reading.document.contents === null) {
    doubt(
      reading,
      [],
      'config-empty',
      'The file is empty, so nothing is read and nothing is published. ' +
        'Write at least one source: sources: { city-library: { url: "https://library.example/events.ics" } }.',
    );
  }
  doubtSites(content, reading);
  doubtLogo(content.builtin?.logo, reading, lookAt);
  for (const [name, entry] of Object.entries(content.sources ?? {}))
    doubtAddress(entry?.url, ['sources', name, 'url'], reading, content, lookAt, allowedAnyway);
  doubtSameAddress(content.sources ?? {}, reading);
  doubtPlaceholders(content.sources ?? {}, reading);
  doubtLanguages(content, reading);
}

/** Pages simply omit a missing logo, so nobody would notice. */
function doubtLogo(logo: string | undefined, reading: Reading, lookAt: InspectPath): void {
  if (logo === undefined || !/^file:/i.test(logo)) return;
  const file = fileURLToPath(logoAddressOf(logo, path.dirname(path.resolve(reading.file))));
  const { kind, beside } = lookAt(file);
  if (kind === 'file') return;
  const pictures = beside.filter((name) => /\.(?:svg|png|jpe?g|webp|gif|avif)$/i.test(name)).toSorted();
  const instead = pictures.length > 0 ? ` ${path.dirname(file)} has ${pictures.slice(0, 5).join(', ')}.` : '';
  const wrong =
    kind === 'unreadable' ? `${file} cannot be read by the user that runs this program.` : `There is no file ${file}.`;
  doubt(
    reading,
    ['builtin', 'logo'],
    'config-no-file',
    `${wrong}${instead} The pages go without a logo until there is one.`,
  );
}

/** Writing to another site takes a login, and sending it a language takes a parameter. */
function doubtSites({ site, sites, sources }: Incomplete<ConfigFile>, reading: Reading): void {
  const all = [
    ...(site ? [{ entry: site, at: ['site'], name: undefined }] : []),
    ...Object.entries(sites ?? {}).map(([name, entry]) => ({ entry: entry ?? {}, at: ['sites', name], name })),
  ];
  for (const { entry, at, name } of all) {
    const { url = 'builtin', username, application_password: password } = entry;
    if (url === 'builtin') continue;
    doubtUnsentLanguage(entry, at, reading);
    const isWritten = Object.values(sources ?? {}).some((source) => name === undefined || source?.site === name);
    if (username !== undefined || password !== undefined || !isWritten) continue;
    doubt(
      reading,
      [...at, 'url'],
      'config-no-login',
      'Nothing can be written to this site without a login. Write username: ' +
        'and application_password: "${SITE_APPLICATION_PASSWORD}" beside its url, from an application password ' +
        'of an editor there.',
    );
  }
}

function doubtUnsentLanguage(entry: Incomplete<SiteEntry>, at: Path, reading: Reading): void {
  if (entry.language === undefined || entry.language_parameter !== undefined) return;
  doubt(
    reading,
    [...at, 'language'],
    'config-missing',
    'No language is sent to this site: set language_parameter beside it to the name of its parameter ' +
      '(wpml_language with WPML), or remove this key.',
  );
}

function doubtAddress(
  url: string | undefined,
  at: Path,
  reading: Reading,
  { fetch }: Incomplete<ConfigFile>,
  lookAt: InspectPath,
  allowedAnyway: readonly string[],
): void {
  if (url === undefined) return;
  if (/^file:/i.test(url))
    return doubtFile(url, at, reading, [...(fetch?.allow_files ?? []), ...allowedAnyway], lookAt);
  const page = knownPage(url);
  if (!page) return;
  const [feed] = page.feeds;
  doubt(
    reading,
    at,
    'config-page',
    `This is the address of a page of ${page.name}, not of its feed. ${feed === undefined ? page.advice : `Write ${feed} instead.`}`,
  );
}

function doubtFile(
  url: string,
  at: Path,
  reading: Reading,
  allowed: readonly (string | undefined)[],
  lookAt: InspectPath,
): void {
  const directory = path.dirname(path.resolve(reading.file));
  const file = fileURLToPath(fileAddressOf(url, directory));
  const { kind, beside, closed } = lookAt(file);
  const names = beside
    .filter((name) => /\.(?:ics|ical|csv|txt)$/i.test(name))
    .toSorted()
    .slice(0, 5);
  const instead = names.length > 0 ? ` ${path.dirname(file)} has ${names.join(', ')}.` : '';
  if (kind === 'nothing') {
    const written = `file:${path.relative(directory, path.join(path.dirname(file), names[0] ?? path.basename(file)))}`;
    const better = written === url ? '' : `: write it as ${written}`;
    const begins = /^file:~/i.test(url)
      ? NO_HOME
      : `A relative address begins at the directory of the configuration${better}.`;
    return doubt(reading, at, 'config-no-file', `There is no file ${file}.${instead} ${begins}`);
  }
  if (kind === 'directory')
    return doubt(
      reading,
      at,
      'config-no-file',
      `${file} is a directory.${instead} Write the address of one file in it: ${url.replace(/\/$/, '')}/${names[0] ?? 'events.ics'}.`,
    );
  if (kind === 'unreadable')
    return doubt(
      reading,
      at,
      'config-no-file',
      `${file} cannot be read by the user that runs this program${howToRead(file, closed, directory)}`,
    );
  const roots = [directory, ...allowed.flatMap((each) => (each === undefined ? [] : [path.resolve(directory, each)]))];
  if (roots.some((root) => !path.relative(root, file).startsWith('..'))) return;
  doubt(
    reading,
    at,
    'config-file-outside',
    `${file} is not in a directory that feeds may be read from. Allow it: fetch: ${onOneLine({ allow_files: [path.dirname(file)] })}.`,
  );
}

const isAtHome = (file: string): boolean => /^\/(?:root|home)(?:\/|$)/.test(file);

function howToRead(file: string, closed: string | undefined, directory: string): string {
  const why = closed === undefined ? '' : `, which may not enter ${closed}`;
  // The systemd unit in docs/production.md sets ProtectHome=yes.
  if (isAtHome(file) && !isAtHome(directory))
    return `${why}. A systemd service sees no home directories: copy the file to ${directory}.`;
  return closed === undefined
    ? `. Give that user permission: chmod a+r ${file}.`
    : `${why}. Copy the file to ${directory}, or give that user permission: chmod a+x ${closed}.`;
}

/** Two sources with the same address would create each event twice. */
function doubtSameAddress(sources: Incomplete<ConfigFile['sources']>, reading: Reading): void {
  const seen = new Map<string, string>();
  for (const [name, entry] of Object.entries(sources)) {
    if (entry?.url === undefined) continue;
    const key = `${entry.site ?? ''} ${comparable(entry.url)}`;
    const other = seen.get(key);
    if (other === undefined) seen.set(key, name);
    else if (!isDivided(entry) || !isDivided(sources[other]))
      doubt(
        reading,
        ['sources', name, 'url'],
        'config-same-address',
        `"${other}" in line ${placeOf(reading, ['sources', other, 'url']).line} has the same address, so every ` +
          'event would appear twice. Remove one of the two, or divide the events between them with only: and skip:.',
      );
  }
}

/** Normalizes an address, so that addresses of the same feed are equal. */
export const comparable = (url: string): string =>
  url
    .replace(/^webcals?:/i, 'https:')
    .replace(/^http:/i, 'https:')
    .replace(/\/$/, '')
    .toLowerCase();

/** Whether a source takes only part of its feed. */
const isDivided = (entry: Incomplete<SourceEntry> | undefined): boolean =>
  (entry?.only?.length ?? 0) + (entry?.skip?.length ?? 0) > 0;

/** A site with its own language parameter may name its languages freely. */
function doubtLanguages({ builtin, sources, feeds, site, sites }: Incomplete<ConfigFile>, reading: Reading): void {
  const isFree = [site, ...Object.values(sites ?? {})].some((each) => each?.language_parameter !== undefined);
  if (isFree) return;
  const given: (readonly [string | undefined, Path])[] = [
    ...(builtin?.languages ?? []).map((language, index) => [language, ['builtin', 'languages', index]] as const),
    ...Object.entries(sources ?? {}).map(([name, entry]) => [entry?.language, ['sources', name, 'language']] as const),
    ...Object.entries(feeds ?? {}).map(([name, entry]) => [entry?.language, ['feeds', name, 'language']] as const),
    [site?.language, ['site', 'language']],
  ];
  for (const [language, at] of given) {
    if (language !== undefined && !isLanguage(language))
      doubt(
        reading,
        at,
        'config-language',
        `There is no language "${language}". Write the code of one, such as en, pl, de or uk.`,
      );
  }
}

/** Placeholders of `set` that refer to nothing found by `when` would appear on the site literally, or be empty. */
function doubtPlaceholders(sources: Incomplete<ConfigFile['sources']>, reading: Reading): void {
  const rules = Object.entries(sources).flatMap(([name, entry]) =>
    (entry?.set ?? []).flatMap((rule, index) => (rule ? [{ at: ['sources', name, 'set', index], rule }] : [])),
  );
  for (const { at, rule } of rules) {
    const { when, ...values } = rule;
    const expression = when?.[0]?.matches;
    const groups = expression === undefined ? undefined : groupsIn(expression);
    for (const [key, value] of Object.entries(values))
      for (const [written, inside = ''] of JSON.stringify(value ?? null).matchAll(/\{(\w+)\}/g)) {
        const why = whyNotFilled(inside, groups);
        if (why !== undefined) doubt(reading, [...at, key], 'config-placeholder', `${written} ${why}`);
      }
  }
}

/** How many groups an expression has. An empty alternative makes it match any text. */
const groupsIn = (expression: string): number =>
  (new RegExp(`${expression.replace(/^\(\?i\)/, '')}|`, 'u').exec('')?.length ?? 1) - 1;

function whyNotFilled(inside: string, groups: number | undefined): string | undefined {
  if (LOOKED_AT.some((field) => field === inside))
    return (
      'is written as it stands, as only numbers are filled in. For what the feed says, begin the rule with ' +
      `when: [{ field: ${inside}, matches: ".+" }], and write {0}.`
    );
  if (!/^\d$/.test(inside)) return undefined;
  if (groups === undefined) return 'becomes nothing: it is what when has found, and this rule has no when.';
  return Number(inside) <= groups
    ? undefined
    : `becomes nothing: the expression of the first rule of when has ${countInWords(groups, 'group')}.`;
}
