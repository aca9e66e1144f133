import { createHash, timingSafeEqual } from 'node:crypto';

// The user ends at the last "@" of the authority (WHATWG URL, 4.4). A password that is not percent-encoded may contain
// characters that end the authority; in that case, what follows the colon is not a port.
const USER_IN_ADDRESS =
  /([a-z][a-z0-9+.-]{0,40}:\/\/)(?:[^/\s"\\?#]*@|[^/\s"\\?#@:[]{0,256}:(?!\d*(?:[/?#\s"\\]|$))[^\s"]{0,256}@)/gi;
const SECRET_IN_QUERY = /([?&](?:[\w-]*(?:password|secret|token|key|auth|signature)|sig|pw)=)[^&\s"\\#]+/gi;
// The unguessable part of a private calendar's address at Google and at Outlook.
const SECRET_IN_PATH = /(\/private-)[0-9a-f]+|(\/owa\/calendar\/[^/\s"]+\/)[0-9a-f]{16,}/gi;
// Not "Basic training": credentials contain a digit, padding, or capitals in the middle.
const CREDENTIALS = /\b(Bearer\s+|Basic\s+(?=[\w.~+/-]*(?:\d|=|[a-z][A-Z])))[\w.~+/=-]{6,}/g;

/** A text with its secrets removed: users in addresses, keys in queries, credentials in sentences. */
export function redact(text: string): string {
  return text
    .replace(USER_IN_ADDRESS, '$1[secret]@')
    .replace(SECRET_IN_QUERY, '$1[secret]')
    .replace(SECRET_IN_PATH, '$1$2[secret]')
    .replace(CREDENTIALS, '$1[secret]');
}

/** The same for text that people typed: an address may lack its scheme, as in `user:password@host`. */
export const redactWritten = (text: string): string => redact(text).replace(USER_ALONE, '[secret]@');
const USER_ALONE = /[^\s"'{[,/@:]+:[^\s"'/@]+@/g;

/** Whether a text is the secret. Takes the same time however much of it is right, so that the time reveals nothing. */
export const isSameSecret = (given: string, secret: string): boolean =>
  timingSafeEqual(digestOf(given), digestOf(secret));

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
