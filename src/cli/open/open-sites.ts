import type { OnAnswer, OnWait } from '../../client/ask.ts';
import { makeSiteClient, remembered, type Remembered } from '../../client/make-site-client.ts';
import { networkTransport, type NetworkTransport } from '../../client/network-transport.ts';
import type { Abilities, OnRead, SiteClient } from '../../client/site-client.ts';
import { sameValue } from '../../config/change/same-value.ts';
import type { Config, SiteConfig } from '../../config/config.ts';
import { AppError } from '../../error.ts';
import type { Database } from '../../db/database.ts';
import { hostGivenOut } from '../../feeds/content/export-state.ts';
import type { Logger } from '../../log.ts';
import type { Measures } from '../../measures.ts';
import { userAgent } from '../../run/fetch/fetch-feed.ts';
import { siteIdentity } from '../../site/site-identity.ts';
import { openBuiltin, type Builtin, type Listeners } from './open-builtin.ts';
import { keyOfSite } from '../terminal/site-key.ts';
import { VERSION } from '../terminal/version.ts';

const TIMEOUT_MS = 60_000;

/** A configured site with clients for it. */
export interface OpenSite {
  readonly name: string;
  readonly config: SiteConfig;
  /** API root and namespace, which identify the site's ledger. */
  readonly key: string;
  /** The host in the UIDs of its events; for the built-in site, its name. */
  readonly host: string;
  /** The home page for people. */
  readonly home: string;
  readonly language: string;
  readonly isBuiltin: boolean;
  /**
   * Returns a new client that uses `language`, if the site separates languages. All clients of a site share its
   * connections and their limit.
   */
  readonly client: (language?: string) => SiteClient;
}

