import { routeAddress } from './address.ts';
import { errorFrom, isTurnedAway, wishedWait, type Answer } from './answer.ts';
import { ask, hasCredentials, noAnswer, type Line, type Question, type Reply } from './ask.ts';
import { isUncertain } from './questions.ts';
import type { Abilities, GoOn, Write, WriteAnswer } from './site-client.ts';
import { sendBatch } from './send-batch.ts';

/** The most writes in one call, and in one batch. */
const WRITES_MAX = 25;

/**
 * Sends writes in order, with one answer each: in one batch where the site allows it, else one by one. Throws AppError
 * only while nothing at all has been carried out; after that, what is not known to be done is `lost`. If `goOn` stops
 * single writes, the rest is not sent and has no answers.
 */
export async function sendWrites(
  line: Line,
  site: Abilities,
  writes: readonly Write[],
  language: Readonly<Record<string, string>>,
  goOn: GoOn = always,
): Promise<readonly WriteAnswer[]> {
  if (writes.length > WRITES_MAX) throw new RangeError(`at most ${WRITES_MAX} writes at a time, not ${writes.length}`);
  if (writes.length === 0) return [];
  if (!site.batch) return sendSingly(line, site, writes, language, true, goOn);
  const answers = await sendBatch(line, site, writes, language);
  if (answers === 'no-batch') return sendSingly(line, site, writes, language, true, goOn);
  // The index promised batches, but the route refuses these: none of them was carried out.
  const unsent = writes.flatMap((write, at) => (isUnbatchable(answers[at]) ? [{ write, at }] : []));
  const open = unsent.map(({ write }) => write);
  if (open.length === writes.length) return sendSingly(line, site, open, language, true, goOn);
  const singly = await sendSingly(line, site, open, language, false, always);
  const byPlace = new Map(unsent.map(({ at }, index) => [at, singly[index]]));
  return answers.map((answer, at) => byPlace.get(at) ?? answer);
}

const always: GoOn = async () => true;

const isUnbatchable = (answer: WriteAnswer | undefined): boolean =>
  answer?.kind === 'answered' && codeOf(answer.body) === 'rest_batch_not_allowed';

async function sendSingly(
  line: Line,
  site: Abilities,
  writes: readonly Write[],
  language: Readonly<Record<string, string>>,
  mayThrow: boolean,
  goOn: GoOn,
): Promise<readonly WriteAnswer[]> {
  const answers: WriteAnswer[] = [];
  for (const write of writes) {
    const before = answers.at(-1);
    // After a write without an answer the site is left alone; the rest is sent with the next attempt.
    const answer: WriteAnswer =
      before?.kind === 'lost'
        ? { ...before, message: `${NOT_SENT}${before.message.replace(NOT_SENT, '')}` }
        : await sendOne(line, site, write, language, mayThrow && answers.length === 0);
    answers.push(answer);
    if (!(await goOn(write, answer))) break;
  }
  return answers;
}

const NOT_SENT = 'not sent, for the write before it went wrong: ';

async function sendOne(
  line: Line,
  site: Abilities,
  { method, path, body }: Write,
  language: Readonly<Record<string, string>>,
  mayThrow: boolean,
): Promise<WriteAnswer> {
  const url = routeAddress(site.root, `/${site.namespace}${path}`, language);
  const reply = await askToWrite(line, { method, url, ...(body === undefined ? {} : { body }) });
  return writeAnswer(line, reply, `writing ${path}`, url.host, mayThrow);
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

function writeAnswer(line: Line, reply: Reply, what: string, host: string, mayThrow: boolean): WriteAnswer {
  if (reply.kind === 'none') {
    if (mayThrow && !reply.failure.sent) throw noAnswer(reply.failure, reply.error, what, host);
    return { kind: 'lost', message: reply.failure.message };
  }
  const { status, body } = reply.answer;
  if (mayThrow && isTurnedAway(reply.answer)) throw errorFrom(reply.answer, what, host, hasCredentials(line));
  if (body !== undefined && !isUncertain(status, body)) return { kind: 'answered', status, body };
  const { code, message } = errorFrom(reply.answer, what, host, hasCredentials(line));
  // A web page instead of an error body, from a firewall for instance, is still a refusal.
  if (status >= 300 && status < 500 && !isUncertain(status, body))
    return { kind: 'answered', status, body: { code, message, data: { status } } };
  return { kind: 'lost', message, ...wishedWait(reply.answer) };
}

const codeOf = (body: unknown): string => String((body as { code?: unknown } | null)?.code ?? '');
