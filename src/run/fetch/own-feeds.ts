import { failed, type FetchResult } from './fetch-result.ts';
import { publicAddress } from './public-address.ts';
import type { SharedFetch } from './shared-fetch.ts';

/** Whether an address is that of a calendar published by this program. */
export type IsOwn = (address: string) => boolean;

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1?\]|0\.0\.0\.0)$/i;

/** Recognises our own addresses: those below the public address, and those on the port that we listen on. */
export function ownAddresses(
  publicUrl: string,
  { host, port }: { readonly host: string; readonly port: number },
): IsOwn {
  const front = new URL(publicUrl);
  const base = front.pathname.replace(/\/$/, '');
  return (address) => {
    const url = URL.parse(address.replace(/^webcal(s?):/i, 'http$1:'));
    if (!url || !/^https?:$/.test(url.protocol)) return false;
    const isPublic =
      url.hostname === front.hostname && publicPort(url) === publicPort(front) && url.pathname.startsWith(`${base}/`);
    const isLocal = portOf(url) === port && (LOOPBACK.test(url.hostname) || url.hostname === host);
    const path = isPublic ? url.pathname.slice(base.length) : url.pathname;
    return (isPublic || isLocal) && /^\/(?:feeds\/.|event\/[^/]+\.ics$)/.test(path);
  };
}

/** The port that a request to an http or https address uses. */
const portOf = ({ port, protocol }: URL): number => (port === '' ? DEFAULT_PORTS[protocol] : Number(port)) ?? 0;

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** The port as written in the public address, which often has https in front of plain http; both are this program. */
const publicPort = ({ port }: URL): string => port || 'default';

/** Refuses to fetch what this program itself publishes, because a calendar that feeds itself only grows. */
export function refusingOwn(fetch: SharedFetch, isOwn: IsOwn): SharedFetch {
  return async (source, address, validators): Promise<FetchResult> => {
    if (isOwn(address.url)) return refused(address.url);
    const result = await fetch(source, address, validators);
    return result.kind !== 'failed' && isOwn(result.finalUrl) ? refused(result.finalUrl) : result;
  };
}

const refused = (address: string): FetchResult =>
  failed(
    'feed-own',
    `${publicAddress(address)} is a calendar that calsyncd itself publishes: ` +
      'reading it would be a loop. If that is what you want, for another site, set own_feed: ' +
      'true for this source.',
  );
