import { decodeText } from '../../ical/read/decode.ts';
import { shortened } from '../../html/shortened.ts';

/** Enough to find the PRODID, which is near the beginning. */
const START_BYTES = 16_384;
const NAME_MAX = 120;

/** The program that made a calendar, according to its PRODID; null if there is none. */
export function softwareOf(bytes: Uint8Array): string | null {
  const text = decodeText(bytes.subarray(0, START_BYTES), null).text.replaceAll(/\r?\n[ \t]/g, '');
  const [, name = ''] = /^PRODID[^:\r\n]*:(.*)$/im.exec(text) ?? [];
  const shown = shortened(name.trim(), NAME_MAX);
  return shown === '' ? null : shown;
}
