import type { AlertChannel, AlertKind } from './alerts/alert-kinds.ts';
import type { FormatName } from '../sync/formats/format-kinds.ts';
import type { DraftConfig } from '../sync/model/draft.ts';
import type { FeedEntry, SourceEntry } from './declaration.ts';
import type { DayHours } from './kinds.ts';
import type { Secret } from './secret.ts';

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** The whole configuration, with defaults, durations in milliseconds, and secrets wrapped. */
export interface Config {
  /** The configuration file, as an absolute path. */
  readonly file: string;
  readonly port: number;
  readonly host: string;
  /** Absolute. */
  readonly dataDir: string;
  /** PostgreSQL's URL; undefined: the embedded server. */
  readonly databaseUrl: Secret | undefined;
  /** The URL of Redis or Valkey for the queue; undefined: PostgreSQL. */
  readonly redisUrl: Secret | undefined;
  /** Where traces go, by OTLP over HTTP; undefined: nowhere. */
  readonly traces:
    | { readonly endpoint: string; readonly headers: Readonly<Record<string, Secret>>; readonly service: string }
    | undefined;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** By name; a file with one `site` calls it `site`. */
  readonly sites: Readonly<Record<string, SiteConfig>>;
  readonly builtin: BuiltinConfig;
  /** In the order of the file. */
  readonly sources: readonly SourceConfig[];
  readonly feeds: readonly FeedConfig[];
  readonly alerts: AlertsConfig;
  readonly operator: {
    /** Networks from which the console may be used, besides this machine. */
    readonly allowAddresses: readonly string[];
    /** Networks of proxies whose word counts on whom they ask for, besides those on this machine. */
    readonly trustedProxies: readonly string[];
    /** What of the environment forms of the console may name. */
    readonly environment: readonly string[];
  };
  /** `/metrics`: without a token for programs on this machine; `perSource`: however many sources there are. */
  readonly metrics: { readonly token: Secret | undefined; readonly perSource: boolean };
  readonly backup: BackupConfig;
  readonly fetch: {
    readonly contact: string | undefined;
    readonly allowAddresses: readonly string[];
    /** Absolute directories, starting with the configuration file's. */
    readonly allowFiles: readonly string[];
    /** How large a feed may be. */
    readonly bytesMax: number;
  };
}

export interface BackupConfig {
  /** Undefined: backups are made on request only. */
  readonly schedule: SourceConfig['schedule'] | undefined;
  /** How many copies stay. */
  readonly keep: number;
  /** Absolute; undefined: in the data directory. */
  readonly folder: string | undefined;
}

export interface AlertsConfig {
  readonly webhook: Secret | undefined;
  readonly mail: MailConfig | undefined;
  /** In the order of the file. */
  readonly receivers: readonly ReceiverConfig[];
}

export interface MailConfig {
  /** smtp: or smtps:, without user and password. */
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
  /** Empty: of all sources. */
  readonly sources: readonly string[];
  readonly afterMs: number;
  readonly quiet: DayHours | undefined;
  /** In minutes since midnight. */
  readonly digestAt: number;
  /** With it, the receiver may decide on held runs without signing in. */
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
  /** The colour of the pages, `#RRGGBB`, if one is given. */
  readonly brand: string | undefined;
  /** A picture: an absolute file: URL, or an https: one. */
  readonly logo: string | undefined;
  /** Visitors may suggest events. */
  readonly suggestions: boolean;
  readonly trashDays: number;
  readonly namespaceAlias: string | undefined;
  /** For costs that name no currency. */
  readonly currency: { readonly symbol: string; readonly position: 'prefix' | 'postfix' };
}

export interface SourceConfig {
  readonly name: string;
  /** Its name before it was renamed. */
  readonly was: string | undefined;
  /** The name of its site. */
  readonly site: string;
  /** The mail address of whoever publishes it. */
  readonly publisher: string | undefined;
  /** http, https, webcal or file; files are absolute file: URLs; without user and password, which are in `auth`. */
  readonly url: string;
  readonly format: FormatName | undefined;
  readonly schedule: { readonly everyMs: number } | { readonly cron: string; readonly timezone: string };
  /** Its own, else its site's. */
  readonly language: string | undefined;
  readonly window: { readonly pastMs: number; readonly futureMs: number };
  readonly drafts: DraftConfig;
  readonly authority: { readonly default: Authority; readonly fields: Readonly<Record<string, Authority>> };
  readonly missing: SourceEntry['missing'];
  readonly hold: { readonly share: number; readonly moreThan: number };
  readonly auth: SourceEntry['auth'];
  /** Whether it is read only when a person asks for it. */
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
  /** Who may read it; undefined: everybody. */
  readonly access: { readonly secret?: Secret; readonly basic?: NonNullable<FeedEntry['basic']> } | undefined;
}
