/** The headers of an answer; names in any case, as with `Headers`. */
export type ReadableHeaders = Pick<Headers, 'get'>;

/**
 * Whether a status is worth a retry: the server was busy or unavailable (RFC 9110, 15.5 and 15.6; RFC 6585, 4). By 520
 * to 524, Cloudflare says the same about the server behind it.
 */
export const isRetryable = (status: number): boolean =>
  [408, 429, 502, 503, 504].includes(status) || (status >= 520 && status <= 524);

/** Whether a write may have been carried out, or may only be delayed, although the answer reports a failure. */
export const isUncertain = (status: number, body: unknown): boolean =>
  isRetryable(status) || (status === 500 && (body as { code?: unknown } | null)?.code === 'internal_server_error');

/** The milliseconds to wait by Retry-After, in seconds or as a date (RFC 9110, 10.2.3); undefined if there is none. */
export function retryAfterMs(headers: ReadableHeaders, now: number): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.round(Number(text) * 1000);
  const at = httpDate(text);
  return at === undefined ? undefined : Math.max(0, at - theirNow(headers, now));
}

/** The current time by the server's clock, which may differ from ours by minutes. */
const theirNow = (headers: ReadableHeaders, now: number): number => httpDate(headers.get('date') ?? '') ?? now;

/**
 * For how many milliseconds an answer stays fresh: by Cache-Control max-age, else by Expires (RFC 9111, 4.2.1);
 * undefined if it does not say.
 */
export function freshForMs(headers: Headers, now: number): number | undefined {
  const control = headers.get('cache-control') ?? '';
  const seconds = /(?:^|[\s,])max-age\s*=\s*"?(\d+)/i.exec(control)?.[1];
  if (/(?:^|[\s,])no-(?:store|cache)(?:$|[\s,])/i.test(control)) return 0;
  const ageMs = Number(headers.get('age') ?? 0) * 1000;
  if (seconds !== undefined) return remaining(Number(seconds) * 1000 - ageMs);
  const expires = headers.get('expires');
  if (expires === null) return undefined;
  // An Expires that is not a date, such as 0 or -1, means already stale (RFC 9111, 5.3).
  const at = httpDate(expires);
  return at === undefined ? 0 : remaining(at - theirNow(headers, now) - ageMs);
}

/** If the age is not a number, nothing remains. */
const remaining = (ms: number): number => Math.max(0, ms || 0);

const httpDate = (text: string): number | undefined => {
  const at = /[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
};

/** The target of a redirect; undefined if the answer is not one (nor are 300 and 304). */
export function redirectTarget(status: number, headers: ReadableHeaders, from: URL): URL | undefined {
  const location = asWritten(headers.get('location'));
  return [301, 302, 303, 307, 308].includes(status) && location !== null && URL.canParse(location, from.href)
    ? new URL(location, from)
    : undefined;
}

/** Headers are read as Latin-1. Like browsers, we accept an address that a server wrote in raw UTF-8. */
function asWritten(value: string | null): string | null {
  if (value === null || !/[\x80-\xff]/.test(value)) return value;
  const bytes = Uint8Array.from(value, (character) => character.charCodeAt(0));
  const text = new TextDecoder().decode(bytes);
  return text.includes('\uFFFD') ? value : text;
}

export const isPermanentRedirect = (status: number): boolean => status === 301 || status === 308;

/**
 * Whether a 404 is about the requested item. It is not if the route does not exist, or if it comes from a gateway,
 * whose answers have no code of the interface.
 */
export function isNotThere(status: number, body: unknown): boolean {
  const { code } = (body ?? {}) as { code?: unknown };
  return status === 404 && typeof code === 'string' && code !== 'rest_no_route';
}

/** Whether an answer says, in any of the ways that sites use, that an item does not exist or no longer exists. */
export function isGone(status: number, body: unknown): boolean {
  const { code, data } = (body ?? {}) as { code?: unknown; data?: { params?: Record<string, unknown> } | null };
  if (status === 410 || isNotThere(status, body)) return true;
  if (status === 403) return code === 'event-no-longer-available';
  if (status !== 400) return false;
  const params = data?.params ?? {};
  return code === 'rest-invalid-event-id' || (code === 'rest_invalid_param' && ('id' in params || 'slug' in params));
}

/** Whether the answer to the read of a single event says that the event has a password. */
export const isProtected = (body: unknown): boolean =>
  (body as { code?: unknown } | null)?.code === 'event-password-protected';

/**
 * Whether a redirect stays within a site: on the same host (with or without `www.`) and port, or the same over https.
 */
export function isSameSite(from: URL, to: URL): boolean {
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === '';
  return bareHost(from) === bareHost(to) && (isUpgrade || (from.protocol === to.protocol && from.port === to.port));
}

const bareHost = (url: URL): string => url.hostname.replace(/^www\./, '');
