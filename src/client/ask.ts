import { setTimeout as sleep } from 'node:timers/promises';
import type { AtOnce } from '../contract/arg.ts';
import { BATCH_MAX } from '../contract/batch.ts';
import { PER_PAGE_MAX } from '../contract/shared-args.ts';
import { AppError } from '../error.ts';
import { answerFrom, errorFrom, type Answer } from './answer.ts';
import { httpFailure, type HttpFailure } from './http-failure.ts';
import { isRetryable, isSameSite, redirectTarget, retryAfterMs } from './questions.ts';
import type { InProcess, OnRead, Sent, Transport } from './site-client.ts';

export interface Retry {
  /** Including the first attempt. */
  readonly attempts: number;
  /** Upper limit of the first wait; it doubles with each further wait. */
  readonly firstWaitMs: number;
  /** If a site asks for a longer wait, we give up instead. */
  readonly waitMsMax: number;
  /** 0 ≤ x < 1: spreads out the waits of many clients. */
  readonly random: () => number;
}

export const RETRY: Retry = { attempts: 4, firstWaitMs: 500, waitMsMax: 20_000, random: Math.random };

/** Called before waiting for a site, with its host, the milliseconds and the reason. */
export type OnWait = (host: string, ms: number, because: string) => void;

/** Called for each answer with its status, or with `none` if there was no answer. */
export type OnAnswer = (status: number | 'none') => void;

/** What every request to a site needs. */
export interface Line {
  readonly exchange: InProcess['exchange'];
  readonly atOnce: AtOnce;
  readonly headers: Readonly<Record<string, string>>;
  readonly retry: Retry;
  /** Called once per request sent. */
  readonly count: () => void;
  /** Called before a wait, with the milliseconds and the reason. */
  readonly onWait?: OnWait;
  readonly onAnswer: OnAnswer;
  readonly onRead?: OnRead;
  /** Set once a server in front of the site has refused PUT or DELETE: from then on they are sent as POST. */
  readonly learned: { tunnel: boolean };
}

export interface Question {
  readonly method: string;
  readonly url: URL;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The result of a request: an answer of any status, or none. */
export type Reply =
  | { readonly kind: 'answer'; readonly answer: Answer; readonly url: URL }
  | { readonly kind: 'none'; readonly failure: HttpFailure; readonly error: unknown };

/**
 * Sends a request, and repeats it if that is safe: reads after connection errors and 408, 429, 502, 503, 504; writes
 * only if the request was never sent or was rejected unread (429). Follows redirects of reads within the site.
 */
export async function ask(line: Line, question: Question): Promise<Reply> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await askOnce(line, question);
    const wait =
      attempt < line.retry.attempts && isWorthRepeating(question.method, reply)
        ? waitMs(reply, attempt, line.retry)
        : undefined;
    if (wait === undefined) return reply;
    line.onWait?.(question.url.host, wait, reasonOf(reply));
    await sleep(wait);
  }
}

/** The answer to a read. Throws AppError if no attempt gets one. */
export async function askForAnswer(
  line: Line,
  question: Question,
  what: string,
): Promise<{ answer: Answer; url: URL }> {
  const reply = await ask(line, question);
  if (reply.kind === 'none') throw noAnswer(reply.failure, reply.error, what, question.url.host);
  const { status } = reply.answer;
  if ((status >= 300 && status < 400) || status === 401 || status === 429 || status >= 500)
    throw errorFrom(reply.answer, what, question.url.host, hasCredentials(line));
  return reply;
}

export const noAnswer = (failure: HttpFailure, cause: unknown, what: string, host: string): AppError =>
  new AppError('site-unreachable', `${host} could not be reached when ${what}: ${failure.message}.`, { cause });

export const hasCredentials = (line: Line): boolean => 'authorization' in line.headers;

async function askOnce(line: Line, question: Question): Promise<Reply> {
  let { url } = question;
  for (let hop = 0; ; hop += 1) {
    const reply = await exchange(line, { ...question, url });
    const target =
      reply.kind === 'answer' && question.method === 'GET' && hop < REDIRECTS_MAX
        ? redirectTarget(reply.answer.status, reply.answer.headers, url)
        : undefined;
    if (target === undefined || !isSameSite(url, target)) return reply;
    url = target;
  }
}

const REDIRECTS_MAX = 3;

async function exchange(line: Line, { method, url, body, headers: own }: Question): Promise<Reply> {
  line.count();
  const headers = {
    accept: 'application/json',
    ...line.headers,
    ...own,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  try {
    const answer = await line.exchange({ method, url, headers, ...(body === undefined ? {} : { body }) });
    line.onAnswer(answer.status);
    return { kind: 'answer', answer, url };
  } catch (error) {
    line.onAnswer('none');
    return { kind: 'none', failure: httpFailure(error), error };
  }
}

/** Sends requests over a transport, with bodies as text. */
export const asTexts = (transport: Transport): InProcess => ({
  atOnce: { writes: BATCH_MAX, items: PER_PAGE_MAX },
  exchange: async ({ method, url, headers, body }: Sent) =>
    answerFrom(
      await transport(
        new Request(url, {
          method,
          headers,
          redirect: 'manual',
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
      ),
    ),
});

function isWorthRepeating(method: string, reply: Reply): boolean {
  const isRead = method === 'GET';
  if (reply.kind === 'answer') return isRead ? isRetryable(reply.answer.status) : reply.answer.status === 429;
  const { code, sent } = reply.failure;
  return ['unknown-host', 'refused', 'unreachable', 'timeout', 'cut-off'].includes(code) && (isRead || !sent);
}

const reasonOf = (reply: Reply): string =>
  reply.kind === 'none' ? reply.failure.message : `it answered ${reply.answer.status}`;

// Exponential backoff with full jitter, or longer if the site says so. A site whose clock is wrong may name a time in
// the past.
function waitMs(reply: Reply, attempt: number, retry: Retry): number | undefined {
  const wished = reply.kind === 'answer' ? (retryAfterMs(reply.answer.headers, Date.now()) ?? 0) : 0;
  const own = Math.min(retry.waitMsMax, retry.firstWaitMs * 2 ** (attempt - 1)) * (0.5 + retry.random() / 2);
  return wished > retry.waitMsMax ? undefined : Math.max(own, wished);
}
