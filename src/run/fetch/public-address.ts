import { redact } from '../../redact.ts';
import { shortened } from '../../html/shortened.ts';

/**
 * An address in a form fit for logs and problems: host and path, without user, query and fragment. Parts of the path
 * that look secret are hidden, because the address of a private feed is its password. Very long addresses are cut.
 */
export function publicAddress(address: string): string {
  return shortened(shownOf(address), SHOWN_MAX);
}

/** Longer addresses come from malicious redirects and would fill logs and letters. */
const SHOWN_MAX = 500;

function shownOf(address: string): string {
  if (!URL.canParse(address)) return hidden(address.replace(/[?#].*$/, ''));
  const { protocol, host, pathname } = new URL(address);
  return protocol === 'file:' ? pathname : `${host}${hidden(pathname)}`;
}

/** Whether an address on the web contains nothing that looks like a secret, so that it may be shown unchanged. */
export function isOpenAddress(address: string): boolean {
  if (!URL.canParse(address) || redact(address) !== address) return false;
  const { protocol, pathname, searchParams, username } = new URL(address);
  return (
    /^https?:$/.test(protocol) &&
    username === '' &&
    hidden(pathname) === pathname &&
    [...searchParams.values()].every((value) => !isSecretLooking(value))
  );
}

const hidden = (path: string): string =>
  path
    .split('/')
    .map((part) => (isSecretLooking(part) ? `…${extensionOf(part)}` : part))
    .join('/');

// Random names are long and, unlike words, contain a long run of mixed letters and digits, or hexadecimal digits only.
function isSecretLooking(part: string): boolean {
  const name = decoded(part).replace(EXTENSION, '');
  const isMixed = name.split(/[^A-Za-z0-9]+/).some((run) => run.length > 12 && /\d/.test(run) && /[A-Za-z]/.test(run));
  // Private feeds of this program are at /feeds/~<secret>/. Tested in two steps, because a single expression takes
  // quadratic time on the thousands of digits that a redirect may contain.
  const isHexadecimal = /^[0-9a-f-]*$/i.test(name) && /\d/.test(name);
  return /^~.{16,}$/.test(name) || (name.length >= 20 && (isMixed || isHexadecimal));
}

const EXTENSION = /\.(?:ics|ical|csv|txt|json|xml|php|aspx?)$/i;

const extensionOf = (part: string): string => EXTENSION.exec(part)?.[0] ?? '';

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A stray % is not an escape; the part is shown as it is.
    return part;
  }
}
