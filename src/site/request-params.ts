import { HttpProblem } from './http-problem.ts';
import { phpParams, phpParamsFromText, type Params } from './php-params.ts';

const BODY_BYTES_MAX = 10_000_000;
const JSON_DEPTH_MAX = 512;

/** The parameters of a request by where they came from. */
export interface Sources { readonly json: Params; readonly form: Params; readonly query: Params; readonly path: Params }

/** One value per name; the first source that has it wins: JSON, form, query, path. */
export const mergedParams = ({ json, form, query, path }: Sources): Params => ({ ...path, ...query, ...form, ...json });

/** The parameters in the body, by its media type; of other types none. Throws HttpProblem where it is not what it says. */
export async function bodyParams(request: Request): Promise<Pick<Sources, 'json' | 'form'>> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (request.body === null) return { json: {}, form: {} };
  if (/^application\/(?:[\w.-]+\+)?json$/.test(type)) return { json: jsonParams(await bytesOf(request)), form: {} };
  if (type === 'application/x-www-form-urlencoded') return { json: {}, form: withoutNul(phpParamsFromText(new TextDecoder().decode(await bytesOf(request)))) };
  if (type === 'multipart/form-data') return { json: {}, form: await multipartParams(request) };
  return { json: {}, form: {} };
}

/** The parameters of a query string. */
export const queryParams = (search: string): Params => withoutNul(phpParamsFromText(search));

/** Parameters without the character that PostgreSQL's text cannot hold. */
export const withoutNul = (params: Params): Params => clean(params, 0) as Params;

/** The numbers and the words are PHP's. */
const invalidJson = (code: number, message: string): HttpProblem =>
  new HttpProblem('rest_invalid_json', 'Invalid JSON body passed.', { json_error_code: code, json_error_message: message });

function jsonParams(bytes: Uint8Array): Params {
  if (bytes.length === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw error instanceof SyntaxError ? invalidJson(4, 'Syntax error') : invalidJson(5, 'Malformed UTF-8 characters, possibly incorrectly encoded');
  }
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? withoutNul(value as Params) : {};
}

async function multipartParams(request: Request): Promise<Params> {
  const bytes = await bytesOf(request);
  const pairs: [string, string][] = [];
  try {
    const form = await new Response(bytes, { headers: { 'content-type': request.headers.get('content-type') ?? '' } }).formData();
    for (const [name, value] of form) if (typeof value === 'string') pairs.push([name, value]);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new HttpProblem('rest_invalid_form', 'The body is not the multipart form that its Content-Type says.');
  }
  return withoutNul(phpParams(pairs));
}

async function bytesOf(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > BODY_BYTES_MAX) throw new HttpProblem('rest_body_too_large', `The body is larger than ${BODY_BYTES_MAX} bytes.`);
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

function clean(value: unknown, depth: number): unknown {
  if (depth > JSON_DEPTH_MAX) throw invalidJson(1, 'Maximum stack depth exceeded');
  if (typeof value === 'string') return value.includes('\0') ? value.replaceAll('\0', '') : value;
  if (Array.isArray(value)) return value.map((inner) => clean(inner, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, clean(inner, depth + 1)]));
}
