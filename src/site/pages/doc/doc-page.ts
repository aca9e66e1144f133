import { html } from '../../../html/template.ts';
import { lookDocument } from '../../../look/document.ts';
import type { Frame } from '../frame/layout.ts';

type Handle = (request: Request, peer: string, isAwaited?: () => boolean) => Promise<Response>;

/**
 * Wraps the REST interface so that `…/doc` returns browsers a page for reading and trying it. Programs still get the
 * document.
 */
export function withDocPage(frame: Frame, rest: Handle): Handle {
  const { namespace, namespaceAlias } = frame.settings;
  const paths = [namespace, namespaceAlias]
    .filter((name) => name !== undefined)
    .map((name) => `/api/${name}/doc`.toLowerCase());
  return async (request, peer, isAwaited) => {
    const path = new URL(request.url).pathname.toLowerCase().replace(/\/$/, '');
    if (!paths.includes(path) || (request.method !== 'GET' && request.method !== 'HEAD'))
      return rest(request, peer, isAwaited);
    const answer = wantsPage(request.headers.get('accept') ?? '')
      ? docPage(frame, request)
      : await rest(request, peer, isAwaited);
    answer.headers.append('Vary', 'Accept');
    return answer;
  };
}

const wantsPage = (accept: string): boolean => /\btext\/html\b/i.test(accept) && !/\bjson\b/i.test(accept);

function docPage({ settings, base, look }: Frame, request: Request): Response {
  const { origin } = new URL(settings.publicUrl);
  const page = lookDocument(look, {
    title: 'REST interface',
    head: html`<link rel="stylesheet" href="${base}/assets/doc/swagger-ui.css">
<link rel="stylesheet" href="${base}/assets/doc/doc.css">`,
    main: html`<div lang="en"><p class="row"><a href="${base}/api/">All routes</a> <a href="${base}/authorize">Application passwords</a></p>
<div id="document"><noscript>This page needs a script. The document itself is at this address for programs: ask for application/json.</noscript></div></div>
<script src="${base}/assets/doc/swagger-ui-bundle.js"></script>
<script type="module" src="${base}/assets/doc/doc.js"></script>`,
  });
  return new Response(request.method === 'HEAD' ? null : page, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
      'Referrer-Policy': 'no-referrer',
      // The viewer sets inline styles, and draws its arrows from data URLs.
      'Content-Security-Policy':
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
        `img-src 'self' data:; connect-src 'self' ${origin}; base-uri 'none'; ` +
        "form-action 'none'; frame-ancestors 'self'",
    },
  });
}
