import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { decodeText } from '../../src/ical/read/decode.ts';
import { parseCalendar } from '../../src/ical/read/parse-calendar.ts';
import { profileOf } from '../../src/ical/read/profiles.ts';

const feeds = join(process.env['CALSYNCD_CORPUS'] ?? join(import.meta.dirname, '../../../shared'), 'feeds');
const present = existsSync(join(feeds, 'real'));
if (!present) process.stdout.write(`The publishers' profiles were not checked: ${feeds} is not there.\n`);

it.runIf(present)('every producer of a real feed has a profile', () => {
  const products = new Map<string, string>();
  for (const folder of ['real', 'timelines']) {
    for (const file of readdirSync(join(feeds, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ics'),
    )) {
      const { productId } = parseCalendar(decodeText(readFileSync(join(feeds, folder, file)), null).text).value;
      if (productId !== null) products.set(productId, file);
    }
  }
  expect(products.size).toBeGreaterThan(20);
  expect([...products].filter(([product]) => !profileOf(product, []))).toEqual([]);
});
