import type { Frame } from './layout.ts';

/** What a link has on a page in somebody's frame: it opens in a tab of its own. */
export const tabOf = ({ ownTab }: Frame): { readonly target?: string; readonly rel?: string } =>
  ownTab ? { target: '_blank', rel: 'noopener' } : {};
