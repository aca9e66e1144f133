import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressGuard } from '../../../src/client/address-guard.ts';

const allows = addressGuard([]);

describe('addresses of the public internet', () => {
  test.each([
    '8.8.8.8',
    '93.184.216.34',
    '172.15.0.1',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '2606:4700::6810:85e5',
    '[2606:4700::1]',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
  ])('%s', (address) => {
    expect(allows(address)).toBe(true);
  });
});

describe('addresses that a feed must not reach', () => {
  test.each([
    ['loopback', '127.0.0.1'],
    ['the rest of the loopback network', '127.255.255.254'],
    ['loopback, IPv6', '::1'],
    ['loopback in brackets', '[::1]'],
    ['this host', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['unspecified, IPv6', '::'],
    ['private 10/8', '10.1.2.3'],
    ['private 172.16/12, first', '172.16.0.1'],
    ['private 172.16/12, last', '172.31.255.255'],
    ['private 192.168/16', '192.168.1.1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['carrier-grade NAT, last', '100.127.255.255'],
    ['link-local', '169.254.1.1'],
    ['metadata service', '169.254.169.254'],
    ['metadata service, IPv6', 'fd00:ec2::254'],
    ['metadata behind a public-looking address', '168.63.129.16'],
    ['metadata within carrier-grade NAT', '100.100.100.200'],
    ['link-local, IPv6', 'fe80::1'],
    ['link-local with a scope', 'fe80::1%eth0'],
    ['unique local', 'fd12:3456:789a::1'],
    ['site-local, deprecated', 'fec0::1'],
    ['multicast', '224.0.0.1'],
    ['multicast, IPv6', 'ff02::1'],
    ['broadcast', '255.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['benchmarking', '198.18.0.1'],
    ['IETF protocols', '192.0.0.170'],
    ['documentation', '192.0.2.1'],
    ['documentation, IPv6', '2001:db8::1'],
    ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
    ['IPv4-mapped loopback in hexadecimal', '::ffff:7f00:1'],
    ['IPv4-mapped private', '::ffff:10.0.0.1'],
    ['IPv4-compatible loopback', '::7f00:1'],
    ['IPv4-translated loopback', '::ffff:0:127.0.0.1'],
    ['NAT64 of loopback', '64:ff9b::7f00:1'],
    ['NAT64 of metadata', '64:ff9b::a9fe:a9fe'],
    ['local NAT64', '64:ff9b:1::808:808'],
    ['6to4 of a private network', '2002:0a00:0001::'],
    ['Teredo', '2001::1'],
    ['discard', '100::1'],
    ['unassigned', '4000::1'],
    ['no address at all', 'localhost'],
    ['nothing', ''],
    ['a decimal number', '2130706433'],
    ['octal digits', '0177.0.0.1'],
    ['a short form', '127.1'],
  ])('%s: %s', (_, address) => {
    expect(allows(address)).toBe(false);
  });

  test('any address in a private network, also if written as IPv6', () => {
    const byte = fc.integer({ min: 0, max: 255 });
    expect(() =>
      fc.assert(
        fc.property(fc.constantFrom('10', '127', '0'), byte, byte, byte, (a, b, c, d) => {
          const address = `${a}.${b}.${c}.${d}`;
          return (
            !allows(address) &&
            !allows(`::ffff:${address}`) &&
            !allows(`64:ff9b::${address}`) &&
            !allows(`::${address}`)
          );
        }),
      ),
    ).not.toThrow();
  });
});

describe('networks that the operator allows', () => {
  const intranet = addressGuard(['10.20.0.0/16', '127.0.0.1/32', 'fd12::/16', '192.168.7.9']);
  test.each(['10.20.0.1', '10.20.255.255', '127.0.0.1', '::ffff:10.20.0.1', 'fd12::7', '192.168.7.9', '8.8.8.8'])(
    '%s is let through',
    (address) => expect(intranet(address)).toBe(true),
  );
  test.each(['10.21.0.1', '127.0.0.2', 'fd13::7', '192.168.7.10', '169.254.169.254'])(
    '%s is not let through',
    (address) => expect(intranet(address)).toBe(false),
  );
  test.each(['10.0.0.0/33', 'intranet', '', '10.0.0.0/', '10.0.0/8', '10.0.0.0/8/8', '::1/129', '10.0.0.0/-1'])(
    '"%s" is not a network',
    (text) => {
      expect(() => addressGuard([text])).toThrow(/is no network: write an address with its prefix length/);
    },
  );
});
