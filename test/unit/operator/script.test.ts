import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { makeAssets } from '../../../src/operator/frame/assets.ts';

const SCRIPT = 'src/operator/frame/console.js';
const BYTES_MAX = 5_000;

test('the script of the console is one small file that browsers may keep', async () => {
  const { paths, serve } = makeAssets('');
  const answer = await serve(new Request('http://x/'), paths.script.replace('/operator', ''));
  const text = await answer!.text();
  expect(text).toBe(readFileSync(SCRIPT, 'utf8'));
  expect(gzipSync(text, { level: 9 }).byteLength).toBeLessThanOrEqual(BYTES_MAX);
  expect(text).not.toMatch(/\bimport\b|\beval\b|innerHTML|insertAdjacentHTML|new Function/);
  expect(answer!.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});
