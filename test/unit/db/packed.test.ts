import { expect, test } from 'vitest';
import { packed, unpacked } from '../../../src/db/packed.ts';

const list = [{ title: 'Jazz 😀 "x"' }, null, ...Array.from({ length: 100 }, () => ({ title: 'Jazz' }))];
const json = JSON.stringify(list);

test('a packed list is read back, and takes less room', () => {
  expect(unpacked(packed(json))).toEqual(list);
  expect(packed(json).length).toBeLessThan(json.length / 5);
});

test('a list that an older version has stored as text is read, too', () => {
  expect(unpacked(Buffer.from(json))).toEqual(list);
  expect(unpacked(Buffer.from('[]'))).toEqual([]);
});
