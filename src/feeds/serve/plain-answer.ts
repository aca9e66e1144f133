import { AppError } from '../../error.ts';
import { retryAfter } from '../../budget.ts';

/** Lets scripts of other sites show our feeds and see the headers needed for conditional requests. */
export const OPEN = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Last-Modified, Content-Disposition',
};

/** A plain text for people, ending with a line break. */
export const plainAnswer = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(`${text}\n`, {
    status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff', ...OPEN, ...headers },
  });

/** Why there is no feed. On 503, calendar programs keep what they have and try again. */
export function failureAnswer(error: unknown): Response {
  if (!(error instanceof AppError)) throw error;
  if (error.code === 'feed-unknown') return plainAnswer(404, error.message);
  if (error.code === 'feed-refused') return plainAnswer(400, error.message);
  if (error.code === 'feeds-busy') return plainAnswer(503, error.message, retryAfter(waitOf(error)));
  return plainAnswer(503, "This feed cannot be made at the moment: the calendar's site does not answer as it should.", {
    'Retry-After': '300',
  });
}

const waitOf = ({ cause }: AppError): number =>
  (cause as { retryAfterMs?: number } | undefined)?.retryAfterMs ?? 60_000;
