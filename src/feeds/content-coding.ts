import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Coding = 'identity' | 'gzip' | 'br';

// Below this, compressing costs more than it saves.
const SMALL = 512;

/** A body in any coding, each made once. */
export function encoder(body: Buffer): (coding: Coding) => Promise<Buffer> {
  const made = new Map<Coding, Promise<Buffer>>([['identity', Promise.resolve(body)]]);
  return (coding) => {
    const known = made.get(coding) ?? compress(body, coding);
    made.set(coding, known);
    return known;
  };
}

const compress = (body: Buffer, coding: Coding): Promise<Buffer> => (coding === 'br'
  ? promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } })
  : promisify(gzip)(body));

/** Which coding to answer with (RFC 9110, 12.5.3): br before gzip, where both are welcome; small bodies as they are. */
export function codingFor(acceptEncoding: string | null, octets: number): Coding {
  if (octets < SMALL) return 'identity';
  const weights = new Map((acceptEncoding ?? '').toLowerCase().split(',').map((part) => {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    return [name, Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)] as const;
  }));
  const weight = (coding: Coding): number => weights.get(coding) ?? weights.get('*') ?? 0;
  const best: Coding = weight('br') >= weight('gzip') ? 'br' : 'gzip';
  return weight(best) > 0 && weight(best) >= (weights.get('identity') ?? 0) ? best : 'identity';
}
