import { statusOfCode } from '../../contract/problem-codes.ts';
import { namesStrongTag, namesTag } from '../../etag.ts';
import { codingFor, encoded, inEachCoding, tagIn, tagsOf, type Coding } from '../../files/content-coding.ts';
import type { Caller, SiteSettings } from '../context.ts';
import { preconditionFailed } from '../http-problem.ts';
import { problemOutcome, type Outcome } from './outcome.ts';
import { xmlFromEmbed } from './embed-xml.ts';
import { jsonPieces, writtenJson, writtenText, type WrittenBytes } from '../written.ts';
import { rootOf } from './indexes.ts';

/** The form in which an outcome is sent. */
export interface Form {
  readonly settings: SiteSettings;
  readonly caller: Caller | null;
  /** Whether the answer may be "not modified". */
  readonly conditional: boolean;
  /** Whether status and headers go into the body (`_envelope`). */
  readonly envelope: boolean;
  /** Whether to answer in XML, which only embeds support. */
  readonly xml: boolean;
  /** The function to which the answer is passed as a script (`_jsonp`). */
  readonly callback: string | undefined;
}

/**
 * An answer ready for everybody who makes the same request; only CORS and conditional headers still depend on the
 * client.
 */
export interface Rendered {
  readonly status: number;
  /** JSON as bytes, whose pieces pages share with other pages, or a text if the answer will not be requested again. */
  readonly content: string | WrittenBytes['pieces'];
  readonly headers: Readonly<Record<string, string>>;
  /** Identifies a repeatable answer. */
  readonly digest: string | undefined;
  /** Encodes the content, if it is requested often. */
  readonly inCoding?: (coding: Coding) => Promise<Uint8Array<ArrayBuffer>>;
}

/** Renders an outcome with the headers of real sites. */
export async function rendered(outcome: Outcome, form: Form): Promise<Rendered> {
  const { status, body, headers } = form.envelope ? enveloped(outcome) : outcome;
  const isTagged = form.conditional && outcome.status === 200;
  const all = { ...commonHeaders(form), ...headers, 'Content-Type': `${typeOf(form)}; charset=UTF-8` };
  // A failure in an envelope has status 200, but is not worth revalidating.
  if (!isTagged) {
    const content = isPlain(form) ? await jsonPieces(body) : textOf(body, form);
    return { status, content, headers: all, digest: undefined };
  }
  const { pieces, digest } = isPlain(form) ? await writtenJson(body) : writtenText(textOf(body, form));
  return { status, content: pieces, headers: { ...all, ETag: tagIn(digest, 'identity') }, digest };
}

/**
 * Makes the HTTP response to a request, without a body for HEAD: 412 if the client expects something else, 304 if it
 * already has the answer in any coding. Content that is requested often is compressed.
 */
export function respond(request: Request, made: Rendered, isHead: boolean): Response | Promise<Response> {
  const { status, content, digest, inCoding } = made;
  const coding = inCoding ? codingFor(request.headers.get('accept-encoding'), lengthOf(content)) : 'identity';
  const headers = headersOf(request, made, coding);
  const wanted = request.headers.get('if-match');
  if (digest !== undefined && wanted !== null && !namesStrongTag(wanted, tagsOf(digest))) return unmet(headers, isHead);
  const known = request.headers.get('if-none-match');
  if (digest !== undefined && known !== null && namesTag(known, tagsOf(digest))) {
    const { 'Content-Type': _, 'Content-Encoding': __, ...unchanged } = headers;
    return new Response(null, { status: 304, headers: unchanged });
  }
  if (isHead) return new Response(null, { status, headers });
  if (inCoding && coding !== 'identity')
    return inCoding(coding).then((body) => new Response(body, { status, headers }));
  return new Response(typeof content === 'string' ? content : joined(content), { status, headers });
}

/** The answer to a read with an unmet If-Match, which clients send when reading in parts. */
function unmet(headers: Rendered['headers'], isHead: boolean): Response {
  const { status, body } = problemOutcome(preconditionFailed());
  const { ETag: _, 'Content-Encoding': __, ...others } = headers;
  const type = { 'Content-Type': 'application/json; charset=UTF-8' };
  return new Response(isHead ? null : JSON.stringify(body), { status, headers: { ...others, ...type } });
}

