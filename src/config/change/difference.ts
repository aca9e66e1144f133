import { countInWords } from '../../count-in-words.ts';
import type { BuiltinConfig, Config, FeedConfig, SiteConfig, SourceConfig } from '../config.ts';
import { sameValue } from './same-value.ts';

/** Whether a change of a key takes effect while the program runs. */
type Takes = 'live' | 'restart';

// Every key of the configuration needs a row; a missing one does not compile.

/** Settings of the process itself wait for the next start. */
export const KEYS: Readonly<Record<keyof Config, { readonly name: string; readonly takes: Takes }>> = {
  file: { name: 'the place of the file', takes: 'restart' },
  port: { name: 'the port', takes: 'restart' },
  host: { name: 'the address to listen on', takes: 'restart' },
  dataDir: { name: 'the data directory', takes: 'restart' },
  databaseUrl: { name: 'the database', takes: 'restart' },
  redisUrl: { name: 'the queue', takes: 'restart' },
  traces: { name: 'OTEL_EXPORTER_OTLP_ENDPOINT', takes: 'restart' },
  logLevel: { name: 'the log level', takes: 'restart' },
  sites: { name: 'site', takes: 'live' },
  builtin: { name: 'builtin', takes: 'live' },
  sources: { name: 'source', takes: 'live' },
  feeds: { name: 'feed', takes: 'live' },
  alerts: { name: 'alerts', takes: 'live' },
  fetch: { name: 'fetch', takes: 'live' },
  operator: { name: 'operator', takes: 'live' },
  metrics: { name: 'metrics', takes: 'live' },
  backup: { name: 'backup', takes: 'live' },
};

const SOURCE_KEYS: Readonly<Record<keyof SourceConfig, string>> = {
  name: 'name',
  was: 'was',
  publisher: 'publisher',
  site: 'site',
  url: 'address',
  format: 'format',
  schedule: 'schedule',
  language: 'language',
  window: 'window',
  drafts: 'rules and mappings',
  authority: 'authority',
  missing: 'missing',
  hold: 'hold',
  auth: 'auth',
  paused: 'paused',
  ownFeed: 'own_feed',
};

const FEED_KEYS: Readonly<Record<keyof FeedConfig, string>> = {
  id: 'name',
  title: 'title',
  description: 'description',
  color: 'color',
  site: 'site',
  language: 'language',
  categories: 'categories',
  tags: 'tags',
  venue: 'venue',
  organizer: 'organizer',
  search: 'search',
  featured: 'featured',
  window: 'window',
  variant: 'variant',
  cancelled: 'cancelled',
  access: 'access',
};

const SITE_KEYS: Readonly<Record<keyof SiteConfig, string>> = {
  name: 'name',
  url: 'url',
  namespace: 'namespace',
  username: 'username',
  applicationPassword: 'application_password',
  language: 'language',
  languageParameter: 'language_parameter',
  requestsInFlight: 'requests_in_flight',
  fullEveryMs: 'full_every',
};

const BUILTIN_KEYS: Readonly<Record<keyof BuiltinConfig, string>> = {
  title: 'title',
  description: 'description',
  timezone: 'timezone',
  languages: 'languages',
  publicUrl: 'public_url',
  brand: 'brand',
  logo: 'logo',
  suggestions: 'suggestions',
  trashDays: 'trash_days',
  namespaceAlias: 'namespace_alias',
  currency: 'currency',
};

const ALERTS_KEYS: Readonly<Record<keyof Config['alerts'], string>> = {
  webhook: 'webhook',
  mail: 'mail',
  receivers: 'receivers',
};

const FETCH_KEYS: Readonly<Record<keyof Config['fetch'], string>> = {
  contact: 'contact',
  allowAddresses: 'allow_addresses',
  allowFiles: 'allow_files',
  bytesMax: 'max_megabytes',
};

const OPERATOR_KEYS: Readonly<Record<keyof Config['operator'], string>> = {
  allowAddresses: 'allow_addresses',
  trustedProxies: 'trusted_proxies',
  environment: 'environment',
};

const METRICS_KEYS: Readonly<Record<keyof Config['metrics'], string>> = { token: 'token', perSource: 'per_source' };

const BACKUP_KEYS: Readonly<Record<keyof Config['backup'], string>> = {
  schedule: 'schedule',
  keep: 'keep',
  folder: 'folder',
};

/** A named item that differs between two configurations; `keys` are those that differ. */
export interface Changed {
  readonly name: string;
  readonly keys: readonly string[];
}

/** The differences between named items. */
export interface NamedDifference {
  readonly added: readonly string[];
  readonly changed: readonly Changed[];
  readonly removed: readonly string[];
}

/** The differences between two configurations. */
export interface Difference {
  readonly sources: NamedDifference & {
    /** Counted neither as added nor as removed. */
    readonly renamed: readonly { readonly from: string; readonly to: string; readonly keys: readonly string[] }[];
  };
  readonly feeds: NamedDifference;
  readonly sites: NamedDifference;
  /** Other keys, as the file spells them: `builtin.title`. */
  readonly settings: readonly string[];
  /** What takes effect only at the next start, in words. */
  readonly restart: readonly string[];
}

