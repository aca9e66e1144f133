import { redact } from '../../redact.ts';
import { shortened } from '../../html/shortened.ts';

/**
 * An address as logs and problems may show it: host and path, without user, query and fragment. Parts of the path that
 * look secret are hidden, because the address of a private feed is its password. Of a very long one, the beginning.
 */
export function publicAddress(address: string): string {
  return shortened(shownOf(address), SHOWN_MAX);
}

/** Longer ones are of redirects that mean no good, and would fill logs and letters. */
const SHOWN_MAX = 500;

function shownOf(address: string): string {
  if (!URL.canParse(address)) return hidden(address.replace(/[?#].*$/, ''));
  const { protocol, host, pathname } = new URL(address);
  return protocol === 'file:' ? pathname : `${host}${hidden(pathname)}`;
}

/** Whether everybody may know an address of the web as it is: nothing in it looks like a secret. */
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

// Random names are long and contain a long run of mixed letters and digits, unlike words; or they consist of
// hexadecimal digits only.
function isSecretLooking(part: string): boolean {
  const name = decoded(part).replace(EXTENSION, '');
  const isMixed = name.split(/[^A-Za-z0-9]+/).some((run) => run.length > 12 && /\d/.test(run) && /[A-Za-z]/.test(run));
  // Private feeds of this program are at /feeds/~<secret>/.
  // In two steps, as a redirect may lead to thousands of digits: one would look at each of them from each other.
  const isHexadecimal = /^[0-9a-f-]*$/i.test(name) && /\d/.test(name);
  return /^~.{16,}$/.test(name) || (name.length >= 20 && (isMixed || isHexadecimal));
}

const EXTENSION = /\.(?:ics|ical|csv|txt|json|xml|php|aspx?)$/i;

const extensionOf = (part: string): string => EXTENSION.exec(part)?.[0] ?? '';

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A stray % is not an escape: the part is shown as it is.
    return part;
  }
}
