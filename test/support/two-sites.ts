import type { RealSite } from './real-site/real-site.ts';

/** Everything that is promised about a sync holds on both sites. */
export const SITES = ['the built-in site', 'a real site'] as const;
export type Site = (typeof SITES)[number];

/** A configuration with one source, `town`, whose feed is at `feeds`, on one of the sites. */
export function townOn(site: Site, real: RealSite, feeds: { readonly url: string }): string {
  const { username, applicationPassword } = real.credentials;
  const target =
    site === 'a real site'
      ? `site: { url: "${real.root}", namespace: ${real.namespace}, username: ${username}, application_password: "${applicationPassword}" }\n`
      : '';
  return (
    `${target}builtin: { timezone: Europe/Warsaw }\nfetch: { allow_addresses: ` +
    `[127.0.0.1/32] }\nsources:\n  town: { url: "${feeds.url}/town.ics", missing: ` +
    '{ after: 1 } }\n'
  );
}
