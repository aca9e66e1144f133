import { BATCH_MAX } from '../../contract/batch.ts';
import { PARAMETERS_MAX } from '../../contract/limits.ts';
import { readingJson } from '../../json.ts';
import { withPauses } from '../../pauses.ts';
import { FORM_BYTES_MAX, formText } from '../../request-bytes.ts';
import { bytesOfBody } from './request-body.ts';
import { HttpProblem } from '../http-problem.ts';
import { hasMorePairs, phpParams, phpParamsFromText, type Params } from './php-params.ts';

// PHP's depth. The number of values allows for a batch, which contains the parameters of all its requests.
const JSON_LIMITS = { depth: 512, values: BATCH_MAX * PARAMETERS_MAX };

/** The parameters of a request by origin. */
export interface Sources {
  readonly json: Params;
  readonly form: Params;
  readonly query: Params;
  readonly path: Params;
  /** Why a body that was sent yields no parameters, as a sentence. */
  readonly unread?: string;
}

/** The parameters found in a body. */
export type BodyParams = Pick<Sources, 'json' | 'form' | 'unread'>;

/** Merges the sources; the first of JSON, form, query and path that has a name wins. */
export const mergedParams = ({ json, form, query, path }: Sources): Params => ({ ...path, ...query, ...form, ...json });

/**
 * Reads the parameters in the body according to its media type; bodies of other types are ignored. Throws HttpProblem
 * if the body does not match its declared type, or is too large.
 */
export async function bodyParams(request: Request, bytesMax: number): Promise<BodyParams> {
  // These never have a body, and asking for it makes the server create a stream.
  if (request.method === 'GET' || request.method === 'HEAD') return { json: {}, form: {} };
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (request.body === null) return { json: {}, form: {} };
  const coding = codingOf(request);
  const read = coding === '' ? READERS.find(({ takes }) => takes.test(type))?.read : undefined;
  if (read) return read(request, bytesMax);
  // Some servers provide a stream without knowing whether there is a body, and a body may be empty.
  const { byteLength: octets } = await bytesOfBody(request, bytesMax);
  return { json: {}, form: {}, ...(octets > 0 && { unread: unreadFor(type, coding) }) };
}

/** The content coding of a body; '' if it has none. */
function codingOf(request: Request): string {
  const coding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  return coding === 'identity' ? '' : coding;
}

/** The readers of bodies by media type. */
const READERS: readonly {
  readonly takes: RegExp;
  readonly read: (request: Request, bytesMax: number) => Promise<BodyParams>;
}[] = [
  {
    takes: /^application\/(?:[\w.-]+\+)?json$/,
    read: async (request, max) => jsonParams(await bytesOfBody(request, max)),
  },
  {
    takes: /^application\/x-www-form-urlencoded$/,
    read: async (request, max) => ({ json: {}, form: formParams(await bytesOfBody(request, formMax(max))) }),
  },
  {
    takes: /^multipart\/form-data$/,
    read: async (request, max) => multipartParams(request, await bytesOfBody(request, formMax(max))),
  },
];

const formMax = (bytesMax: number): number => Math.min(bytesMax, FORM_BYTES_MAX);

function unreadFor(type: string, coding: string): string {
  const [header, value, advice] =
    coding === ''
      ? ['Content-Type', type, 'send application/json']
      : ['Content-Encoding', coding, 'send it uncompressed'];
  return `The body was not read, because its ${header} is ${value === '' ? 'not given' : value}: ${advice}.`;
}

/** Returns the parameters in a body that is already a value, as if read from its JSON. */
export const valueParams = (body: unknown): BodyParams => ({ json: paramsFrom(body), form: {} });

const paramsFrom = (json: unknown): Params =>
  typeof json === 'object' && json !== null && !Array.isArray(json) ? withoutNul(json as Params) : {};

/** Parses a query string. Throws HttpProblem if there are too many parameters. */
export function queryParams(search: string): Params {
  if (hasMorePairs(search, PARAMETERS_MAX)) throw tooMany('query', PARAMETERS_MAX);
  return withoutNul(phpParamsFromText(search));
}

/** Removes NUL characters, which PostgreSQL's text cannot contain. */
const withoutNul = (params: Params): Params => clean(params) as Params;

/** Uses PHP's error numbers and messages. */
const invalidJson = (code: number, message: string): HttpProblem =>
  new HttpProblem('rest_invalid_json', 'Invalid JSON body passed.', {
    json_error_code: code,
    json_error_message: message,
  });

