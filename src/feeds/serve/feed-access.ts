import { createHash, timingSafeEqual } from 'node:crypto';
import type { FeedAccess } from '../definition/definition.ts';

/** The parts of a path below `/feeds/`: what it names, in which form, and the secret before it. */
export interface AddressAsked {
  readonly path: string;
  readonly form: 'ics' | 'csv' | 'page';
  readonly secret: string | undefined;
}

/** `/feeds/~secret/staff.ics` → its parts; undefined for any other kind of path. */
export function addressAsked(pathname: string): AddressAsked | undefined {
  const [, secret, rest = ''] = /^\/feeds\/(?:~([^/]+)\/)?(.+)$/.exec(pathname) ?? [];
  const [, name = rest, form = 'page'] = /^(.+)\.(ics|csv)$/.exec(rest) ?? [];
  try {
    const parts = name.split('/').map((part) => decodeURIComponent(part));
    if (parts.some((part) => part === '' || part.includes('/'))) return undefined;
    // The expression allows only these three.
    return {
      path: ['feeds', ...parts].join('/'),
      form: form as AddressAsked['form'],
      secret: secret === undefined ? undefined : decodeURIComponent(secret),
    };
  } catch {
    // A path with invalid percent-encoding names nothing.
    return undefined;
  }
}

/**
 * Whether a request may have a feed: `hidden` must look as if there were none, `unauthorized` asks for user and
 * password.
 */
export function accessOf(
  access: FeedAccess | undefined,
  secret: string | undefined,
  authorization: string | null,
): 'open' | 'hidden' | 'unauthorized' {
  // An open feed has one address only.
  if (access?.secret ? secret === undefined || !isSame(secret, access.secret.reveal()) : secret !== undefined)
    return 'hidden';
  if (!access?.basic) return 'open';
  const { username, password } = access.basic;
  const given = /^basic\s+(.+)$/i.exec(authorization ?? '')?.[1] ?? '';
  return isSame(Buffer.from(given, 'base64').toString(), `${username}:${password.reveal()}`) ? 'open' : 'unauthorized';
}

/** Takes the same time however much is right, so that the time reveals nothing. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digestOf(one), digestOf(other));

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
