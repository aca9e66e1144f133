import { expect, test } from 'vitest';
import { peerOf } from '../../src/web.ts';

test.each<[string, string | undefined, string]>([
  ['203.0.113.5', undefined, '203.0.113.5'],
  ['203.0.113.5', '198.51.100.1', '203.0.113.5'],
  ['127.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['::1', '10.9.9.9, 198.51.100.1', '198.51.100.1'],
  ['::ffff:172.18.0.1', '198.51.100.1', '198.51.100.1'],
  ['172.32.0.1', '198.51.100.1', '172.32.0.1'],
  ['fd00::1', '2001:db8::1', '2001:db8::1'],
  ['10.0.0.1', '', '10.0.0.1'],
  ['10.0.0.1', 'x, ', '10.0.0.1'],
])('a request from %s that says it is for %s counts for %s', (address, forwarded, peer) => expect(peerOf(address, forwarded)).toBe(peer));
