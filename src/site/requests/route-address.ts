import { remembered } from '../../remembered.ts';
import type { SiteSettings } from '../context.ts';

const PREFIX = /^\/api(?=\/|$)/i;
const HOME = /^\/(?:index\.php)?$/;

/**
 * The route that an address names, in its path (`/api/…`) or, as on real sites without pretty permalinks, in a
 * parameter (`/?rest_route=/…`); undefined if it names none.
 */
export function routeNamedBy(
  { pathname, searchParams }: URL,
  { publicUrl }: Pick<SiteSettings, 'publicUrl'>,
): string | undefined {
  const path = withoutBase(pathname, pathOf(publicUrl));
  if (PREFIX.test(path)) return path.replace(PREFIX, '') || '/';
  return (HOME.test(path) && searchParams.get('rest_route')) || undefined;
}

/**
 * A site may be installed below a path. A proxy in front of it removes that path; our own in-process client does not.
 */
const withoutBase = (pathname: string, base: string): string =>
  base !== '' && pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : pathname;

/** The path of a site's address; '' if it is the root of its host. */
const pathOf = remembered((url) => new URL(url).pathname.replace(/\/$/, ''));
