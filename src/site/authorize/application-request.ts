/** What an application asks for when it sends somebody to `/authorize`; '' for what it leaves out. */
export interface ApplicationRequest { readonly app_name: string; readonly app_id: string; readonly success_url: string; readonly reject_url: string }

const FIELDS = ['app_name', 'app_id', 'success_url', 'reject_url'] as const;

/** The request in a query string or a form; other names are dropped. */
export function requestFrom(read: (name: string) => string | null | undefined): ApplicationRequest {
  // All four names are in the list.
  return Object.fromEntries(FIELDS.map((name) => [name, (read(name) ?? '').trim()])) as unknown as ApplicationRequest;
}

/** Whether an application asks at all; else somebody looks after their own passwords. */
export const isAsked = (request: ApplicationRequest): boolean => FIELDS.some((name) => request[name] !== '');

/** The same as a query string, without what is empty. */
export const queryOf = (request: ApplicationRequest): string => String(new URLSearchParams(FIELDS.flatMap((name) => (request[name] === '' ? [] : [[name, request[name]]]))));

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Why a request is not taken, in words; undefined where it is. `isLocal`: the site is on this machine. */
export function refusalOf({ app_id, success_url, reject_url }: ApplicationRequest, isLocal: boolean): string | undefined {
  if (app_id !== '' && !UUID.test(app_id)) return 'The application’s id (app_id) is not a UUID.';
  return addressRefusal('success_url', success_url, isLocal) ?? addressRefusal('reject_url', reject_url, isLocal);
}

// Nothing of these leads back to an application.
const FORBIDDEN = /^(?:javascript|data|vbscript|blob|file|about|filesystem|ws|wss|ftp):$/;

function addressRefusal(name: string, address: string, isLocal: boolean): string | undefined {
  if (address === '') return undefined;
  const url = URL.parse(address);
  if (!url || url.host === '' || FORBIDDEN.test(url.protocol)) return `The address ${name} must be whole, with a scheme and a host, and of a kind that leads to an application.`;
  if (url.username !== '' || url.password !== '') return `The address ${name} must not hold a user name or a password.`;
  if (url.protocol === 'http:' && !isLocal && !isLoopback(url.hostname)) return `The address ${name} must be served over a secure connection (https), for a password is sent to it.`;
  return undefined;
}

/** Whether a host name is this very machine. */
export const isLoopback = (hostname: string): boolean => /^(?:localhost|.+\.localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname);

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
