import { createHash } from 'node:crypto';
import type { Caller, SiteSettings } from './context.ts';
import type { Outcome } from './dispatch.ts';
import { xmlFromEmbed } from './embed-xml.ts';
import { rootOf } from './indexes.ts';

/** How an outcome is to be written. */
export interface Form {
  readonly settings: SiteSettings;
  readonly caller: Caller | null;
  readonly head: boolean;
  /** Whether it may be answered by "not modified". */
  readonly conditional: boolean;
  readonly envelope: boolean;
  readonly xml: boolean;
}

/** The HTTP answer to a request: headers of real sites, an ETag on what can be read again, 304 where the client has it. */
export function respond(request: Request, outcome: Outcome, form: Form): Response {
  const { status, body, headers } = form.envelope ? enveloped(outcome) : outcome;
  const text = form.xml && !form.envelope ? xmlFromEmbed(body) : JSON.stringify(body);
  const all = new Headers({ ...commonHeaders(form), ...corsHeaders(request), ...headers });
  all.set('Content-Type', form.xml && !form.envelope ? 'text/xml; charset=UTF-8' : 'application/json; charset=UTF-8');
  if (form.conditional && status === 200) {
    const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
    all.set('ETag', tag);
    if (isKnown(request.headers.get('if-none-match'), tag)) {
      all.delete('Content-Type');
      return new Response(null, { status: 304, headers: all });
    }
  }
  return new Response(form.head ? null : text, { status, headers: all });
}

function enveloped({ body, status, headers }: Outcome): Outcome {
  return { status: 200, body: { body, status, headers: Object.keys(headers).length === 0 ? [] : headers }, headers: {} };
}

function commonHeaders({ settings, caller }: Form): Record<string, string> {
  return {
    'X-Robots-Tag': 'noindex',
    'X-Content-Type-Options': 'nosniff',
    Link: `<${rootOf(settings)}>; rel="https://api.w.org/"`,
    'Access-Control-Expose-Headers': 'X-WP-Total, X-WP-TotalPages, X-TEC-Total, X-TEC-TotalPages, ETag, Link',
    'Access-Control-Allow-Headers': 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type',
    Vary: 'Origin, Authorization',
    // Without freshness a cache would guess; so it asks again, with the ETag.
    'Cache-Control': caller ? 'no-cache, must-revalidate, max-age=0, no-store, private' : 'no-cache',
    ...(caller && { Expires: 'Wed, 11 Jan 1984 05:00:00 GMT' }),
  };
}

/** Any origin may ask: there are no cookies that a foreign page could use. */
function corsHeaders(request: Request): Record<string, string> {
  const origin = request.headers.get('origin');
  if (origin === null) return {};
  return {
    'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Allow-Methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
  };
}

/** RFC 9110, 13.1.2: weak comparison. */
const isKnown = (header: string | null, tag: string): boolean =>
  header !== null && header.split(',').map((one) => one.trim().replace(/^W\//, '')).some((one) => one === '*' || one === tag);
