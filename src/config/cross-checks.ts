import { sourceKey } from '../sync/model/slug.ts';
import type { ConfigFile, FeedEntry, SiteEntry, SourceEntry } from './declaration.ts';
import { checkAlerts } from './alerts/alert-checks.ts';
import { nearest } from './nearest.ts';
import type { Incomplete } from './read-file.ts';
import { complain, isGiven, warn, type Path, type Reading } from './reading.ts';
import { ONLY_SITE } from './resolve.ts';

/** Checks that involve several values. Parts of the content may be missing if something else is wrong. */
export function crossCheck(content: Incomplete<ConfigFile>, reading: Reading): void {
  const { site, sites } = content;
  if (site && sites) complain(reading, ['sites'], 'config-both', 'Expected either site or sites, found both.');
  if (site) checkSite(site, ['site'], reading);
  for (const [name, entry] of entriesOf(sites)) checkSite(entry, ['sites', name], reading);
  const [sources, feeds] = [entriesOf(content.sources), entriesOf(content.feeds)];
  const names = Object.keys(sites ?? { [ONLY_SITE]: site });
  for (const [name, entry] of sources) checkSiteName(entry.site, names, ['sources', name], reading);
  for (const [name, entry] of feeds) checkSiteName(entry.site, names, ['feeds', name], reading);
  for (const [name, entry] of sources) checkSource(name, entry, content, reading);
  for (const [name, entry] of feeds) checkFeed(name, entry, content, reading);
  checkKeys(content, sources, reading);
  checkAlerts(content, reading);
  checkTimes(content.backup ?? {}, ['backup'], reading);
}

function checkTimes(
  { every, cron }: { readonly every?: number | undefined; readonly cron?: string | undefined },
  path: Path,
  reading: Reading,
): void {
  if (every !== undefined && cron !== undefined)
    complain(reading, [...path, 'cron'], 'config-both', 'Expected either every or cron, found both.');
}

type Entries<T> = readonly (readonly [name: string, entry: Incomplete<T>])[];

/** The entries under a key, by name; an unreadable entry is empty. */
const entriesOf = <T>(map: Readonly<Record<string, Incomplete<T> | undefined>> | undefined): Entries<T> =>
  Object.entries(map ?? {}).map(([name, entry]) => [name, entry ?? ({} as Incomplete<T>)] as const);

function checkSite(
  { url = 'builtin', username, application_password: password }: Incomplete<SiteEntry>,
  path: Path,
  reading: Reading,
): void {
  if (url === 'builtin') {
    if (username !== undefined || password)
      warn(
        reading,
        [...path, 'username'],
        'config-unused',
        'The built-in site needs no login: username and application_password are not used.',
      );
    return;
  }
  if (isGiven(reading, [...path, 'username']) !== isGiven(reading, [...path, 'application_password']))
    complain(reading, path, 'config-missing', 'Expected username and application_password together.');
  if (password && isClearText(url))
    warn(
      reading,
      [...path, 'url'],
      'config-clear-text',
      'The application password is sent over the network in clear text. Use https.',
    );
}

/** Whether requests to an address can be read on the way. */
const isClearText = (url: string): boolean => /^http:\/\/(?!localhost|127\.|\[::1\])/i.test(url);

function checkSiteName(site: string | undefined, names: readonly string[], path: Path, reading: Reading): void {
  if (site === undefined) {
    if (names.length > 1)
      complain(
        reading,
        path,
        'config-missing',
        `There are several sites: expected the key "site" with one of ${names.join(', ')}.`,
      );
  } else if (!names.includes(site))
    complain(
      reading,
      [...path, 'site'],
      'config-unknown-site',
      `There is no site "${site}"${siteInstead(site, names)}`,
    );
}

function siteInstead(site: string, names: readonly string[]): string {
  if (names.join() === ONLY_SITE) return ': the file has no sites. Remove this key.';
  const meant = nearest(site, names);
  return meant ? `. Did you mean "${meant}"?` : `. Known: ${names.join(', ')}.`;
}

