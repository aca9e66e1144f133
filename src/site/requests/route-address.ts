import { remembered } from '../../remembered.ts';
import type { SiteSettings } from '../context.ts';

const PREFIX = /^\/api(?=\/|$)/i;
const HOME = /^\/(?:index\.php)?$/;

/**
 * The route that an address names, in its path (`/api/…`) or as real sites without speaking addresses have it
 * (`/?rest_route=/…`); undefined where it names none.
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
 * A site may be installed below a path. A proxy in front of it removes that path, our own client in process does not.
 */
const withoutBase = (pathname: string, base: string): string =>
  base !== '' && pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : pathname;

/** That of the root of a host is ''. */
const pathOf = remembered((url) => new URL(url).pathname.replace(/\/$/, ''));
