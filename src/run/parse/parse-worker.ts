import { parentPort } from 'node:worker_threads';
import { parseFeed, type ParseInput } from './parse-feed.ts';

parentPort!.on('message', (input: ParseInput) => parentPort!.postMessage(parseFeed(input)));
