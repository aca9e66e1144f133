import { decodeText } from '../../ical/read/decode.ts';
import { shortened } from '../../html/shortened.ts';

/** A PRODID stands at the beginning. */
const START_BYTES = 16_384;
const NAME_MAX = 120;

/** The program that has made a calendar, as its PRODID names it; null where it does not say so. */
export function softwareOf(bytes: Uint8Array): string | null {
  const text = decodeText(bytes.subarray(0, START_BYTES), null).text.replaceAll(/\r?\n[ \t]/g, '');
  const [, name = ''] = /^PRODID[^:\r\n]*:(.*)$/im.exec(text) ?? [];
  const shown = shortened(name.trim(), NAME_MAX);
  return shown === '' ? null : shown;
}
