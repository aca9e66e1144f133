import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import type { EventsRead } from '../../sync/formats/format.ts';
import type { EventDraft } from '../../sync/model/draft.ts';
import {
  parseAndTry,
  parseFeed,
  type ParseInput,
  type ParseOutput,
  type TrialInput,
  type TrialOutput,
} from './parse-feed.ts';

/** What the thread answers: drafts of a large feed while it reads, and its output in the end. */
export type ParseAnswer =
  | { readonly drafts: readonly EventDraft[]; readonly read: EventsRead }
  | {
      readonly output: ParseOutput | TrialOutput;
      /** The heap would stay as large as the feed has made it: a new thread costs less than that memory. */
      readonly isSpent: boolean;
    };

/** What the thread is asked for: a reading, or a trial of rules. */
export type ParseTask = { readonly reading: ParseInput } | { readonly trial: TrialInput };

/** A thread that has started needs 15 MB, and twice as much for the changes of ten thousand events. */
const HEAP_BYTES_KEPT = 40_000_000;

const port = parentPort;
if (port)
  port.on('message', (task: ParseTask) => {
    const answer = (message: ParseAnswer): void => port.postMessage(message);
    const output =
      'trial' in task ? parseAndTry(task.trial) : parseFeed(task.reading, (drafts, read) => answer({ drafts, read }));
    answer({ output, isSpent: getHeapStatistics().total_heap_size > HEAP_BYTES_KEPT });
  });
