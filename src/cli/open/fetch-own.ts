import { openHttp } from '../../client/http.ts';
import type { FetchOwn } from '../../feeds/pages/self-test.ts';

const TIMEOUT_MS = 10_000;

/** Fetches one of our own addresses as any client would: over a connection of its own, through any proxy in between. */
export const fetchOwn: FetchOwn = async (url, headers) => {
  const http = openHttp({
    connectionsPerHost: 1,
    connectTimeoutMs: TIMEOUT_MS,
    headersTimeoutMs: TIMEOUT_MS,
    idleTimeoutMs: TIMEOUT_MS,
  });
  try {
    const answer = await http.send({ method: 'GET', url, headers, signal: AbortSignal.timeout(60_000) });
    const parts: Buffer[] = [];
    for await (const part of answer.body) parts.push(part as Buffer);
    return { status: answer.status, headers: answer.headers, body: Buffer.concat(parts) };
  } finally {
    await http.close();
  }
};