const tooMany = (what: 'query' | 'form' | 'JSON body', max: number): HttpProblem =>
  new HttpProblem(
    'rest_too_many_parameters',
    `The ${what} holds more than ${max} ${what === 'JSON body' ? 'values' : 'parameters'}. Send less in one request.`,
  );

async function jsonParams(bytes: Uint8Array): Promise<BodyParams> {
  const text = utf8(bytes);
  if (text === '') return { json: {}, form: {} };
  if (text === undefined) throw invalidJson(5, 'Malformed UTF-8 characters, possibly incorrectly encoded');
  const read = await withPauses(readingJson(text, JSON_LIMITS));
  switch (read.kind) {
    case 'not-json':
      throw invalidJson(4, 'Syntax error');
    case 'too-deep':
      throw invalidJson(1, 'Maximum stack depth exceeded');
    case 'too-many':
      throw tooMany('JSON body', JSON_LIMITS.values);
    case 'value':
      return { ...valueParams(read.value), ...(!isObjectOrNothing(read.value) && { unread: NO_OBJECT }) };
  }
}

const NO_OBJECT = 'The body holds no parameters, because it is no JSON object: send {"name": value}.';

/** As in PHP, an empty list is an object without keys. */
const isObjectOrNothing = (json: unknown): boolean =>
  json === null || (typeof json === 'object' && (!Array.isArray(json) || json.length === 0));

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Not UTF-8; reported by the caller of this function.
    return undefined;
  }
}

function formParams(bytes: Uint8Array): Params {
  const text = formText(bytes);
  if (hasMorePairs(text, PARAMETERS_MAX)) throw tooMany('form', PARAMETERS_MAX);
  return inUnicode(phpParamsFromText(text), bytes);
}

async function multipartParams(request: Request, bytes: Uint8Array<ArrayBuffer>): Promise<BodyParams> {
  const type = request.headers.get('content-type') ?? '';
  if (hasMoreParts(bytes, type)) throw tooMany('form', PARAMETERS_MAX);
  const pairs: [string, string][] = [];
  const files: string[] = [];
  try {
    const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
    for (const [name, value] of form) {
      if (typeof value === 'string') pairs.push([name, value]);
      else if (value.size > 0) files.push(name);
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new HttpProblem('rest_invalid_form', 'The body is not the multipart form that its Content-Type says.');
  }
  const [first = '', ...others] = files;
  const places = others.length === 0 ? first : `${first} and ${others.length} more`;
  const unread = `No file is read, and there is one in ${places}: of a picture, send the address or the id.`;
  return { json: {}, form: inUnicode(phpParams(pairs), bytes), ...(files.length > 0 && { unread }) };
}

/**
 * Returns the parameters of a form. Throws HttpProblem if it has another encoding, so that letters became U+FFFD; a
 * form may also contain that very character.
 */
function inUnicode(params: Params, bytes: Uint8Array): Params {
  const isReplaced =
    JSON.stringify(params).includes('\ufffd') && !HOLDS_FFFD.test(Buffer.from(bytes).toString('latin1'));
  if (isReplaced) throw new HttpProblem('rest_invalid_form', 'The text of the form is not UTF-8.');
  return withoutNul(params);
}

// U+FFFD in UTF-8, literal or percent-encoded.
const HOLDS_FFFD = /\xef\xbf\xbd|%ef%bf%bd/i;

/** Counts occurrences of the boundary, which precedes each part and ends the body. */
function hasMoreParts(bytes: Uint8Array, type: string): boolean {
  const boundary = /boundary="?([^";,\s]{1,70})/i.exec(type)?.[1];
  if (boundary === undefined) return false;
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let parts = 0;
  for (
    let at = body.indexOf(`--${boundary}`);
    at >= 0 && parts <= PARAMETERS_MAX + 1;
    at = body.indexOf(`--${boundary}`, at + boundary.length + 2)
  )
    parts += 1;
  return parts > PARAMETERS_MAX + 1;
}

/** Copies a value so that nobody else can change it. Values that JSON lacks become what JSON makes of them. */
function clean(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '') : value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => clean(one) ?? null);
  if (value instanceof Date) return value.toJSON();
  const given = value as Readonly<Record<string, unknown>>;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(given))
    if (given[name] !== undefined && !JAVASCRIPT_NAMES.has(name)) copy[name] = clean(given[name]);
  return copy;
}

// No parameter has these names. Assigning the first would set the prototype; String() fails on objects with the others.
const JAVASCRIPT_NAMES: ReadonlySet<string> = new Set(['__proto__', 'toString', 'valueOf']);
