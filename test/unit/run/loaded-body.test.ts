import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { loadedBody, loadedFromStored } from '../../../src/run/steps/loaded-body.ts';

const BYTES = new TextEncoder().encode('BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n');

test('the packed body is there after its bytes are released', async () => {
  const body = loadedBody(BYTES);
  expect(body.bytes()).toBe(BYTES);
  const packing = body.packed();
  body.release();
  expect(() => body.bytes()).toThrow(TypeError);
  expect(gunzipSync(await packing)).toEqual(Buffer.from(BYTES));
  expect(await body.packed()).toBe(await packing);
});

test('a stored body is not packed again', async () => {
  const stored = gzipSync(BYTES);
  const body = await loadedFromStored(stored);
  expect(Buffer.from(body.bytes())).toEqual(Buffer.from(BYTES));
  expect(await body.packed()).toBe(stored);
});
