/** What an application asks for when it sends somebody to `/authorize`; '' for what it leaves out. */
export interface ApplicationRequest {
  readonly app_name: string;
  readonly app_id: string;
  readonly success_url: string;
  readonly reject_url: string;
}

const FIELDS = ['app_name', 'app_id', 'success_url', 'reject_url'] as const;

/** The request in a query string or a form; other names are dropped. */
export function requestFrom(read: (name: string) => string | null | undefined): ApplicationRequest {
  // All four names are in the list.
  return Object.fromEntries(FIELDS.map((name) => [name, (read(name) ?? '').trim()])) as unknown as ApplicationRequest;
}

/** Whether an application asks at all; else somebody looks after their own passwords. */
export const isAsked = (request: ApplicationRequest): boolean => FIELDS.some((name) => request[name] !== '');

/** The same as a query string, without what is empty. */
export const queryOf = (request: ApplicationRequest): string =>
  String(new URLSearchParams(FIELDS.flatMap((name) => (request[name] === '' ? [] : [[name, request[name]]]))));

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Why a request is not taken, in words; undefined where it is. `isLocal`: the site is on this machine. */
export function refusalOf(
  { app_id, success_url, reject_url }: ApplicationRequest,
  isLocal: boolean,
): string | undefined {
  if (app_id !== '' && !UUID.test(app_id)) return 'The application’s id (app_id) is not a UUID.';
  return addressRefusal('success_url', success_url, isLocal) ?? addressRefusal('reject_url', reject_url, isLocal);
}

// An application's own scheme is a domain of its maker, read backwards (RFC 8252, 7.1), or one word, as real sites take
// it.
const OWN_SCHEME = /^[a-z][a-z0-9]*(?:(?:\.[a-z0-9-]+)+)?:$/;
// Words that are no application's: browsers answer these themselves, or hand them to the system, often with another
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

// Hosts of URLs may have more signs, among them those that end a directive or a policy where `policySource` puts them.
const HOST = /^(?:[\w.-]+|\[[a-f0-9:.]+\])$/i;

/** Whether a host name is this very machine. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname);

/** Where an approval leads, with the password for the application. */
export const approvedAddress = (successUrl: string, siteUrl: string, login: string, password: string): string =>
  withParams(successUrl, { site_url: siteUrl, user_login: login, password });

/** Where a refusal leads; undefined where the application names no address. */
export function rejectedAddress({ success_url, reject_url }: ApplicationRequest): string | undefined {
  if (reject_url !== '') return reject_url;
  return success_url === '' ? undefined : withParams(success_url, { success: 'false' });
}

function withParams(address: string, params: Readonly<Record<string, string>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url.href;
}

/** As a content security policy names where a form's answer may lead: browsers hold redirects to it. */
export function policySource(address: string): readonly string[] {
  const url = URL.parse(address);
  return !url ? [] : [/^https?:$/.test(url.protocol) ? url.origin : url.protocol];
}
