import type { SiteConfig } from '../../config/config.ts';

/** What a site is called in our own tables. */
export const keyOfSite = ({ url, namespace }: Pick<SiteConfig, 'url' | 'namespace'>): string =>
  url === 'builtin' ? 'builtin' : `${url} ${namespace}`;