function checkSource(
  name: string,
  { every, cron, auth, url = '', was, language, site }: Incomplete<SourceEntry>,
  content: Incomplete<ConfigFile>,
  reading: Reading,
): void {
  if (language !== undefined) checkLanguage(language, site, ['sources', name, 'language'], content, reading);
  checkTimes({ every, cron }, ['sources', name], reading);
  if (auth?.bearer && auth.basic)
    complain(reading, ['sources', name, 'auth'], 'config-both', 'Expected either bearer or basic, found both.');
  checkHeaders(Object.keys(auth?.headers ?? {}), ['sources', name, 'auth', 'headers'], reading);
  if (was === name)
    complain(
      reading,
      ['sources', name, 'was'],
      'config-value',
      'Expected the name that this source had before, found its own.',
    );
  if (isGiven(reading, ['sources', name, 'auth']) && isClearText(url))
    warn(
      reading,
      ['sources', name, 'url'],
      'config-clear-text',
      'What auth holds is sent over the network in clear text. Use https.',
    );
  if (/\/\/[^/?#]*:[^/?#]*@/.test(url))
    warn(
      reading,
      ['sources', name, 'url'],
      'config-secret-in-file',
      'The address contains a password. Put it into auth.basic, as ${NAME} from the environment.',
    );
}

/** Publishers should learn who is asking. */
function checkHeaders(names: readonly string[], path: Path, reading: Reading): void {
  for (const name of names.filter((each) => each.toLowerCase() === 'user-agent'))
    warn(
      reading,
      [...path, name],
      'config-unused',
      'This is not sent: every request names calsyncd, and fetch.contact where it is set.',
    );
}

function checkFeed(
  name: string,
  { secret, language, site }: Incomplete<FeedEntry>,
  content: Incomplete<ConfigFile>,
  reading: Reading,
): void {
  if (/\.(?:ics|csv)$/i.test(name))
    complain(
      reading,
      ['feeds', name],
      'config-value',
      `Expected a name without "${name.slice(-4)}" at its end: the feed's addresses add that.`,
    );
  if (secret && !/^[\w.-]{16,200}$/.test(secret.reveal()))
    complain(
      reading,
      ['feeds', name, 'secret'],
      'config-value',
      'Expected at least 16 letters, digits, ".", "_" or "-", hard to guess: it is a part of the address.',
    );
  if (language === undefined) return;
  checkLanguage(language, site, ['feeds', name, 'language'], content, reading);
  const { url, language_parameter: parameter } = siteNamed(site, content);
  if (url !== 'builtin' && parameter === undefined)
    complain(
      reading,
      ['feeds', name, 'language'],
      'config-missing',
      'Only sites that separate languages can give events of one language: ' +
        'set language_parameter of the site to the name of its parameter, or remove this key.',
    );
}

const siteNamed = (name: string | undefined, { site, sites }: Incomplete<ConfigFile>): Incomplete<SiteEntry> => ({
  url: 'builtin',
  ...(sites ? sites[name ?? ''] : site),
});

function checkLanguage(
  language: string,
  site: string | undefined,
  path: Path,
  content: Incomplete<ConfigFile>,
  reading: Reading,
): void {
  const languages = content.builtin?.languages ?? ['en', 'pl'];
  if (siteNamed(site, content).url === 'builtin' && !languages.includes(language))
    complain(
      reading,
      path,
      'config-value',
      `The built-in site has no events in "${language}". Its languages are ${languages.join(', ')}; add it under builtin.`,
    );
}

/** What identifies a source's site: the same address with or without encryption, or under two names, is one site. */
const siteOf = (name: string | undefined, content: Incomplete<ConfigFile>): string | undefined =>
  siteNamed(name, content)
    .url?.toLowerCase()
    .replace(/^https?:/, '');

// The keys of a source's events begin with 4 characters derived from its name. Two sources of a site that share them
// would take each other's events for their own.
function checkKeys(content: Incomplete<ConfigFile>, sources: Entries<SourceEntry>, reading: Reading): void {
  const names = sources.flatMap(([name, { was, site }]) =>
    [name, ...(was === undefined ? [] : [was])].map((as) => ({ name, as, site: siteOf(site, content) })),
  );
  const seen = new Map<string, { readonly name: string; readonly as: string }>();
  for (const entry of names) {
    const key = `${sourceKey(entry.as)} of ${entry.site}`;
    const other = seen.get(key);
    if (other === undefined) seen.set(key, entry);
    else if (other.name !== entry.name)
      complain(
        reading,
        ['sources', entry.name],
        'config-same-key',
        other.as === entry.as
          ? `"${entry.as}" is a name of "${other.name}" too: only one source can have had it.`
          : `The names "${other.as}" and "${entry.as}" happen to give the same key "${sourceKey(entry.as)}" to their events. Rename the newer source.`,
      );
  }
}
