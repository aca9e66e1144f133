import { ALERT_CHANNELS } from './alerts/alert-kinds.ts';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config, FeedConfig, ReceiverConfig, SiteConfig, SourceConfig } from './config.ts';
import { calendarColor } from '../ical/write/write-color.ts';
import type { ConfigFile, FeedEntry, ReceiverEntry, SiteEntry, SourceEntry } from './declaration.ts';
import { Secret } from './secret.ts';

const HOUR_MS = 3_600_000;
/** The name of the only site of a file without `sites`. */
export const ONLY_SITE = 'site';

type FromFile = Pick<
  Config,
  'file' | 'sites' | 'builtin' | 'sources' | 'feeds' | 'alerts' | 'operator' | 'metrics' | 'backup' | 'fetch'
>;

/** Converts valid content to the form that the program uses. `file` is absolute. */
export function resolveConfig(content: ConfigFile, file: string): FromFile {
  const sites = sitesOf(content);
  const directory = path.dirname(file);
  const { builtin, alerts, operator, metrics, backup, fetch } = content;
  return {
    file,
    sites,
    builtin: {
      title: builtin.title,
      description: builtin.description,
      timezone: builtin.timezone,
      languages: builtin.languages,
      publicUrl: builtin.public_url,
      brand: builtin.brand && calendarColor(builtin.brand)?.hex,
      logo: builtin.logo && logoAddressOf(builtin.logo, directory),
      suggestions: builtin.suggestions,
      trashDays: builtin.trash_days,
      namespaceAlias: builtin.namespace_alias,
      currency: builtin.currency,
    },
    sources: Object.entries(content.sources).map(([name, entry]) =>
      sourceOf(name, entry, sites, builtin.timezone, directory),
    ),
    feeds: Object.entries(content.feeds).map(([id, entry]) => feedOf(id, entry, sites)),
    alerts: {
      webhook: alerts.webhook,
      mail: alerts.mail && { username: undefined, password: undefined, ...alerts.mail },
      receivers: Object.entries(alerts.receivers).flatMap(([name, entry]) => receiversOf(name, entry)),
    },
    operator: {
      allowAddresses: operator.allow_addresses,
      trustedProxies: operator.trusted_proxies,
      environment: operator.environment,
    },
    metrics: { token: metrics.token, perSource: metrics.per_source },
    backup: {
      schedule: backupSchedule(backup, builtin.timezone),
      keep: backup.keep,
      folder: backup.folder && path.resolve(directory, backup.folder),
    },
    fetch: {
      contact: fetch.contact,
      allowAddresses: fetch.allow_addresses,
      allowFiles: [directory, ...fetch.allow_files.map((allowed) => path.resolve(directory, allowed))],
      bytesMax: fetch.max_megabytes * 1_000_000,
    },
  };
}

function backupSchedule({ every, cron }: ConfigFile['backup'], timezone: string): Config['backup']['schedule'] {
  if (cron !== undefined) return { cron, timezone };
  return every === undefined ? undefined : { everyMs: every };
}

/** The address of a logo; that of a file is made absolute. */
export const logoAddressOf = (written: string, directory: string): string =>
  /^file:/i.test(written) ? fileAddressOf(written, directory) : written;

/** The sites by name: those of `sites`, or else the single `site`, or else the built-in one. */
export function sitesOf({ site, sites }: ConfigFile): Readonly<Record<string, SiteConfig>> {
  if (sites) return Object.fromEntries(Object.entries(sites).map(([name, entry]) => [name, siteOf(name, entry)]));
  const builtin: SiteEntry = {
    url: 'builtin',
    namespace: 'calendar/events/v1',
    requests_in_flight: 4,
    full_every: 24 * HOUR_MS,
  };
  return { [ONLY_SITE]: siteOf(ONLY_SITE, site ?? builtin) };
}

const siteOf = (name: string, entry: SiteEntry): SiteConfig => ({
  name,
  url: entry.url,
  namespace: entry.namespace,
  username: entry.username,
  applicationPassword: entry.application_password,
  language: entry.language,
  languageParameter: entry.language_parameter,
  requestsInFlight: entry.requests_in_flight,
  fullEveryMs: entry.full_every,
});

