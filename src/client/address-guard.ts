import ipaddr from 'ipaddr.js';
import { AppError } from '../error.ts';

/** Says whether we may connect to an IP address. */
export type AddressGuard = (address: string) => boolean;

type Address = ReturnType<typeof ipaddr.process>;

/**
 * Allows addresses of the public internet and those in `allowed`, a list of networks (`10.0.0.0/8`) or single
 * addresses. Refuses everything else: private, loopback, link-local and metadata, carrier-grade NAT, multicast,
 * reserved and tunnel addresses, and any of these embedded in an IPv6 address. Throws AppError for an invalid network.
 */
export function addressGuard(allowed: readonly string[]): AddressGuard {
  const networks = allowed.map(networkOf);
  return (text) => {
    const address = addressOf(text);
    return address !== undefined && (isPublic(address) || networks.some((network) => isWithin(address, network)));
  };
}

/** Allows only addresses in these networks. Throws AppError for an invalid network. */
export function networkGuard(allowed: readonly string[]): AddressGuard {
  const networks = allowed.map(networkOf);
  return (text) => {
    const address = addressOf(text);
    return address !== undefined && networks.some((network) => isWithin(address, network));
  };
}

function networkOf(text: string): [Address, number] {
  const [base = '', bits, more] = text.trim().split('/');
  const address = addressOf(base);
  const width = address?.kind() === 'ipv4' ? 32 : 128;
  if (!address || more !== undefined || !/^\d{1,3}$/.test(bits ?? '0') || Number(bits ?? 0) > width) {
    throw new AppError(
      'bad-network',
      `"${text}" is no network: write an address with its prefix length, such as 10.0.0.0/8 or ::1/128.`,
    );
  }
  return [address, bits === undefined ? width : Number(bits)];
}

// `process` unwraps IPv4-mapped IPv6 addresses, so that they are judged by the address that they lead to.
function addressOf(text: string): Address | undefined {
  const bare = text.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  return ipaddr.isValid(bare) && (bare.includes(':') || ipaddr.IPv4.isValidFourPartDecimal(bare))
    ? ipaddr.process(bare)
    : undefined;
}

const isWithin = (address: Address, [network, bits]: [Address, number]): boolean =>
  address.kind() === network.kind() && address.match(network, bits);

function isPublic(address: Address): boolean {
  if (address.kind() === 'ipv4') return isPublicIPv4(address);
  const inner = translatedIPv4(address);
  return inner === undefined ? address.range() === 'unicast' && isWithin(address, GLOBAL_UNICAST) : isPublicIPv4(inner);
}

// Azure's wire server is the one metadata service whose address looks public.
const isPublicIPv4 = (address: Address): boolean =>
  address.range() === 'unicast' && address.toString() !== '168.63.129.16';

// Nothing outside 2000::/3 is assigned for the public internet (RFC 4291, 2.4; IANA IPv6 address space).
const GLOBAL_UNICAST: [Address, number] = ipaddr.parseCIDR('2000::/3');

// An IPv6-only network reaches IPv4 addresses through the well-known prefix of NAT64 (RFC 6052, 2.1).
const NAT64: [Address, number] = ipaddr.parseCIDR('64:ff9b::/96');

function translatedIPv4(address: Address): Address | undefined {
  return isWithin(address, NAT64) ? ipaddr.fromByteArray(address.toByteArray().slice(12)) : undefined;
}
