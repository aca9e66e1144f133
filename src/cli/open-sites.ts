import { makeSiteClient } from '../client/make-site-client.ts';
import { networkTransport, type NetworkTransport } from '../client/network-transport.ts';
import type { SiteClient } from '../client/site-client.ts';
import type { Config, SiteConfig } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import type { Logger } from '../log.ts';
import { userAgent } from '../run/fetch-feed.ts';
import { openBuiltin, type Builtin } from './open-builtin.ts';
import { VERSION } from './version.ts';

const TIMEOUT_MS = 60_000;

/** A configured site with clients for it. */
export interface OpenSite {
  readonly name: string;
  readonly config: SiteConfig;
  /** API root and namespace: whose ledger it is. */
  readonly key: string;
  /** The host in the UIDs of its events. */
  readonly host: string;
  readonly language: string;
  readonly isBuiltin: boolean;
  /** A new client that speaks `language`, where the site keeps languages apart. All of a site share its connections and their limit. */
  readonly client: (language?: string) => SiteClient;
}

export interface OpenSites {
  readonly sites: ReadonlyMap<string, OpenSite>;
  readonly builtin: Builtin;
  readonly close: () => Promise<void>;
}

/** Makes the clients of all configured sites; nothing is asked yet. */
export async function openSites(config: Config, database: Database, publicUrl: string, now: () => number, log: Logger): Promise<OpenSites> {
  const builtin = await openBuiltin(config, database, publicUrl, now, log);
  const transports: NetworkTransport[] = [];
  const sites = Object.entries(config.sites).map(([name, site]): [string, OpenSite] => {
    const isBuiltin = site.url === 'builtin';
    const language = site.language ?? (isBuiltin ? config.builtin.languages[0]! : 'en');
    const transport = isBuiltin ? undefined : transportFor(site, config);
    if (transport) transports.push(transport);
    const client = (spoken?: string): SiteClient => (transport ? remoteClient(site, transport, spoken ?? site.language) : builtin.client(spoken));
    return [name, { name, config: site, key: isBuiltin ? 'builtin' : `${site.url} ${site.namespace}`, host: new URL(isBuiltin ? publicUrl : site.url).host, language, isBuiltin, client }];
  });
  return { sites: new Map(sites), builtin, close: async () => { for (const transport of [...transports, builtin]) await transport.close(); } };
}

const transportFor = ({ requestsInFlight }: SiteConfig, { fetch }: Config): NetworkTransport =>
  networkTransport({ requestsInFlight, timeoutMs: TIMEOUT_MS, userAgent: userAgent(VERSION, fetch.contact) });

function remoteClient(site: SiteConfig, transport: NetworkTransport, language: string | undefined): SiteClient {
  const { username, applicationPassword: password, languageParameter } = site;
  return makeSiteClient({
    root: site.url, namespace: site.namespace, transport,
    ...(username && password ? { credentials: { username, applicationPassword: password.reveal() } } : {}),
    ...(languageParameter && language ? { languageParameter, language } : {}),
  });
}
