import { openHttp } from '../../client/http.ts';
import type { Logger } from '../../log.ts';
import type { Observer } from '../../measures.ts';
import { requestOf, runSpan, stepSpan, type Span } from './otlp.ts';

/** The collector that receives traces. */
export interface TracesTo {
  readonly endpoint: string;
  /** May hold a secret. */
  readonly headers: Readonly<Record<string, string>>;
  readonly service: string;
  readonly version: string;
}

const EVERY_MS = 5_000;
const ANSWER_MS_MAX = 10_000;
/** Limits on what an unreachable collector may cost us. */
const WAITING_MAX = 5_000;
const AT_ONCE_MAX = 500;

/**
 * Sends spans of runs and their steps to an OTLP collector as JSON over HTTP, which needs no library. Spans name runs,
 * sources and steps but no addresses, because a feed's may be secret. What the collector does not accept is dropped,
 * with a warning in the log.
 */
export function exportTraces(
  { endpoint, headers, service, version }: TracesTo,
  log: Logger,
): Observer & {
  readonly close: () => Promise<void>;
} {
  const http = openHttp({
    connectionsPerHost: 1,
    connectTimeoutMs: ANSWER_MS_MAX,
    headersTimeoutMs: ANSWER_MS_MAX,
    idleTimeoutMs: ANSWER_MS_MAX,
  });
  const url = new URL(`${endpoint.replace(/\/+$/, '')}/v1/traces`);
  let waiting: Span[] = [];
  let dropped = 0;
  let made = 0;
  const add = (span: Span): void => {
    if (waiting.length < WAITING_MAX) waiting.push(span);
    else dropped += 1;
  };
  const send = async (spans: readonly Span[]): Promise<void> => {
    const answer = await http.send({
      method: 'POST',
      url,
      headers: { ...headers, 'content-type': 'application/json' },
      body: Buffer.from(requestOf(spans, service, version)),
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    answer.body.resume();
    if (answer.status >= 300) throw new Error(`it answered ${answer.status}`);
  };
  const flush = async (): Promise<void> => {
    const spans = waiting;
    waiting = [];
    for (let from = 0; from < spans.length; from += AT_ONCE_MAX) {
      await send(spans.slice(from, from + AT_ONCE_MAX)).catch((error: Error) => {
        dropped += Math.min(AT_ONCE_MAX, spans.length - from);
        log.warn({ error: error.message }, 'the collector did not accept the traces');
      });
    }
    if (dropped > 0) log.warn({ dropped }, 'parts of traces were dropped');
    dropped = 0;
  };
  let sending = Promise.resolve();
  const flushNow = (): Promise<void> => (sending = sending.then(flush));
  const timer = setInterval(() => void flushNow(), EVERY_MS);
  timer.unref();
  return {
    step: (timed) => add(stepSpan(timed, `${process.pid} ${(made += 1)}`)),
    run: (ended) => add(runSpan(ended)),
    close: async () => {
      clearInterval(timer);
      await flushNow();
      await http.close();
    },
  };
}
