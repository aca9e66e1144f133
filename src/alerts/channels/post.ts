import type { Readable } from 'node:stream';
import type { Http } from '../../client/http.ts';
import { decoded } from '../../config/environment.ts';
import { deliveryResult, type DeliveryResult } from './delivery-result.ts';

const POST_MS_MAX = 10_000;
const ANSWER_BYTES_MAX = 2_000;

export interface Post {
  readonly url: URL;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** The same for each attempt, so that a receiver which checks it sees a message once. */
  readonly id: string;
  /** The receiver's address, all of which is secret. */
  readonly address: string;
  /** Other texts that must not be shown from an answer. */
  readonly hidden?: readonly string[];
}

/** Sends JSON to a receiver; never throws. No part of its address that may be secret appears in the result. */
export async function post(
  http: Http,
  { url, body, headers = {}, id, address, hidden = [] }: Post,
): Promise<DeliveryResult> {
  try {
    const answer = await http.send({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', 'idempotency-key': id, ...headers },
      body: Buffer.from(JSON.stringify(body)),
      signal: AbortSignal.timeout(POST_MS_MAX),
    });
    const isAccepted = answer.status < 300;
    const said = await beginning(answer.body);
    if (isAccepted) return deliveryResult(true, String(answer.status));
    return deliveryResult(false, `answered ${answer.status}${said === '' ? '' : `: ${said}`}`, [
      ...hidden,
      ...secretParts(address),
    ]);
  } catch (error) {
    const { name, code } = error as NodeJS.ErrnoException;
    return deliveryResult(
      false,
      name === 'TimeoutError' ? 'no answer in 10 seconds' : `no connection: ${code ?? name}`,
    );
  }
}

/** A path segment of at least this length is taken to be random rather than a word that answers may need. */
const RANDOM_LENGTH = 16;

/** The parts of its address that a receiver may repeat, the longest first: the whole, a topic, a token. */
function secretParts(address: string): readonly string[] {
  const { href, pathname, search, searchParams } = new URL(address);
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const named = segments.filter((segment, at) => at === segments.length - 1 || segment.length >= RANDOM_LENGTH);
  const parts = [address, href, pathname + search, pathname, ...named, ...searchParams.values()];
  return [...new Set([...parts, ...parts.flatMap((part) => decoded(part) ?? [])])].toSorted(
    (one, other) => other.length - one.length,
  );
}

async function beginning(body: Readable): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of body) {
      parts.push(part as Buffer);
      bytes += (part as Buffer).length;
      if (bytes > ANSWER_BYTES_MAX) break;
    }
  } catch {
    // The status has been read, and says whether the message was accepted.
  }
  body.on('error', () => undefined).destroy();
  return Buffer.concat(parts).subarray(0, ANSWER_BYTES_MAX).toString('utf8').trim();
}
