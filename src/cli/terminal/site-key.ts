import type { SiteConfig } from '../../config/config.ts';

/** The key that identifies a site in our tables. */
export const keyOfSite = ({ url, namespace }: Pick<SiteConfig, 'url' | 'namespace'>): string =>
  url === 'builtin' ? 'builtin' : `${url} ${namespace}`;
