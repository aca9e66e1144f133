import type { BatchAnswer } from '../contract/representation.ts';
import { routeAddress } from './address.ts';
import { errorFrom, isTurnedAway, withoutSerialisedError, wishedWait, type Answer } from './answer.ts';
import { ask, hasCredentials, noAnswer, type Line } from './ask.ts';
import type { Abilities, Write, WriteAnswer } from './site-client.ts';
import { isUncertain } from './questions.ts';

/**
 * Sends writes as one batch: one answer each, or `no-batch` when the site has no such route. Throws AppError as long as
 * nothing was carried out.
 */
export async function sendBatch(
  line: Line,
  site: Abilities,
  writes: readonly Write[],
  language: Readonly<Record<string, string>>,
): Promise<readonly WriteAnswer[] | 'no-batch'> {
  const url = routeAddress(site.root, '/batch/v1');
  const what = `writing a batch of ${writes.length}`;
  const reply = await ask(line, {
    method: 'POST',
    url,
    body: { validation: 'normal', requests: writes.map((write) => requestOf(site, write, language)) },
  });
  if (reply.kind === 'none') {
    if (!reply.failure.sent) throw noAnswer(reply.failure, reply.error, what, url.host);
    return writes.map(() => ({ kind: 'lost', message: reply.failure.message }));
  }
  const { status, body } = reply.answer;
  if (status === 404 && (body as { code?: unknown } | undefined)?.code === 'rest_no_route') return 'no-batch';
  const { responses } = (body ?? {}) as Partial<BatchAnswer>;
  if (Array.isArray(responses) && responses.length === writes.length)
    return (responses as BatchAnswer['responses']).map(itemAnswer);
  return wholeBatch(line, reply.answer, writes, what, url.host);
}

// The outer query is not passed on to the items, so each path has the language.
function requestOf(site: Abilities, { method, path, body }: Write, language: Readonly<Record<string, string>>): object {
  const query = new URLSearchParams(language).toString();
  const joined = query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;
  return { method, path: `/${site.namespace}${joined}`, ...(body === undefined ? {} : { body }) };
}

function itemAnswer(item: { readonly status: number; readonly body: unknown } | null): WriteAnswer {
  if (item === null) return { kind: 'lost', message: 'the site gave no answer to this item of the batch' };
  const { status, body } = withoutSerialisedError(item.status, item.body);
  return isUncertain(status, body)
    ? { kind: 'lost', message: `the site failed at this item of the batch (status ${status})` }
    : { kind: 'answered', status, body };
}

// A batch is refused (400, 403, 413) before its items are tried; after a 500 nobody knows how far it got.
function wholeBatch(
  line: Line,
  answer: Answer,
  writes: readonly Write[],
  what: string,
  host: string,
): readonly WriteAnswer[] {
  const error = errorFrom(answer, what, host, hasCredentials(line));
  const isRefused = answer.status >= 400 && answer.status < 500 && !isUncertain(answer.status, answer.body);
  if (isTurnedAway(answer) || isRefused) throw error;
  return writes.map(() => ({ kind: 'lost', message: error.message, ...wishedWait(answer) }));
}
