import { problemBody, unavailable } from '../../http-problem.ts';
import { blank } from '../../../look/document.ts';
import { lookPolicy } from '../../../look/policy.ts';
import { routeNamedBy } from '../../requests/route-address.ts';
import { htmlDocument, type Frame } from './layout.ts';

const COMMON = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'access-control-allow-origin': '*' };

/**
 * The answer while the database is unavailable: 503 with Retry-After, as JSON from the interface, as a page for
 * browsers, else as a line of text.
 */
export function unavailableAnswer(frame: Frame, request: Request): Response {
  const problem = unavailable();
  const { words } = frame;
  const again = { 'retry-after': String(problem.data['retry_after']), ...COMMON };
  const answered = (type: string, body: string, more: Readonly<Record<string, string>> = {}): Response =>
    new Response(request.method === 'HEAD' ? null : body, {
      status: problem.status,
      headers: { 'content-type': `${type}; charset=utf-8`, ...again, ...more },
    });
  if (routeNamedBy(new URL(request.url), frame.settings) !== undefined)
    return answered('application/json', JSON.stringify(problemBody(problem)));
  if (!/\btext\/html\b/i.test(request.headers.get('accept') ?? ''))
    return answered('text/plain', `${words.unavailableText}\n`);
  const main = blank('503', words.unavailable, words.unavailableText);
  return answered('text/html', htmlDocument(frame, { title: words.unavailable, main }), {
    'content-security-policy': lookPolicy(),
  });
}
