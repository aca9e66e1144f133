/**
 * An address as logs and problems may show it: host and path, without user, query and fragment, and with the path's
 * secret-looking parts hidden, for a private feed's address is its password.
 */
export function publicAddress(address: string): string {
  if (!URL.canParse(address)) return hidden(address.replace(/[?#].*$/, ''));
  const { protocol, host, pathname } = new URL(address);
  return protocol === 'file:' ? pathname : `${host}${hidden(pathname)}`;
}

const hidden = (path: string): string =>
  path
    .split('/')
    .map((part) => (isSecretLooking(part) ? `…${extensionOf(part)}` : part))
    .join('/');

// Random names are long and hold a long run that mixes letters and digits, as no words do; or they are nothing but
// hexadecimal digits.
function isSecretLooking(part: string): boolean {
  const name = decoded(part).replace(EXTENSION, '');
  const isMixed = name.split(/[^A-Za-z0-9]+/).some((run) => run.length > 12 && /\d/.test(run) && /[A-Za-z]/.test(run));
  // Private feeds of this program are at /feeds/~<secret>/.
  return /^~.{16,}$/.test(name) || (name.length >= 20 && (isMixed || /^[0-9a-f-]*\d[0-9a-f-]*$/i.test(name)));
}

const EXTENSION = /\.(?:ics|ical|csv|txt|json|xml|php|aspx?)$/i;

const extensionOf = (part: string): string => EXTENSION.exec(part)?.[0] ?? '';

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A stray % is no escape: the part is shown as it stands.
    return part;
  }
}
