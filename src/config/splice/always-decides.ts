import { isRawMap, parseRaw, rawAt, rawOf, type RawMap } from './raw.ts';
import { editSource, type Spliced } from './splice.ts';

/**
 * Writes into the file that one side has authority over some fields of a source; the authority over other fields stays
 * as it is.
 */
export function alwaysDecides(text: string, source: string, who: 'site' | 'feed', fields: readonly string[]): Spliced {
  const own = rawAt(rawOf(parseRaw(text)), ['sources', source]);
  if (!isRawMap(own)) return { kind: 'byHand', because: `There is no source "${source}" in the file.` };
  const before = own['authority'];
  if (typeof before === 'string' && before !== 'preserve')
    return { kind: 'byHand', because: `The file says "authority: ${before}" for all fields of ${source} already.` };
  const authority: RawMap = {
    ...(isRawMap(before) ? before : {}),
    ...Object.fromEntries(fields.map((field) => [field, who])),
  };
  return editSource(text, source, { ...own, authority });
}
