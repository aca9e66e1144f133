import type { DatabaseAddress } from '../../src/db/database.ts';

/** Another database on the same server. */
export function addressIn(server: DatabaseAddress, database: string): DatabaseAddress {
  if (!('url' in server)) return { ...server, database };
  const url = new URL(server.url);
  url.pathname = `/${database}`;
  return { url: url.href };
}

/** An address as a URL. */
export const urlOf = (address: DatabaseAddress): string =>
  'url' in address
    ? address.url
    : `postgresql:///${address.database}?${new URLSearchParams({ host: address.socketDirectory, user: address.user }).toString()}`;
