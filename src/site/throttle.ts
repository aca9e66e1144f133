import { isIPv6 } from 'node:net';

/** From when on wrong attempts cost time, and how much. */
export interface ThrottleLimits {
  /** This many wrong attempts cost nothing. */
  readonly free: number;
  /** The wait after the next one; it doubles with each. */
  readonly firstWaitMs: number;
  readonly waitMsMax: number;
  /** After this long without a wrong attempt everything is forgotten. */
  readonly forgetMs: number;
}

/** Slows down whoever tries passwords, per key (a login, an address). Each process counts for itself. */
export interface Throttle {
  /** How long this key has to wait, in milliseconds; 0: not at all. */
  readonly waitMs: (key: string, now: number) => number;
  /** `attempt`: what was tried, if trying the same again does not count. Returns whether it counted. */
  readonly failed: (key: string, now: number, attempt?: string) => boolean;
  /** Whether this key has wrong attempts that are not forgotten. */
  readonly hasFailed: (key: string, now: number) => boolean;
  readonly passed: (key: string) => void;
}

interface Failures {
  readonly count: number;
  readonly last: number;
  readonly until: number;
  readonly attempt: string | undefined;
}

// Attempts from very many addresses displace the oldest ones instead of filling the memory.
const KEYS_MAX = 10_000;

export function makeThrottle({ free, firstWaitMs, waitMsMax, forgetMs }: ThrottleLimits): Throttle {
  const failures = new Map<string, Failures>();
  const known = (key: string, now: number): Failures | undefined => {
    const found = failures.get(key);
    return found && now - found.last <= forgetMs ? found : undefined;
  };
  return {
    waitMs: (key, now) => Math.max(0, (known(key, now)?.until ?? 0) - now),
    failed: (key, now, attempt) => {
      const former = known(key, now);
      if (attempt !== undefined && former?.attempt === attempt) return false;
      const count = (former?.count ?? 0) + 1;
      const wait = count < free ? 0 : Math.min(waitMsMax, firstWaitMs * 2 ** Math.min(30, count - free));
      failures.delete(key);
      failures.set(key, { count, last: now, until: now + wait, attempt });
      const [oldest] = failures.keys();
      if (failures.size > KEYS_MAX && oldest !== undefined) failures.delete(oldest);
      return true;
    },
    hasFailed: (key, now) => known(key, now) !== undefined,
    passed: (key) => {
      failures.delete(key);
    },
  };
}

/**
 * Whose attempts count together: an IPv4 address, or the /64 of an IPv6 address, all of which belong to one customer
 * (RFC 6177). Anything else stays as it is.
 */
export function networkOf(address: string): string {
  const plain = address.split('%')[0] ?? '';
  if (!plain.includes(':') || !isIPv6(plain)) return address;
  const groups = groupsOf(plain);
  const [high = 0, low = 0] = groups.slice(6).map((group) => Number.parseInt(group, 16));
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : `${groups.slice(0, 4).join(':')}::/64`;
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): readonly string[] {
  // The form that URLs give an address has no IPv4 part, and one "::" at most.
  const [head = '', tail = ''] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const [first, last] = [writtenGroups(head), writtenGroups(tail)];
  return [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last];
}

const writtenGroups = (part: string): readonly string[] => part.split(':').filter((group) => group !== '');
