import { countInWords } from '../count-in-words.ts';
import { AppError } from '../error.ts';
import { textFromHtml } from '../html/text.ts';
import { endOfValue, readJson } from '../json.ts';
import { asPromised } from './as-promised.ts';
import { isNotThere, retryAfterMs, type ReadableHeaders } from './questions.ts';
import { shortened } from '../html/shortened.ts';

/** A parsed answer of a site. `body` is undefined if it is not JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: ReadableHeaders;
  /** The text of the answer, for messages when it is not JSON. */
  readonly text: string;
  readonly body: unknown;
}

/** Reads a site's answer to its end. */
export async function answerFrom(response: Response): Promise<Answer> {
  const text = await response.text();
  const { status, body } = withoutSerialisedError(response.status, asPromised(jsonFrom(text)));
  return { status, headers: response.headers, text, body };
}

/**
 * The JSON in an answer, even if a plugin prints warnings before it or a cache adds a comment after it; undefined if
 * there is none.
 */
export function jsonFrom(text: string): unknown {
  // Each file of a plugin may print its own byte order mark.
  const body = text.trimStart();
  return jsonToTheEnd(body) ?? jsonBeforeText(body);
}

/** A value that is cut off does not count, and neither does one in the script of a web page. */
function jsonBeforeText(body: string): unknown {
  const at = body.search(/\{\s*"|\[\s*\{/);
  const end = at < 0 || WEB_PAGE.test(body.slice(0, at)) ? -1 : endOfValue(body, at);
  if (end < 0) return undefined;
  const read = readJson(body.slice(at, end), JSON_LIMITS);
  return read.kind === 'value' ? read.value : undefined;
}

const WEB_PAGE = /<(?:!doctype|html|head|body|script)\b/i;

function jsonToTheEnd(body: string): unknown {
  let at = 0;
  for (let attempt = 0; attempt < BEGINNINGS_MAX && at >= 0; attempt += 1) {
    const read = readJson(body.slice(at), JSON_LIMITS);
    if (read.kind === 'value') return read.value;
    at = nextBeginning(body, at);
  }
  return undefined;
}

/**
 * Where JSON may start after text that is not JSON: at the next bracket, because a warning may contain brackets, too.
 * Nothing inside a value that is cut off counts, nor what a failing plugin appends to an answer.
 */
function nextBeginning(body: string, at: number): number {
  BEGUN.lastIndex = at;
  if (!BEGUN.test(body)) return nextBracket(body, /[{[]/.test(body[at] ?? '') ? at + 1 : at);
  const end = at === 0 ? -1 : endOfValue(body, at);
  return end < 0 ? -1 : nextBracket(body, end);
}

const BEGUN = /\{\s*"[^"]*"\s*:|\[\s*\{\s*"/y;

const BEGINNINGS_MAX = 40;
// A list page has about ten thousand values.
const JSON_LIMITS = { depth: 512, values: 2_000_000 };

function nextBracket(text: string, from: number): number {
  const at = text.slice(from).search(/[{[]/);
  return at < 0 ? -1 : from + at;
}

/** Some routes answer 200 with a serialised error: {"errors":{"event-not-found":["…"]},"error_data":[]}. */
export function withoutSerialisedError(status: number, body: unknown): { status: number; body: unknown } {
  const { errors, error_data: data } = (body ?? {}) as { errors?: unknown; error_data?: unknown };
  if (status >= 400 || data === undefined || typeof errors !== 'object' || errors === null) return { status, body };
  const [code = 'unknown', messages] = Object.entries(errors)[0] ?? [];
  const meant = code.endsWith('not-found') ? 404 : 500;
  return {
    status: meant,
    body: { code, message: String(Array.isArray(messages) ? messages[0] : messages), data: { status: meant } },
  };
}

/**
 * Whether nothing was carried out: credentials are checked before anything else, and redirects are sent before the
 * site's program runs.
 */
export const isTurnedAway = ({ status }: Answer): boolean => status === 401 || (status >= 300 && status < 400);

/** How long the site asks us to wait, if it says so. */
export function wishedWait({ headers }: Answer): { retryAfterMs?: number } {
  const wait = retryAfterMs(headers, Date.now());
  return wait === undefined ? {} : { retryAfterMs: wait };
}

/**
 * The error for an unexpected answer. `what` was being done ("reading /events"), `host` is the site's. If the site gave
 * a time to wait, the error's `cause` is `{ retryAfterMs }`.
 */
export function errorFrom(answer: Answer, what: string, host: string, hasCredentials: boolean): AppError {
  const { status, body } = answer;
  const explained = byStatus(answer, what, host, hasCredentials);
  if (explained) return explained;
  if (body === undefined) return new AppError('site-not-json', notJson(answer, what, host));
  if (codeOf(body) === 'rest_no_route') {
    return new AppError(
      'site-no-route',
      `${host} has no such route when ${what}. Check url and namespace in the configuration, and that the calendar's interface is switched on.`,
    );
  }
  if (status < 300)
    return new AppError(
      'site-refused',
      `${host} answered when ${what}, but not what was asked for. Something on the site, such as a plugin, changes its answers.`,
    );
  // A gateway that cannot reach the site is not a refusal of the request.
  const isAway = status >= 500 || (status === 404 && !isNotThere(status, body));
  return new AppError(
    isAway ? 'site-error' : 'site-refused',
    `${host} answered ${status} when ${what}: ${saidBy(answer)}.`,
  );
}

/** The error that follows from the status alone. */
function byStatus(answer: Answer, what: string, host: string, hasCredentials: boolean): AppError | undefined {
  const { status, headers, body } = answer;
  const location = headers.get('location');
  if (status >= 300 && status < 400 && location !== null)
    return new AppError(
      'site-redirects',
      `${host} redirects ${what} to ${bareAddress(location)}. Write the site's final address as url in the configuration.`,
    );
  if (status === 401)
    return new AppError('site-unauthorized', unauthorized(what, host, saidBy(answer), codeOf(body), hasCredentials));
  if (status === 403 && body !== undefined)
    return new AppError(
      'site-forbidden',
      `${host} does not allow ${what}: ${saidBy(answer)}. Check the rights of the user that the configuration names.`,
    );
  return status === 429 || status === 503 ? busy(answer, what, host) : undefined;
}

function busy(answer: Answer, what: string, host: string): AppError {
  const wait = wishedWait(answer);
  const until = wait.retryAfterMs === undefined ? '' : ` It asks to wait ${waitInWords(wait.retryAfterMs)}.`;
  return new AppError(
    'site-busy',
    `${host} is busy or in maintenance (${answer.status}) when ${what}.${until}`,
    wait.retryAfterMs === undefined ? {} : { cause: wait },
  );
}

function waitInWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 120) return countInWords(seconds, 'second');
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? countInWords(minutes, 'minute') : countInWords(Math.ceil(minutes / 60), 'hour');
}

function unauthorized(what: string, host: string, said: string, code: string, hasCredentials: boolean): string {
  if (!hasCredentials)
    return `${host} requires credentials for ${what}. Set username and application_password in the configuration.`;
  return code === 'rest_forbidden' || code === 'rest_not_logged_in'
    ? `${host} did not see the credentials when ${what} (${code}). Application passwords may be switched off ` +
        'there (they want https), or its web server drops the Authorization header.'
    : `${host} refused the credentials when ${what}: ${said}. Check username and application_password in the ` +
        'configuration: it must be an application password, not the password of the account.';
}

/** How many characters of an answer are examined to find out what it is. */
const BEGINNING_MAX = 100_000;

function notJson({ status, text }: Answer, what: string, host: string): string {
  if (status === 413)
    return (
      `${host} takes no request as large as this (413) when ${what}. ` +
      'Let its web server take larger ones: client_max_body_size in nginx, LimitRequestBody in Apache.'
    );
  if (text.trim() === '') return `${host} gave an empty answer (${status}) when ${what}.`;
  const beginning = text.slice(0, BEGINNING_MAX);
  const title = /<title[^<>]*>([^<]*)<\/title>/i.exec(beginning)?.[1];
  const begins = inOneLine(textFromHtml(title ?? text.slice(0, 2000)));
  if (/^\s*[{[]\s*["{[]/.test(beginning))
    return (
      `The site's answer begins as JSON, but is damaged or breaks off: "${begins}" (${host}, ${status}, when ${what}). ` +
      'Something on the way, such as a proxy or a security program, cuts or changes answers.'
    );
  return /<(?:!doctype|html|head|body|br|p|b)\b/i.test(beginning)
    ? `The site answered a web page, not JSON: "${begins}" (${host}, ${status}, when ${what}). ` +
        'Check url, and whether a firewall, a login or a maintenance mode stands before the interface.'
    : `The site answered something that is not JSON: "${begins}" (${host}, ${status}, when ${what}). Check url in the configuration.`;
}

const codeOf = (body: unknown): string => String((body as { code?: unknown } | null)?.code ?? '');

/** The message and code of an error body, as plain text on one line. */
function saidBy({ body, status }: Pick<Answer, 'body' | 'status'>): string {
  const { code, message } = (body ?? {}) as { code?: unknown; message?: unknown };
  const words =
    typeof message === 'string' && message !== ''
      ? inOneLine(textFromHtml(message.slice(0, BEGINNING_MAX))).replace(/\.$/, '')
      : `status ${status}`;
  return typeof code === 'string' && code !== '' ? `${words} (${code})` : words;
}

const inOneLine = (text: string): string => shortened(text.replace(/\s+/g, ' ').trim(), 200);

const bareAddress = (location: string): string => location.replace(/[?#].*$/, '').replace(/\/\/[^/@]*@/, '//');
