import { parentPort } from 'node:worker_threads';
import { parseFeed, type ParseInput } from './parse-feed.ts';

const port = parentPort;
if (port) port.on('message', (input: ParseInput) => port.postMessage(parseFeed(input)));
