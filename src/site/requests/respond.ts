import { statusOfCode } from '../../contract/problem-codes.ts';
import { entityTag, namesTag } from '../../etag.ts';
import type { Caller, SiteSettings } from '../context.ts';
import type { Outcome } from './outcome.ts';
import { xmlFromEmbed } from './embed-xml.ts';
import { jsonOf } from '../written.ts';
import { rootOf } from './indexes.ts';

/** The form in which an outcome is answered. */
export interface Form {
  readonly settings: SiteSettings;
  readonly caller: Caller | null;
  /** Whether "not modified" is a possible answer. */
  readonly conditional: boolean;
  /** Status and headers go into the body (`_envelope`). */
  readonly envelope: boolean;
  /** As XML, which only embeds can be. */
  readonly xml: boolean;
  /** The function of the page that the answer is passed to, as a script (`_jsonp`). */
  readonly callback: string | undefined;
}

/** An answer as everybody gets it who asks the same: what is left is whose page asks, and whether they have it. */
export interface Rendered {
  readonly status: number;
  /** Bytes of what can be read again: they are sent more than once. */
  readonly content: string | Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
  /** The ETag of what can be read again. */
  readonly tag: string | undefined;
}

/** An outcome as it is sent, with the headers of real sites. */
export function rendered(outcome: Outcome, form: Form): Rendered {
  const { status, body, headers } = form.envelope ? enveloped(outcome) : outcome;
  const [type, text] = written(body, form);
  const all = { ...commonHeaders(form), ...headers, 'Content-Type': `${type}; charset=UTF-8` };
  // An envelope of what went wrong is none to come back to.
  if (!form.conditional || outcome.status !== 200) return { status, content: text, headers: all, tag: undefined };
  const content = Buffer.from(text);
  const tag = entityTag(content);
  return { status, content, headers: { ...all, ETag: tag }, tag };
}

/** The HTTP answer to a request, without a body to HEAD: 304 if the client already has it. */
export function respond(request: Request, { status, content, headers, tag }: Rendered, isHead: boolean): Response {
  const origin = request.headers.get('origin');
  const all = origin === null ? headers : { ...headers, ...corsHeaders(origin) };
  if (tag !== undefined && namesTag(request.headers.get('if-none-match'), [tag])) {
    const { 'Content-Type': _, ...unchanged } = all;
    return new Response(null, { status: 304, headers: unchanged });
  }
  return new Response(isHead ? null : content, { status, headers: all });
}

/** The media type and the text of a body. */
function written(body: unknown, { xml, envelope, callback }: Form): readonly [string, string] {
  if (xml && !envelope) return ['text/xml', xmlFromEmbed(body)];
  const json = jsonOf(body);
  // The comment keeps old plug-ins from interpreting the script as something else; U+2028 and U+2029 end a line in old
  // scripts.
  return callback === undefined
    ? ['application/json', json]
    : [
        'application/javascript',
        `/**/${callback}(${json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')})`,
      ];
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
    'Access-Control-Expose-Headers': 'X-WP-Total, X-WP-TotalPages, X-TEC-Total, X-TEC-TotalPages, ETag, Link',
    'Access-Control-Allow-Headers': 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type',
    Vary: 'Origin, Authorization',
    // Without this a cache would guess how long the answer is fresh; now it revalidates with the ETag.
    'Cache-Control': caller ? 'no-cache, must-revalidate, max-age=0, no-store, private' : 'no-cache',
    ...(caller && { Expires: 'Wed, 11 Jan 1984 05:00:00 GMT' }),
  };
}

/** Any origin is allowed: there are no cookies that a foreign page could use. */
const corsHeaders = (origin: string): Record<string, string> => ({
  'Access-Control-Allow-Origin': origin,
  'Access-Control-Allow-Credentials': 'true',
  'Access-Control-Allow-Methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
});

/** Function names, possibly dotted, as real sites accept them: nothing that could be another script. */
export const isCallback = (name: unknown): name is string => typeof name === 'string' && /^[\w.]+$/.test(name);

/** The answer to an invalid callback: before anything else, and not as a script. */
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
