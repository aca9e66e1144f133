/**
 * An address as logs and problems may show it: host and path, without user, query and fragment, and with the path's
 * secret-looking parts hidden, for a private feed's address is its password.
 */
export function publicAddress(address: string): string {
  if (!URL.canParse(address)) return hidden(address.replace(/[?#].*$/, ''));
  const { protocol, host, pathname } = new URL(address);
  return protocol === 'file:' ? pathname : `${host}${hidden(pathname)}`;
}

const hidden = (path: string): string => path.split('/').map((part) => (isSecretLooking(part) ? `…${extensionOf(part)}` : part)).join('/');

// Random names are long, mix digits and letters (or are hex or a UUID), and hold no words.
function isSecretLooking(part: string): boolean {
  const name = decoded(part).slice(0, part.length - extensionOf(part).length);
  const tokens = name.split(/[^A-Za-z0-9]+/);
  return name.length > 24 && /\d/.test(name) && (tokens.some((token) => token.length > 12 && /\d/.test(token) && /[A-Za-z]/.test(token)) || /^[0-9a-f-]+$/i.test(name));
}

const extensionOf = (part: string): string => /\.[A-Za-z]{2,4}$/.exec(part)?.[0] ?? '';

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