export interface OpenSites {
  /** The sites of the configuration in force, in its order. */
  readonly sites: ReadonlyMap<string, OpenSite>;
  readonly builtin: Builtin;
  /** The name of the built-in site in UIDs. */
  readonly identity: string;
  /** Brings the sites in line with a configuration. Sites that have not changed stay the same objects. */
  readonly take: (config: Config, publicUrl: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The site with a name or, without one, the first in the configuration. Throws AppError if there is none. */
export function siteNamed({ sites }: Pick<OpenSites, 'sites'>, name?: string): OpenSite {
  const [first] = sites.values();
  const site = name === undefined ? first : sites.get(name);
  if (!site) throw new AppError('site-unknown', `The configuration has no site "${name ?? ''}".`);
  return site;
}

/** What the sites of a process share. */
interface Around {
  readonly database: Database;
  readonly now: () => number;
  readonly log: Logger;
  readonly measures: Measures;
  readonly onWait: OnWait;
  readonly onRead: OnRead;
  /**
   * Functions that close connections. Those of a former site stay open until the program ends, because a run may still
   * use them.
   */
  readonly closing: (() => Promise<void>)[];
}

/** The sites of one configuration. */
interface Opened extends Pick<OpenSites, 'sites' | 'builtin' | 'identity'> {
  readonly config: Config;
  readonly publicUrl: string;
}

/** Creates the clients of all configured sites, without sending any requests yet. */
export async function openSites(
  config: Config,
  database: Database,
  publicUrl: string,
  now: () => number,
  log: Logger,
  measures: Measures,
  { onWait, onRead }: Pick<Around, 'onWait' | 'onRead'>,
): Promise<OpenSites> {
  const around: Around = { database, now, log, measures, onWait, onRead, closing: [] };
  let current = await opened(around, config, publicUrl);
  return {
    get sites() {
      return current.sites;
    },
    get builtin() {
      return current.builtin;
    },
    get identity() {
      return current.identity;
    },
    take: async (after, url) => {
      current = await opened(around, after, url, current);
    },
    close: async () => {
      for (const close of around.closing.splice(0)) await close();
    },
  };
}

async function opened(around: Around, config: Config, publicUrl: string, before?: Opened): Promise<Opened> {
  const isSameAddress = before?.publicUrl === publicUrl;
  const isSameBuiltin =
    isSameAddress && sameValue(before.config.builtin, config.builtin) && sameValue(before.config.fetch, config.fetch);
  const builtin = isSameBuiltin ? before.builtin : await builtinOf(around, config, publicUrl);
  const identity = isSameAddress ? before.identity : await identityOf(config, around.database, new URL(publicUrl).host);
  const isSameSite = (site: SiteConfig): boolean =>
    before !== undefined &&
    sameValue(before.config.sites[site.name], site) &&
    (site.url === 'builtin' ? isSameBuiltin : before.config.fetch.contact === config.fetch.contact);
  const sites = Object.entries(config.sites).map(([name, site]): [string, OpenSite] => {
    const former = isSameSite(site) ? before?.sites.get(name) : undefined;
    return [name, former ?? openSite(around, site, config, { builtin, identity, publicUrl })];
  });
  return { config, publicUrl, builtin, identity, sites: new Map(sites) };
}

async function builtinOf({ database, now, log, closing }: Around, config: Config, publicUrl: string): Promise<Builtin> {
  const builtin = await openBuiltin(config, database, publicUrl, now, log);
  closing.push(builtin.close);
  return builtin;
}

function openSite(
  { onWait, onRead, measures, closing }: Around,
  site: SiteConfig,
  config: Config,
  { builtin, identity, publicUrl }: Pick<Opened, 'builtin' | 'identity' | 'publicUrl'>,
): OpenSite {
  const isBuiltin = site.url === 'builtin';
  const transport = isBuiltin ? undefined : transportFor(site, config);
  if (transport) closing.push(transport.close);
  const known = remembered<Abilities>();
  const onAnswer: OnAnswer = (status) =>
    measures.count('calsyncd_site_requests_total', { site: site.name, status: String(status) });
  return {
    name: site.name,
    config: site,
    key: keyOfSite(site),
    host: isBuiltin ? identity : new URL(site.url).host,
    home: isBuiltin ? `${publicUrl}/` : homeOf(site.url),
    language: site.language ?? (isBuiltin ? config.builtin.languages[0] : undefined) ?? 'en',
    isBuiltin,
    client: (spoken) =>
      transport
        ? remoteClient(site, transport, known, spoken ?? site.language, { onWait, onRead, onAnswer })
        : builtin.client(spoken, { onRead, onAnswer }),
  };
}

/**
 * The time zone of a site: the built-in site's from the configuration, another site's by asking it. Throws AppError.
 */
export async function timezoneOf(site: SiteConfig, config: Config, onWait: OnWait): Promise<string> {
  if (site.url === 'builtin') return config.builtin.timezone;
  const transport = transportFor(site, config);
  try {
    return (await remoteClient(site, transport, remembered(), site.language, { onWait }).abilities()).timezone;
  } finally {
    await transport.close();
  }
}

/** Published UIDs keep their host; new ones get the public one. A local port does not become part of the name. */
const identityOf = (config: Config, database: Database, host: string): Promise<string> =>
  siteIdentity(
    database.query(),
    async () => (await hostGivenOut(database, 'builtin', host)) ?? (config.builtin.publicUrl === '' ? undefined : host),
  );

/**
 * The home page of a site, derived from the address of its interface: `https://example.org/wp-json` →
 * `https://example.org/`.
 */
function homeOf(address: string): string {
  const url = new URL(address);
  return `${url.origin}${url.pathname.replace(/(?:\/index\.php)?(?:\/wp-json(?:\/.*)?)?$/, '')}`.replace(/\/?$/, '/');
}

const transportFor = ({ requestsInFlight }: SiteConfig, { fetch }: Config): NetworkTransport =>
  networkTransport({ requestsInFlight, timeoutMs: TIMEOUT_MS, userAgent: userAgent(VERSION, fetch.contact) });

function remoteClient(
  site: SiteConfig,
  transport: NetworkTransport,
  known: Remembered<Abilities>,
  language: string | undefined,
  listeners: Listeners,
): SiteClient {
  const { username, applicationPassword: password, languageParameter } = site;
  return makeSiteClient({
    root: site.url,
    namespace: site.namespace,
    transport,
    known,
    ...listeners,
    ...(username && password ? { credentials: { username, applicationPassword: password.reveal() } } : {}),
    ...(languageParameter ? { languageParameter } : {}),
    ...(language ? { language } : {}),
  });
}
