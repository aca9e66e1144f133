import type { BatchAnswer } from '../contract/representation.ts';
import { routeAddress } from './address.ts';
import { errorFrom, isTurnedAway, withoutSerialisedError, wishedWait, type Answer } from './answer.ts';
import { ask, hasCredentials, noAnswer, type Line, type Question, type Reply } from './ask.ts';
import { isSameSite, isUncertain, redirectTarget } from './questions.ts';
import type { Abilities, GoOn, Write, WriteAnswer } from './site-client.ts';

/** The target of writes: the line to a site, what the site can do, and the parameter for the language of the writes. */
interface Recipient {
  readonly line: Line;
  readonly site: Abilities;
  readonly language: Readonly<Record<string, string>>;
}

/**
 * Sends writes in order, with one answer each: in one batch if the site allows it, else one by one. Throws AppError
 * only if nothing at all was carried out; otherwise, what is not known to be done is `lost`. If `goOn` stops single
 * writes, the rest is not sent and has no answers.
 */
export async function sendWrites(
  line: Line,
  site: Abilities,
  writes: readonly Write[],
  language: Readonly<Record<string, string>>,
  goOn: GoOn = always,
): Promise<readonly WriteAnswer[]> {
  const writesMax = line.atOnce.writes;
  if (writes.length > writesMax) throw new RangeError(`at most ${writesMax} writes at a time, not ${writes.length}`);
  if (writes.length === 0) return [];
  const to: Recipient = { line, site, language };
  if (!site.batch) return sendSingly(to, writes, true, goOn);
  const answers = await sendBatch(to, writes);
  if (answers === 'singly') return sendSingly(to, writes, true, goOn);
  // The index promised batches, but the route refuses these writes: none of them was carried out.
  const unsent = writes.flatMap((write, at) => (isUnbatchable(answers[at]) ? [{ write, at }] : []));
  const open = unsent.map(({ write }) => write);
  if (open.length === writes.length) return sendSingly(to, open, true, goOn);
  const singly = await sendSingly(to, open, false, always);
  const byPlace = new Map(unsent.map(({ at }, index) => [at, singly[index]]));
  return answers.map((answer, at) => byPlace.get(at) ?? answer);
}

const always: GoOn = async () => true;

const isUnbatchable = (answer: WriteAnswer | undefined): boolean =>
  answer?.kind === 'answered' && codeOf(answer.body) === 'rest_batch_not_allowed';

/**
 * Sends writes as one batch: gives one answer each, or `singly` if the site takes them only one by one. Throws AppError
 * if nothing was carried out.
 */
async function sendBatch(to: Recipient, writes: readonly Write[]): Promise<readonly WriteAnswer[] | 'singly'> {
  const { line, site } = to;
  const url = routeAddress(site.root, '/batch/v1');
  const reply = await ask(line, {
    method: 'POST',
    url,
    body: { validation: 'normal', requests: writes.map((write) => batchItem(to, write)) },
  });
  const answer = answerIn(line, reply, `writing a batch of ${writes.length}`, url.host, true);
  if ('kind' in answer) return writes.map(() => answer);
  const { status, body } = answer;
  if (status === 404 && codeOf(body) === 'rest_no_route') return 'singly';
  if (writes.length > 1 && isTurnedBack(answer)) return 'singly';
  const { responses } = (body ?? {}) as Partial<BatchAnswer>;
  if (Array.isArray(responses) && responses.length === writes.length)
    return (responses as BatchAnswer['responses']).map(itemAnswer);
  const error = errorFrom(answer, `writing a batch of ${writes.length}`, url.host, hasCredentials(line));
  // A refused batch (400, 403, 413) was refused before its items were tried; after a 500 nobody knows how far it got.
  if (isRefused(answer)) throw error;
  return writes.map(() => ({ kind: 'lost', message: error.message, ...wishedWait(answer) }));
}

