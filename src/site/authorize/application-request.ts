/** What an application requests when it sends a user to `/authorize`; '' for what it leaves out. */
export interface ApplicationRequest {
  readonly app_name: string;
  readonly app_id: string;
  readonly success_url: string;
  readonly reject_url: string;
}

const FIELDS = ['app_name', 'app_id', 'success_url', 'reject_url'] as const;

/** Reads the request from a query string or a form, ignoring other names. */
export function requestFrom(read: (name: string) => string | null | undefined): ApplicationRequest {
  // FIELDS has all four names.
  return Object.fromEntries(FIELDS.map((name) => [name, (read(name) ?? '').trim()])) as unknown as ApplicationRequest;
}

/** Whether an application makes a request; otherwise users are managing their own passwords. */
export const isAsked = (request: ApplicationRequest): boolean => FIELDS.some((name) => request[name] !== '');

/** The same as a query string, without empty values. */
export const queryOf = (request: ApplicationRequest): string =>
  String(new URLSearchParams(FIELDS.flatMap((name) => (request[name] === '' ? [] : [[name, request[name]]]))));

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/**
 * Returns why a request is refused, as a sentence; undefined if it is acceptable. `isLocal`: the site runs on this
 * machine.
 */
export function refusalOf(
  { app_id, success_url, reject_url }: ApplicationRequest,
  isLocal: boolean,
): string | undefined {
  if (app_id !== '' && !UUID.test(app_id)) return 'The application’s id (app_id) is not a UUID.';
  return addressRefusal('success_url', success_url, isLocal) ?? addressRefusal('reject_url', reject_url, isLocal);
}

// An application's own scheme is a reversed domain name of its maker (RFC 8252, section 7.1), or one word, as real
// sites accept it.
const OWN_SCHEME = /^[a-z][a-z0-9]*(?:(?:\.[a-z0-9-]+)+)?:$/;
// Words that belong to no application: browsers handle them themselves or pass them to the system, often with another
// address inside.
const TAKEN_WORDS = new Set(
  `about afp blob brave browser chrome cid content data devtools dict dns edge facetime feed file filesystem finger firefox fish ftp ftps
  geo gopher hcp imap intent ipp ipps irc ircs itms jar javascript ldap ldaps livescript mailto market mhtml mid mms mocha news nfs nntp opera
  pcast pop rdp res resource rlogin rsync rtsp sftp shell sip sips sms smsto smb ssh stun tag tel telnet tftp turn urn vbscript vivaldi vnc
  wais webcal webcals ws wss wyciwyg xmpp`
    .split(/\s+/)
    .map((word) => `${word}:`),
);

function addressRefusal(name: string, address: string, isLocal: boolean): string | undefined {
  if (address === '') return undefined;
  const url = URL.parse(address);
  if (!url || !HOST.test(url.hostname))
    return `The address ${name} must be whole, with a scheme and the name of a host, such as https://app.example/done.`;
  if (url.username !== '' || url.password !== '') return `The address ${name} must not hold a user name or a password.`;
  if (url.protocol === 'http:' && !isLocal && !isLoopback(url.hostname))
    return `The address ${name} must be served over a secure connection (https), for a password is sent to it.`;
  const isOwn = OWN_SCHEME.test(url.protocol) && !TAKEN_WORDS.has(url.protocol);
  return isOwn
    ? undefined
    : `The address ${name} must lead to an application: use https, or a scheme of the application's own, such ` +
        `as com.example.app://done. ${url.protocol} is none.`;
}

// URLs allow more characters in hosts, including those that would end a directive or policy in `policySource`.
const HOST = /^(?:[\w.-]+|\[[a-f0-9:.]+\])$/i;

/** Whether a host name is this machine. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname);

/** The address to which an approval redirects, with the application's password. */
export const approvedAddress = (successUrl: string, siteUrl: string, login: string, password: string): string =>
  withParams(successUrl, { site_url: siteUrl, user_login: login, password });

/** The address to which a refusal redirects; undefined if the application gives none. */
export function rejectedAddress({ success_url, reject_url }: ApplicationRequest): string | undefined {
  if (reject_url !== '') return reject_url;
  return success_url === '' ? undefined : withParams(success_url, { success: 'false' });
}

function withParams(address: string, params: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * The source by which a content security policy allows a form to redirect to an address; browsers enforce it on
 * redirects.
 */
export function policySource(address: string): readonly string[] {
  const url = URL.parse(address);
  return !url ? [] : [/^https?:$/.test(url.protocol) ? url.origin : url.protocol];
}
