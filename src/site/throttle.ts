import { isIPv6 } from 'node:net';

/** When a throttle sets in, and how long it makes people wait. */
export interface ThrottleLimits {
  /** The number of wrong attempts that can be made without waiting. */
  readonly free: number;
  /** The wait before the next one; it doubles with each further wrong attempt. */
  readonly firstWaitMs: number;
  readonly waitMsMax: number;
  /** Attempts are forgotten after this long without a wrong one. */
  readonly forgetMs: number;
}

/** Slows down password guessing per key (a login, an address). Each process counts separately. */
export interface Throttle {
  /** How long this key has to wait, in milliseconds; 0 if not at all. */
  readonly waitMs: (key: string, now: number) => number;
  /**
   * Records a wrong attempt and returns whether it counted. `attempt` is what was tried; repeating the same one does
   * not count. Omit it to count every attempt.
   */
  readonly failed: (key: string, now: number, attempt?: string) => boolean;
  /** Whether this key has wrong attempts that are not forgotten yet. */
  readonly hasFailed: (key: string, now: number) => boolean;
  readonly passed: (key: string) => void;
}

interface Failures {
  readonly count: number;
  readonly last: number;
  readonly until: number;
  readonly attempt: string | undefined;
}

// When very many addresses try, the oldest keys are dropped so that memory stays bounded.
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
 * The key under which an address's attempts are counted: an IPv4 address, or the /64 of an IPv6 address, all of which
 * belongs to one customer (RFC 6177). Anything else stays as it is.
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
  // The URL parser's canonical form has no IPv4 part and at most one "::".
  const [head = '', tail = ''] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const [first, last] = [writtenGroups(head), writtenGroups(tail)];
  return [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last];
}

const writtenGroups = (part: string): readonly string[] => part.split(':').filter((group) => group !== '');
