import type { Frame } from './layout.ts';

/** Link attributes for opening a new tab, on pages in another site's frame. */
export const tabOf = ({ ownTab }: Frame): { readonly target?: string; readonly rel?: string } =>
  ownTab ? { target: '_blank', rel: 'noopener' } : {};
