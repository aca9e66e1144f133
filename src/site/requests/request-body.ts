import { FORM_BYTES_MAX, requestBytes, STRANGER_BYTES_MAX, WRITER_BYTES_MAX } from '../../request-bytes.ts';
import { HttpProblem } from '../http-problem.ts';

/**
 * Reads a body. Throws HttpProblem if it does not arrive in full, or has more than `bytesMax` bytes: before reading if
 * the request declares its length, else at the first byte too many.
 */
export async function bytesOfBody(request: Request, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await requestBytes(request, bytesMax).catch((error: unknown) => {
    throw new HttpProblem('rest_body_cut_off', `The body has not arrived in full: ${String(error)}.`);
  });
  if (!bytes) throw tooLarge(bytesMax);
  return bytes;
}

const ADVICE: Readonly<Record<number, string>> = {
  [STRANGER_BYTES_MAX]: 'That is the most accepted from those who may not write here.',
  [FORM_BYTES_MAX]: 'That is the most accepted as a form: send JSON.',
  [WRITER_BYTES_MAX]: 'Send less in one request.',
};

const tooLarge = (bytesMax: number): HttpProblem =>
  new HttpProblem('rest_body_too_large', `The body is larger than ${bytesMax} bytes. ${ADVICE[bytesMax] ?? ''}`.trim());
