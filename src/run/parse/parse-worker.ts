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

/** A message from the thread: drafts of a large feed while it is being read, and its output at the end. */
export type ParseAnswer =
  | { readonly drafts: readonly EventDraft[]; readonly read: EventsRead }
  | {
      readonly output: ParseOutput | TrialOutput;
      /** The feed has enlarged the heap, which would not shrink again; a new thread costs less than that memory. */
      readonly isSpent: boolean;
    };

/** A task for the thread: a reading, or a trial of rules. */
export type ParseTask = { readonly reading: ParseInput } | { readonly trial: TrialInput };

/** A new thread needs 15 MB, and twice that for the changes of ten thousand events. */
const HEAP_BYTES_KEPT = 40_000_000;

const port = parentPort;
if (port)
  port.on('message', (task: ParseTask) => {
    const answer = (message: ParseAnswer): void => port.postMessage(message);
    const output =
      'trial' in task ? parseAndTry(task.trial) : parseFeed(task.reading, (drafts, read) => answer({ drafts, read }));
    answer({ output, isSpent: getHeapStatistics().total_heap_size > HEAP_BYTES_KEPT });
  });
