import type { AlertChannel, AlertKind } from './alerts/alert-kinds.ts';
import type { FormatName } from '../sync/formats/format-kinds.ts';
import type { DraftConfig } from '../sync/model/draft.ts';
import type { FeedEntry, SourceEntry } from './declaration.ts';
import type { DayHours } from './kinds.ts';
import type { Secret } from './secret.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The whole configuration, with defaults applied, durations in milliseconds, and secrets wrapped. */
export interface Config {
  /** The absolute path of the configuration file. */
  readonly file: string;
  readonly port: number;
  readonly host: string;
  /** Absolute. */
  readonly dataDir: string;
  /** PostgreSQL's URL; undefined for the embedded server. */
  readonly databaseUrl: Secret | undefined;
  /** The URL of Redis or Valkey for the queue; undefined for PostgreSQL. */
  readonly redisUrl: Secret | undefined;
  /** Where traces are sent, by OTLP over HTTP; undefined for nowhere. */
  readonly traces:
    | { readonly endpoint: string; readonly headers: Readonly<Record<string, Secret>>; readonly service: string }
    | undefined;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** By name; a single `site` is named `site`. */
  readonly sites: Readonly<Record<string, SiteConfig>>;
  readonly builtin: BuiltinConfig;
  /** In the order of the file. */
  readonly sources: readonly SourceConfig[];
  readonly feeds: readonly FeedConfig[];
  readonly alerts: AlertsConfig;
  readonly operator: {
    /** Networks allowed to use the console, besides this machine. */
    readonly allowAddresses: readonly string[];
    /** Networks of proxies whose forwarding headers are trusted, besides those on this machine. */
    readonly trustedProxies: readonly string[];
    /** The environment variables that forms of the console may name. */
    readonly environment: readonly string[];
  };
  /**
   * `/metrics`: without a token only for local programs. `perSource`: with values of each source, however many there
   * are.
   */
  readonly metrics: { readonly token: Secret | undefined; readonly perSource: boolean };
  readonly backup: BackupConfig;
  readonly fetch: {
    readonly contact: string | undefined;
    readonly allowAddresses: readonly string[];
    /** Absolute directories, the first being that of the configuration file. */
    readonly allowFiles: readonly string[];
    /** The maximum size of a feed. */
    readonly bytesMax: number;
  };
}

export interface BackupConfig {
  /** Undefined if backups are only made on request. */
  readonly schedule: SourceConfig['schedule'] | undefined;
  /** How many backups are kept. */
  readonly keep: number;
  /** Absolute; undefined for the one in the data directory. */
  readonly folder: string | undefined;
}

export interface AlertsConfig {
  readonly webhook: Secret | undefined;
  readonly mail: MailConfig | undefined;
  /** In the order of the file. */
  readonly receivers: readonly ReceiverConfig[];
}

export interface MailConfig {
  /** An smtp: or smtps: URL without user and password. */
  readonly server: string;
  readonly username: string | undefined;
  readonly password: Secret | undefined;
  readonly from: string;
}

export interface ReceiverConfig {
  readonly name: string;
  readonly channel: AlertChannel;
  readonly address: Secret;
  /** For ntfy. */
  readonly token: Secret | undefined;
  readonly hears: readonly AlertKind[];
  /** Empty for all sources. */
  readonly sources: readonly string[];
  readonly afterMs: number;
  readonly quiet: DayHours | undefined;
  /** In minutes since midnight. */
  readonly digestAt: number;
  /** Allows the receiver to decide on held runs without signing in. */
  readonly code: Secret | undefined;
}

export interface SiteConfig {
  readonly name: string;
  /** `builtin`, or the API root without a trailing slash. */
  readonly url: string;
  readonly namespace: string;
  readonly username: string | undefined;
  readonly applicationPassword: Secret | undefined;
  readonly language: string | undefined;
  readonly languageParameter: string | undefined;
  readonly requestsInFlight: number;
  readonly fullEveryMs: number;
}

export interface BuiltinConfig {
  readonly title: string;
  readonly description: string;
  readonly timezone: string;
  readonly languages: readonly string[];
  /** Without a trailing slash; '' if not given. */
  readonly publicUrl: string;
  /** The colour of the pages, `#RRGGBB`, if given. */
  readonly brand: string | undefined;
  /** The address of a picture: an absolute file: URL, or an https: one. */
  readonly logo: string | undefined;
  /** Whether visitors may suggest events. */
  readonly suggestions: boolean;
  readonly trashDays: number;
  readonly namespaceAlias: string | undefined;
  /** For costs that do not name a currency. */
  readonly currency: { readonly symbol: string; readonly position: 'prefix' | 'postfix' };
}

export interface SourceConfig {
  readonly name: string;
  /** Its name before it was renamed. */
  readonly was: string | undefined;
  /** The name of its site. */
  readonly site: string;
  /** The publisher's mail address. */
  readonly publisher: string | undefined;
  /** An http, https, webcal or absolute file: URL. User and password are moved to `auth`. */
  readonly url: string;
  readonly format: FormatName | undefined;
  readonly schedule: { readonly everyMs: number } | { readonly cron: string; readonly timezone: string };
  /** Its own or else its site's. */
  readonly language: string | undefined;
  readonly window: { readonly pastMs: number; readonly futureMs: number };
  readonly drafts: DraftConfig;
  readonly authority: { readonly default: Authority; readonly fields: Readonly<Record<string, Authority>> };
  readonly missing: SourceEntry['missing'];
  readonly hold: { readonly share: number; readonly moreThan: number };
  readonly auth: SourceEntry['auth'];
  /** Whether it is only read on request. */
  readonly paused: boolean;
  /** Whether it may read a calendar published by this program. */
  readonly ownFeed: boolean;
}
export type Authority = 'preserve' | 'feed' | 'site';

export interface FeedConfig extends Omit<FeedEntry, 'title' | 'site' | 'window' | 'secret' | 'basic'> {
  readonly id: string;
  readonly title: string;
  readonly site: string;
  /** In milliseconds. */
  readonly window: { readonly past: number; readonly future: number } | undefined;
  /** Who may read it; undefined for everybody. */
  readonly access: { readonly secret?: Secret; readonly basic?: NonNullable<FeedEntry['basic']> } | undefined;
}