// The outer query is not passed on to the items, so each path carries the language.
function batchItem({ site, language }: Recipient, { method, path, body }: Write): object {
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

async function sendSingly(
  to: Recipient,
  writes: readonly Write[],
  mayThrow: boolean,
  goOn: GoOn,
): Promise<readonly WriteAnswer[]> {
  const answers: WriteAnswer[] = [];
  for (const write of writes) {
    const before = answers.at(-1);
    // After a write without an answer we leave the site alone; the next attempt sends the rest.
    const sent: Promise<WriteAnswer> =
      before?.kind === 'lost'
        ? Promise.resolve(
            before.isUnsent ? before : { ...before, message: `${NOT_SENT}${before.message}`, isUnsent: true },
          )
        : sendOne(to, write, mayThrow && answers.length === 0);
    const [answer, goesOn] = await Promise.all([sent, goOn(write, sent)]);
    answers.push(answer);
    if (!goesOn) break;
  }
  return answers;
}

const NOT_SENT = 'not sent, because the write before it failed: ';

async function sendOne(
  { line, site, language }: Recipient,
  { method, path, body: sent }: Write,
  mayThrow: boolean,
): Promise<WriteAnswer> {
  const url = routeAddress(site.root, `/${site.namespace}${path}`, language);
  const reply = await askToWrite(line, { method, url, ...(sent === undefined ? {} : { body: sent }) });
  const answer = answerIn(line, reply, `writing ${path}`, url.host, mayThrow);
  if ('kind' in answer) return answer;
  const { status, body } = answer;
  const hasMoved = leadsToSame(answer, url, `/${site.namespace}${path}`);
  if (body !== undefined && !isUncertain(status, body) && !hasMoved) return { kind: 'answered', status, body };
  const { code, message } = errorFrom(answer, `writing ${path}`, url.host, hasCredentials(line));
  // The site has moved since the previous write. The next attempt finds out where to.
  if (hasMoved) return { kind: 'lost', message, isUnsent: true };
  // A web page instead of an error body, for example from a firewall, is still a refusal.
  return isTurnedAway(answer) || isRefused(answer)
    ? { kind: 'answered', status, body: { code, message, data: { status } } }
    : { kind: 'lost', message, ...wishedWait(answer) };
}

/**
 * Whether an answer redirects to the same route of the site at a new address. The redirect of a firewall leads
 * elsewhere.
 */
function leadsToSame({ status, headers }: Answer, from: URL, route: string): boolean {
  const target = redirectTarget(status, headers, from);
  if (target === undefined || !isSameSite(from, target)) return false;
  const [path = ''] = route.split('?', 1);
  return (target.searchParams.get('rest_route') ?? target.pathname).endsWith(path);
}

/**
 * Some hosts block PUT and DELETE; the interface accepts them as POST, too. Such a refusal comes before the site's
 * program runs.
 */
async function askToWrite(line: Line, question: Question): Promise<Reply> {
  const tunnelled: Question = { ...question, method: 'POST', headers: { 'x-http-method-override': question.method } };
  if (question.method === 'POST') return ask(line, question);
  if (line.learned.tunnel) return ask(line, tunnelled);
  const reply = await ask(line, question);
  if (reply.kind === 'none' || !isMethodRefused(reply.answer)) return reply;
  const second = await ask(line, tunnelled);
  line.learned.tunnel = second.kind === 'answer' && second.answer.body !== undefined;
  return second;
}

const isMethodRefused = ({ status, body }: Answer): boolean =>
  status === 405 || status === 501 || (status === 403 && body === undefined);

/** The site's answer, or `lost`. Throws AppError if nothing was carried out and `mayThrow` is set. */
function answerIn(
  line: Line,
  reply: Reply,
  what: string,
  host: string,
  mayThrow: boolean,
): Answer | Extract<WriteAnswer, { readonly kind: 'lost' }> {
  if (reply.kind === 'none') {
    if (mayThrow && !reply.failure.sent) throw noAnswer(reply.failure, reply.error, what, host);
    return { kind: 'lost', message: reply.failure.message };
  }
  if (mayThrow && isTurnedAway(reply.answer)) throw errorFrom(reply.answer, what, host, hasCredentials(line));
  return reply.answer;
}

/** Whether the site has definitely refused, and carried out nothing of the request. */
const isRefused = ({ status, body }: Answer): boolean => status >= 400 && status < 500 && !isUncertain(status, body);

/**
 * Whether a check, a size limit or a firewall has rejected a request because of its content. One write of a batch may
 * be the reason, so the others are better sent without it.
 */
const isTurnedBack = (answer: Answer): boolean =>
  isRefused(answer) && (OF_CONTENT.has(answer.status) || answer.body === undefined);

/** Statuses that are about what was sent, not about who sent it. */
const OF_CONTENT: ReadonlySet<number> = new Set([400, 413, 422]);

const codeOf = (body: unknown): string => String((body as { code?: unknown } | null)?.code ?? '');
