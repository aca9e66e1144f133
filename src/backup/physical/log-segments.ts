/** The range of positions within one log number: 4 GB, in segments of equal size. */
const LOG_FILE_BYTES = 0x1_0000_0000n;

/**
 * The segments of the server's log that a copy needs: from the one where replay begins according to its label, to that
 * of the exclusive position `end`. Undefined if the label does not say so.
 */
export function neededSegments(label: string, end: string, segmentBytes: number): readonly string[] | undefined {
  const [, timeline = '', log = '', segment = ''] =
    /^START WAL LOCATION: .*\(file ([\dA-F]{8})([\dA-F]{8})([\dA-F]{8})\)$/m.exec(label) ?? [];
  const last = (positionOf(end) - 1n) / BigInt(segmentBytes);
  const perLog = LOG_FILE_BYTES / BigInt(segmentBytes);
  const first = BigInt(`0x${log || '0'}`) * perLog + BigInt(`0x${segment || '0'}`);
  if (timeline === '' || last < first) return undefined;
  const names: string[] = [];
  for (let at = first; at <= last; at += 1n) names.push(`${timeline}${hex(at / perLog)}${hex(at % perLog)}`);
  return names;
}

/** A position in the log, such as `1/2A000138`, as a byte offset. */
function positionOf(position: string): bigint {
  const [high = '0', low = '0'] = position.split('/');
  return BigInt(`0x${high}`) * LOG_FILE_BYTES + BigInt(`0x${low}`);
}

const hex = (number: bigint): string => number.toString(16).toUpperCase().padStart(8, '0');
