import { Worker } from 'node:worker_threads';
import { AppError } from '../error.ts';
import type { ParseInput, ParseOutput } from './parse-feed.ts';

const PARSE_MS_MAX = 120_000;
const HEAP_MB_MAX = 384;
/** After a feed of so many bytes the thread is ended: its heap would stay as large as the feed made it. */
const LARGE_BYTES = 1_000_000;

/** Parses feeds off the event loop, one after the other, each within a time and memory limit. */
export interface FeedParser {
  readonly parse: (input: ParseInput) => Promise<ParseOutput>;
  readonly close: () => Promise<void>;
}

/** A parser with one worker thread, made when it is first needed and again after a feed that broke it. */
export function makeFeedParser(): FeedParser {
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const end = async (): Promise<void> => {
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  };
  const parse = async (input: ParseInput): Promise<ParseOutput> => {
    worker ??= new Worker(new URL('./parse-worker.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX } });
    try {
      const output = await answerOf(worker, input);
      if (input.bytes.length > LARGE_BYTES) await end();
      return output;
    } catch (cause) {
      await end();
      throw cause;
    }
  };
  return {
    parse: (input) => {
      const answer = last.then(() => parse(input));
      last = answer.catch(() => undefined);
      return answer;
    },
    // What is being read is given up: it can be read again.
    close: end,
  };
}

function answerOf(worker: Worker, input: ParseInput): Promise<ParseOutput> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    };
    const fail = (code: string, message: string, cause?: unknown): void => { end(); reject(new AppError(code, message, { cause })); };
    const onMessage = (output: ParseOutput): void => { end(); resolve(output); };
    const onError = (cause: unknown): void => fail('feed-unreadable', `Reading the feed failed: ${String(cause)}`, cause);
    const onExit = (code: number): void => fail('feed-unreadable', `The reader of feeds ended early (exit code ${code}).`);
    const timer = setTimeout(() => fail('feed-too-slow', `Reading the feed took longer than ${PARSE_MS_MAX / 1000} seconds and was stopped.`), PARSE_MS_MAX);
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage(input);
  });
}
