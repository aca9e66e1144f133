export type Coding = 'identity' | 'gzip' | 'br';

// Below this, compressing costs more than it saves.
const SMALL = 512;

/**
 * The coding to answer with (RFC 9110, 12.5.3): br before gzip if both are accepted; small bodies stay uncompressed.
 */
export function codingFor(acceptEncoding: string | null, octets: number): Coding {
  if (octets < SMALL) return 'identity';
  const weights = new Map(
    (acceptEncoding ?? '')
      .toLowerCase()
      .split(',')
      .map((part) => {
        const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
        return [name, Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)] as const;
      }),
  );
  const weight = (coding: Coding): number => weights.get(coding) ?? weights.get('*') ?? 0;
  const best: Coding = weight('br') >= weight('gzip') ? 'br' : 'gzip';
  return weight(best) > 0 && weight(best) >= (weights.get('identity') ?? 0) ? best : 'identity';
}