/** The headers of an answer, adapted to its coding and to the origin that asks. */
function headersOf(request: Request, { headers, digest = '' }: Rendered, coding: Coding): Rendered['headers'] {
  const origin = request.headers.get('origin');
  if (coding === 'identity' && origin === null) return headers;
  return {
    ...headers,
    ...(coding !== 'identity' && { ETag: tagIn(digest, coding), 'Content-Encoding': coding }),
    ...(origin !== null && corsHeaders(origin)),
  };
}

/** The length of an answer's content. */
export const lengthOf = (content: Rendered['content']): number =>
  typeof content === 'string' ? content.length : content.reduce((all, { length }) => all + length, 0);

/** Prepares an answer for being sent often: in one piece, and compressed for clients that accept it. */
export function sentOften(made: Rendered): Rendered {
  if (typeof made.content === 'string') return made;
  const plain = joined(made.content);
  const inCoding = inEachCoding(async (coding) =>
    coding === 'identity' ? plain : new Uint8Array(await encoded(plain, coding)),
  );
  return { ...made, content: [plain], inCoding };
}

const joined = (pieces: WrittenBytes['pieces']): Uint8Array<ArrayBuffer> =>
  pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);

const isXml = ({ xml, envelope }: Form): boolean => xml && !envelope;
/** Whether the answer is plain JSON. */
const isPlain = (form: Form): boolean => !isXml(form) && form.callback === undefined;

function typeOf(form: Form): string {
  if (isXml(form)) return 'text/xml';
  return form.callback === undefined ? 'application/json' : 'application/javascript';
}

function textOf(body: unknown, form: Form): string {
  if (isXml(form)) return xmlFromEmbed(body);
  const json = JSON.stringify(body);
  // The comment keeps old plug-ins from interpreting the script as something else; U+2028 and U+2029 end a line in old
  // scripts.
  return form.callback === undefined
    ? json
    : `/**/${form.callback}(${json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')})`;
}

function enveloped({ body, status, headers }: Outcome): Outcome {
  return {
    status: 200,
    body: { body, status, headers: Object.keys(headers).length === 0 ? [] : headers },
    headers: {},
  };
}

function commonHeaders({ settings, caller }: Form): Record<string, string> {
  return {
    'X-Robots-Tag': 'noindex',
    'X-Content-Type-Options': 'nosniff',
    Link: `<${rootOf(settings)}>; rel="https://api.w.org/"`,
    'Access-Control-Expose-Headers':
      'X-WP-Total, X-WP-TotalPages, X-TEC-Total, X-TEC-TotalPages, ETag, Retry-After, Link',
    'Access-Control-Allow-Headers':
      'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type, If-Match, If-None-Match',
    Vary: 'Origin, Authorization, Accept-Encoding',
    // Without this, caches would guess how long the answer is fresh; now they revalidate with the ETag.
    'Cache-Control': caller ? 'no-cache, must-revalidate, max-age=0, no-store, private' : 'no-cache',
    ...(caller && { Expires: 'Wed, 11 Jan 1984 05:00:00 GMT' }),
  };
}

/** Any origin is allowed, as there are no cookies that a foreign page could use. */
const corsHeaders = (origin: string): Record<string, string> => ({
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Allow-Credentials': 'true',
  'Access-Control-Allow-Methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
});

/** Whether a callback is a function name, possibly dotted, as real sites accept them, and no other script. */
export const isCallback = (name: unknown): name is string => typeof name === 'string' && /^[\w.]+$/.test(name);

/** The answer to an invalid callback: sent before anything else is done, and not as a script. */
export const badCallback = (): Response =>
  new Response(
    JSON.stringify({
      code: 'rest_callback_invalid',
      message: 'The JSONP callback may have letters, digits, underscores and dots.',
    }),
    {
      status: statusOfCode.rest_callback_invalid,
      headers: {
        'Content-Type': 'application/json; charset=UTF-8',
        'X-Content-Type-Options': 'nosniff',
        'X-Robots-Tag': 'noindex',
      },
    },
  );
