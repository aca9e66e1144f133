import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import type { EventDraft } from '../../sync/model/draft.ts';
import { parseFeed, type ParseInput, type ParseOutput } from './parse-feed.ts';

/** What the thread answers: drafts of a large feed while it reads, and its output in the end. */
export type ParseAnswer = { readonly drafts: readonly EventDraft[] } | { readonly output: ParseOutput };

/** A thread that has started needs 15 MB, and twice as much for the changes of ten thousand events: neither has to rest. */
const HEAP_BYTES_KEPT = 40_000_000;

const port = parentPort;
if (port)
  port.on('message', (input: ParseInput) => {
    const answer = (message: ParseAnswer): void => port.postMessage(message);
    answer({ output: parseFeed(input, (drafts) => answer({ drafts })) });
    if (getHeapStatistics().total_heap_size > HEAP_BYTES_KEPT) setImmediate(giveBackMemory);
  });

/** Left to itself, the heap would stay as large as the feed made it. The launcher makes this possible. */
const giveBackMemory = (): void => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