/** What changes when `after` replaces `before`. */
export function differenceOf(before: Config, after: Config): Difference {
  return {
    sources: sourcesBetween(before.sources, after.sources),
    feeds: between(namedBy(before.feeds, 'id'), namedBy(after.feeds, 'id'), FEED_KEYS),
    sites: between(new Map(Object.entries(before.sites)), new Map(Object.entries(after.sites)), SITE_KEYS),
    settings: [
      ...settingsIn('builtin', before.builtin, after.builtin, BUILTIN_KEYS),
      ...settingsIn('alerts', before.alerts, after.alerts, ALERTS_KEYS),
      ...settingsIn('fetch', before.fetch, after.fetch, FETCH_KEYS),
      ...settingsIn('operator', before.operator, after.operator, OPERATOR_KEYS),
      ...settingsIn('metrics', before.metrics, after.metrics, METRICS_KEYS),
      ...settingsIn('backup', before.backup, after.backup, BACKUP_KEYS),
      ...(sameValue(sharedOrder(before, after), sharedOrder(after, before)) ? [] : ['the order of the sites']),
    ],
    restart: Object.entries(KEYS).flatMap(([key, { name, takes }]) =>
      takes === 'live' || sameValue(before[key as keyof Config], after[key as keyof Config]) ? [] : [name],
    ),
  };
}

/** `after` with the settings that need a restart taken from `running`. */
export function withRestartSettingsOf(running: Config, after: Config): Config {
  const kept = Object.entries(KEYS).flatMap(([key, { takes }]) =>
    takes === 'restart' ? [[key, running[key as keyof Config]] as const] : [],
  );
  return { ...after, ...Object.fromEntries(kept) };
}

/** Whether there is no difference. */
export const isNoDifference = ({ sources, feeds, sites, settings, restart }: Difference): boolean =>
  [
    sources.renamed,
    settings,
    restart,
    ...[sources, feeds, sites].flatMap((one) => [one.added, one.changed, one.removed]),
  ].every(({ length }) => length === 0);

/** A difference as a sentence without a full stop: "2 sources changed, 1 new; the port needs a restart". */
export function differenceInWords(difference: Difference): string {
  const { sources, feeds, sites, settings, restart } = difference;
  const parts = [
    namedInWords(sources, ['source', 'sources'], sources.renamed.length),
    namedInWords(feeds, ['feed', 'feeds']),
    namedInWords(sites, ['site', 'sites']),
    settings.length > 0 ? `${listed(settings)} changed` : '',
    restart.length > 0 ? `${listed(restart)} ${restart.length > 1 ? 'need' : 'needs'} a restart` : '',
  ].filter((part) => part !== '');
  return parts.length > 0 ? parts.join('; ') : 'nothing changed';
}

/** "2 sources changed, 1 new, 1 renamed, 1 removed"; '' if nothing changed. */
function namedInWords(
  { added, changed, removed }: NamedDifference,
  [one, many]: readonly [string, string],
  renamed = 0,
): string {
  const counts = (
    [
      [changed.length, 'changed'],
      [added.length, 'new'],
      [renamed, 'renamed'],
      [removed.length, 'removed'],
    ] as const
  ).filter(([count]) => count > 0);
  return counts
    .map(([count, word], index) => (index === 0 ? `${countInWords(count, one, many)} ${word}` : `${count} ${word}`))
    .join(', ');
}

function listed(words: readonly string[]): string {
  const [last, ...first] = words.toReversed();
  return first.length > 0 ? `${first.toReversed().join(', ')} and ${last}` : (last ?? '');
}

function sourcesBetween(before: readonly SourceConfig[], after: readonly SourceConfig[]): Difference['sources'] {
  const [earlier, later] = [namedBy(before, 'name'), namedBy(after, 'name')];
  const renamed = after.flatMap((source) => {
    const former = source.was === undefined || earlier.has(source.name) ? undefined : earlier.get(source.was);
    if (!former || later.has(former.name)) return [];
    const keys = keysBetween(former, source, SOURCE_KEYS).filter((key) => key !== 'name' && key !== 'was');
    return [{ from: former.name, to: source.name, keys }];
  });
  const { added, changed, removed } = between(earlier, later, SOURCE_KEYS);
  return {
    added: added.filter((name) => !renamed.some(({ to }) => to === name)),
    changed,
    removed: removed.filter((name) => !renamed.some(({ from }) => from === name)),
    renamed,
  };
}

const namedBy = <K extends string, T extends Readonly<Record<K, string>>>(
  all: readonly T[],
  key: K,
): ReadonlyMap<string, T> => new Map(all.map((one) => [one[key], one]));

function between<T extends object>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  names: Readonly<Record<keyof T & string, string>>,
): NamedDifference {
  return {
    added: [...after.keys()].filter((name) => !before.has(name)),
    changed: [...after].flatMap(([name, own]) => {
      const former = before.get(name);
      const keys = former ? keysBetween(former, own, names) : [];
      return keys.length > 0 ? [{ name, keys }] : [];
    }),
    removed: [...before.keys()].filter((name) => !after.has(name)),
  };
}

const keysBetween = <T extends object>(
  before: T,
  after: T,
  names: Readonly<Record<keyof T & string, string>>,
): readonly string[] =>
  Object.entries<string>(names).flatMap(([key, name]) =>
    sameValue(before[key as keyof T], after[key as keyof T]) ? [] : [name],
  );

const settingsIn = <T extends object>(
  part: string,
  before: T,
  after: T,
  names: Readonly<Record<keyof T & string, string>>,
): readonly string[] => keysBetween(before, after, names).map((name) => `${part}.${name}`);

/** The sites in both, in the order of the first. Order matters because the first site is the default. */
const sharedOrder = ({ sites }: Config, other: Config): readonly string[] =>
  Object.keys(sites).filter((name) => Object.hasOwn(other.sites, name));
