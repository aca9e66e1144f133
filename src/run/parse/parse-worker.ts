import { parentPort } from 'node:worker_threads';
import { isLarge } from './large-feed.ts';
import { parseFeed, type ParseInput } from './parse-feed.ts';

const port = parentPort;
if (port)
  port.on('message', (input: ParseInput) => {
    port.postMessage(parseFeed(input));
    if (isLarge(input)) setImmediate(giveBackMemory);
  });

/** Left to itself, the heap would stay as large as the feed made it. The launcher makes this possible. */
const giveBackMemory = (): void => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