// With several sites, checks ensure that each source and feed names one.
const siteNameOf = (entry: { readonly site?: string }, sites: FromFile['sites']): string =>
  entry.site ?? Object.keys(sites)[0] ?? ONLY_SITE;

function sourceOf(
  name: string,
  entry: SourceEntry,
  sites: FromFile['sites'],
  timezone: string,
  directory: string,
): SourceConfig {
  const site = siteNameOf(entry, sites);
  const { url, user } = addressOf(entry.url, directory);
  return {
    name,
    was: entry.was,
    site,
    publisher: entry.publisher,
    url,
    format: entry.format,
    schedule:
      entry.cron === undefined
        ? { everyMs: entry.every ?? HOUR_MS }
        : { cron: entry.cron, timezone: entry.timezone ?? timezone },
    language: entry.language ?? sites[site]?.language,
    window: { pastMs: entry.window.past, futureMs: entry.window.future },
    drafts: draftsOf(entry),
    authority:
      typeof entry.authority === 'string'
        ? { default: entry.authority, fields: {} }
        : { default: 'preserve', fields: entry.authority },
    missing: entry.missing,
    hold: { share: entry.hold.share, moreThan: entry.hold.more_than },
    auth: user && !entry.auth.basic && !entry.auth.bearer ? { ...entry.auth, basic: user } : entry.auth,
    paused: entry.paused,
    ownFeed: entry.own_feed,
  };
}

const draftsOf = (entry: SourceEntry): SourceConfig['drafts'] => ({
  timezone: entry.timezone,
  utcTimes: entry.utc_times,
  status: entry.status,
  categories: entry.categories,
  tags: entry.tags,
  defaultVenue: entry.venue.default,
  venueAliases: entry.venue.aliases,
  defaultOrganizer: entry.organizer.default,
  organizerAliases: entry.organizer.aliases,
  set: entry.set,
  only: entry.only,
  skip: entry.skip,
  columns: entry.columns,
});

function feedOf(id: string, { secret, basic, ...entry }: FeedEntry, sites: FromFile['sites']): FeedConfig {
  const access = secret || basic ? { ...(secret && { secret }), ...(basic && { basic }) } : undefined;
  return { ...entry, id, title: entry.title ?? id, site: siteNameOf(entry, sites), window: entry.window, access };
}

// Checks ensure that each has exactly one address.
const receiversOf = (name: string, entry: ReceiverEntry): readonly ReceiverConfig[] =>
  ALERT_CHANNELS.flatMap((channel) => {
    const address = entry[channel];
    if (address === undefined) return [];
    return {
      name,
      channel,
      address: typeof address === 'string' ? new Secret(address) : address,
      token: entry.token,
      hears: entry.hears,
      sources: entry.sources,
      afterMs: entry.after,
      quiet: entry.quiet,
      digestAt: entry.digest_at,
      code: entry.code,
    };
  });

/** An absolute address, without the user that it contained. */
function addressOf(
  written: string,
  directory: string,
): { url: string; user: { username: string; password: Secret } | undefined } {
  if (/^file:/i.test(written)) return { url: fileAddressOf(written, directory), user: undefined };
  const url = new URL(written.replace(/^webcal(s?):/i, 'http$1:'));
  if (url.username === '') return { url: written, user: undefined };
  const user = { username: decodeURIComponent(url.username), password: new Secret(decodeURIComponent(url.password)) };
  return { url: written.replace(/\/\/[^/?#]*@/, '//'), user };
}

/** Makes a file address absolute that may be relative to a directory. */
export function fileAddressOf(written: string, directory: string): string {
  return /^file:\/\//i.test(written)
    ? written
    : pathToFileURL(path.resolve(directory, decoded(written.slice('file:'.length)))).href;
}

// Addresses use percent escapes; paths as people write them do not, and may contain a literal %.
function decoded(named: string): string {
  try {
    return decodeURIComponent(named);
  } catch {
    return named;
  }
}
