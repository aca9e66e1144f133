import type { ErrorCode } from '../../codes.ts';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../error.ts';
import { groupRepeatingRules, slowRules } from '../../sync/drafts/slow-rules.ts';
import type { ParseInput, ParseOutput, TrialInput, TrialOutput } from './parse-feed.ts';
import type { ParseAnswer, ParseTask } from './parse-worker.ts';
import { inOrderOfOccurrences } from '../../sync/model/draft-order.ts';
import { makeTextsOne } from '../../sync/model/equal-texts.ts';
import type { EventsRead } from '../../sync/formats/format.ts';
import type { EventDraft } from '../../sync/model/draft.ts';

const PARSE_MS_MAX = 120_000;
/** Short, because a person is waiting for the result. */
const TRIAL_MS_MAX = 20_000;
const HEAP_MB_MAX = 384;
/** Feeds with more bytes than this are read one after the other. */
const LARGE_BYTES = 1_000_000;
/** After this long without a feed, a thread is ended, as its memory is worth more than the time to start another. */
const IDLE_MS_MAX = 300_000;

/** As many as feeds that are read at the same time (state/pace.ts), so that a slow feed does not block another. */
const THREADS_MAX = 2;

/** Called with the progress of reading a large feed. */
export type OnEventsRead = (read: EventsRead) => void;

/** Parses feeds off the event loop, each within a time and memory limit. */
export interface FeedParser {
  readonly parse: (input: ParseInput, onRead?: OnEventsRead) => Promise<ParseOutput>;
  /** Tries rules on a feed, within a shorter time limit. */
  readonly tryRules: (input: TrialInput) => Promise<TrialOutput>;
  /** Announces a feed, because starting a thread takes longer than reading a small feed. */
  readonly prepare: () => void;
  readonly close: () => Promise<void>;
}

/**
 * A parser whose threads start when first needed, and again after a feed crashed one. Only the first thread outlives
 * its feed, unless the feed was so large that the thread's memory is worth more than another start.
 */
export function makeFeedParser(msMax = PARSE_MS_MAX, idleMsMax = IDLE_MS_MAX): FeedParser {
  const first = makeThread(true, idleMsMax);
  const threads = [first, ...Array.from({ length: THREADS_MAX - 1 }, () => makeThread(false, idleMsMax))];
  // Large feeds all go to the first thread, so that they do not need their memory at the same time.
  const threadFor = (input: ParseInput): Thread =>
    isLarge(input) ? first : threads.reduce((best, one) => (one.waiting() < best.waiting() ? one : best));
  return {
    parse: async (input, onRead) => {
      const { output, handedOut } = await threadFor(input).work({ reading: input }, msMax, onRead);
      return withDrafts(output as ParseOutput, handedOut);
    },
    tryRules: async (input) =>
      (await threadFor(input).work({ trial: input }, Math.min(msMax, TRIAL_MS_MAX))).output as TrialOutput,
    prepare: first.prepare,
    // Feeds that are being read are abandoned, as they can be read again.
    close: async () => {
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
}

const isLarge = ({ bytes }: ParseInput): boolean => bytes.length > LARGE_BYTES;

/** A thread's answer to a task, with the drafts that it handed out before. */
interface Worked {
  readonly output: ParseOutput | TrialOutput;
  readonly handedOut: readonly (readonly EventDraft[])[];
  readonly isSpent: boolean;
}

interface Thread {
  readonly work: (task: ParseTask, msMax: number, onRead?: OnEventsRead) => Promise<Worked>;
  readonly prepare: () => void;
  /** The number of feeds this thread is reading or has queued. */
  readonly waiting: () => number;
  readonly end: () => Promise<void>;
}

function makeThread(isKept: boolean, idleMsMax: number): Thread {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const end = async (): Promise<void> => {
    clearTimeout(idle);
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  };
  const rest = (): void => {
    clearTimeout(idle);
    idle = setTimeout(() => {
      if (waiting === 0) void end();
    }, idleMsMax).unref();
  };
  const started = (): Worker => {
    if (worker) return worker;
    const own = new Worker(new URL('./parse-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
    });
    // A thread that ends between feeds is replaced for the next one, which reports the reason if it persists.
    const forget = (): void => {
      if (worker === own) worker = undefined;
    };
    own.on('error', forget).on('exit', forget);
    worker = own;
    return own;
  };
  const work: Thread['work'] = async (task, msMax, onRead) => {
    try {
      const worked = await answerOf(started(), task, msMax, onRead);
      if (isKept && !worked.isSpent) rest();
      else await end();
      return worked;
    } catch (cause) {
      await end();
      throw cause;
    }
  };
  return {
    work: (task, msMax, onRead) => {
      waiting += 1;
      const answer = last
        .then(() => work(task, msMax, onRead))
        .finally(() => {
          waiting -= 1;
        });
      // Does not hold the output, which would otherwise stay in memory until the next feed.
      last = answer.then(nothing, nothing);
      return answer;
    },
    prepare: () => {
      started();
      rest();
    },
    waiting: () => waiting,
    end,
  };
}

const nothing = (): void => undefined;

function answerOf(worker: Worker, task: ParseTask, msMax: number, onRead?: OnEventsRead): Promise<Worked> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    };
    const fail = (code: ErrorCode, message: string, cause?: unknown): void => {
      end();
      reject(new AppError(code, message, { cause }));
    };
    const handedOut: (readonly EventDraft[])[] = [];
    const makeOne = makeTextsOne();
    const onMessage = (answer: ParseAnswer): void => {
      if ('drafts' in answer) {
        onRead?.(answer.read);
        makeOne(answer.drafts);
        return void handedOut.push(answer.drafts);
      }
      end();
      resolve({ ...answer, handedOut });
    };
    const onError = (cause: unknown): void =>
      (cause as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? fail(
            'feed-too-complex',
            `Reading the feed took more than ${HEAP_MB_MAX} MB of memory and was stopped. Ask the publisher for a smaller feed.`,
            cause,
          )
        : fail('feed-unreadable', `Reading the feed failed: ${String(cause)}`, cause);
    const onExit = (code: number): void =>
      fail('feed-unreadable', `The reader of feeds ended early (exit code ${code}).`);
    const timer = setTimeout(() => {
      const rules = suspectedIn('trial' in task ? task.trial : task.reading);
      if (rules.length === 0)
        fail(
          'feed-too-slow',
          `Reading the feed took longer than ${msMax / 1000} seconds and was stopped. Ask the publisher for a smaller feed.`,
        );
      else
        fail(
          'rules-too-slow',
          `The rules take too long: reading the feed was stopped after ${msMax / 1000} seconds. ` +
            'This one repeats what can be read in several ways; ' +
            `write it without the repetition: ${rules.join('; ')}.`,
        );
    }, msMax);
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage(task);
  });
}

function withDrafts(output: ParseOutput, handedOut: readonly (readonly EventDraft[])[]): ParseOutput {
  if (output.kind === 'notAFeed' || !output.isHandedOut) return output;
  return { ...output, reading: { ...output.reading, drafts: inOrderOfOccurrences(handedOut.flat()) } };
}

/** The most rules that are named. */
const NAMED_MAX = 5;

/** Rules that may never end; if there are certain ones, only those. */
function suspectedIn({ settings }: ParseInput): readonly string[] {
  const slow = slowRules(settings);
  const all = slow.length > 0 ? slow : groupRepeatingRules(settings);
  const more = all.length - NAMED_MAX;
  return [...all.slice(0, NAMED_MAX), ...(more > 0 ? [`and ${more} more`] : [])];
}
