import { AppError } from '../error.ts';
import { routeAddress } from './address.ts';
import { errorFrom, itemAnswer, type Answer } from './answer.ts';
import { ask, hasCredentials, noAnswer, type Line } from './ask.ts';
import { retryAfterMs } from './questions.ts';
import type { Abilities, Write, WriteAnswer } from './site-client.ts';

/** The most writes that one batch may hold. */
export const BATCH_MAX = 25;

/**
 * Sends writes in order and gives one answer each: in one batch where the site allows that, one by one elsewhere.
 * Throws AppError only when nothing at all was carried out; otherwise what is not known to be done is `lost`.
 */
export async function sendWrites(line: Line, site: Abilities, writes: readonly Write[], language: Readonly<Record<string, string>>): Promise<readonly WriteAnswer[]> {
  if (writes.length > BATCH_MAX) throw new RangeError(`at most ${BATCH_MAX} writes at a time, not ${writes.length}`);
  if (writes.length === 0) return [];
  if (!site.batch) return sendSingly(line, site, writes, language);
  const answers = await sendBatch(line, site, writes, language);
  const unsent = answers === 'no-batch' ? writes.map((_, at) => at) : answers.flatMap((answer, at) => (isUnbatchable(answer) ? [at] : []));
  if (unsent.length === 0) return answers as readonly WriteAnswer[];
  // The index promised batches, the route refuses them: nothing of these was carried out.
  const singly = await sendSingly(line, site, unsent.map((at) => writes[at]!), language);
  return writes.map((_, at) => (unsent.includes(at) ? singly[unsent.indexOf(at)]! : (answers as readonly WriteAnswer[])[at]!));
}

const isUnbatchable = (answer: WriteAnswer): boolean => answer.kind === 'answered' && (answer.body as { code?: unknown } | null)?.code === 'rest_batch_not_allowed';

async function sendSingly(line: Line, site: Abilities, writes: readonly Write[], language: Readonly<Record<string, string>>): Promise<readonly WriteAnswer[]> {
  const answers: WriteAnswer[] = [];
  for (const write of writes) {
    const before = answers.at(-1);
    // After a silence the site is left alone: the rest comes again with the next attempt.
    if (before?.kind === 'lost') answers.push({ ...before, message: `not sent after the write before it: ${before.message.replace(/^not sent after the write before it: /, '')}` });
    else answers.push(await sendOne(line, site, write, language, answers.length === 0));
  }
  return answers;
}

async function sendOne(line: Line, site: Abilities, { method, path, body }: Write, language: Readonly<Record<string, string>>, isFirst: boolean): Promise<WriteAnswer> {
  const url = routeAddress(site.root, `/${site.namespace}${path}`, language);
  const what = `writing ${path}`;
  const reply = await ask(line, { method, url, ...(body === undefined ? {} : { body }) });
  if (reply.kind === 'none') {
    if (isFirst && !reply.failure.sent) throw noAnswer(reply.failure, reply.error, what, url.host);
    return { kind: 'lost', message: reply.failure.message };
  }
  if (isFirst && isTurnedAway(reply.answer)) throw errorFrom(reply.answer, what, url.host, hasCredentials(line));
  return writeAnswer(reply.answer, what, url.host, line);
}

// Credentials are checked before anything else, and a redirect is answered before the site's program runs.
const isTurnedAway = ({ status }: Answer): boolean => status === 401 || (status >= 300 && status < 400);

function writeAnswer(answer: Answer, what: string, host: string, line: Line): WriteAnswer {
  const { status, body, headers } = answer;
  const isUnknown = body === undefined || [408, 429, 502, 503, 504].includes(status);
  if (!isUnknown) return { kind: 'answered', status, body };
  const wait = retryAfterMs(headers.get('retry-after'), Date.now());
  return { kind: 'lost', message: errorFrom(answer, what, host, hasCredentials(line)).message, ...(wait === undefined ? {} : { retryAfterMs: wait }) };
}

async function sendBatch(line: Line, site: Abilities, writes: readonly Write[], language: Readonly<Record<string, string>>): Promise<readonly WriteAnswer[] | 'no-batch'> {
  const url = routeAddress(site.root, '/batch/v1');
  const query = new URLSearchParams(language).toString();
  const requests = writes.map(({ method, path, body }) => ({ method, path: `/${site.namespace}${path}${query === '' ? '' : `${path.includes('?') ? '&' : '?'}${query}`}`, ...(body === undefined ? {} : { body }) }));
  const what = `writing a batch of ${writes.length}`;
  const reply = await ask(line, { method: 'POST', url, body: { validation: 'normal', requests } });
  if (reply.kind === 'none') {
    if (!reply.failure.sent) throw noAnswer(reply.failure, reply.error, what, url.host);
    return writes.map(() => ({ kind: 'lost', message: reply.failure.message }));
  }
  const { answer } = reply;
  if (answer.status === 404 && (answer.body as { code?: unknown } | undefined)?.code === 'rest_no_route') return 'no-batch';
  if (isTurnedAway(answer)) throw errorFrom(answer, what, url.host, hasCredentials(line));
  const { responses } = (answer.body ?? {}) as { responses?: readonly ({ status: number; body: unknown } | null)[] };
  if (Array.isArray(responses) && responses.length === writes.length) return (responses as readonly ({ status: number; body: unknown } | null)[]).map(itemOf);
  return wholeBatch(answer, writes, what, url.host, line);
}

const itemOf = (item: { status: number; body: unknown } | null): WriteAnswer =>
  (item === null ? { kind: 'lost', message: 'the site gave no answer to this item of the batch' } : { kind: 'answered', ...itemAnswer(item.status, item.body) });

// A refused batch (400, 403, 413) was refused as a whole, before its items; after a 500 nobody knows how far it came.
function wholeBatch(answer: Answer, writes: readonly Write[], what: string, host: string, line: Line): readonly WriteAnswer[] {
  const error: AppError = errorFrom(answer, what, host, hasCredentials(line));
  if (answer.body !== undefined && answer.status >= 400 && answer.status < 500 && ![408, 429].includes(answer.status)) throw error;
  const wait = retryAfterMs(answer.headers.get('retry-after'), Date.now());
  return writes.map(() => ({ kind: 'lost', message: error.message, ...(wait === undefined ? {} : { retryAfterMs: wait }) }));
}
