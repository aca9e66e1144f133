/** When wrong attempts begin to cost time, and how much. */
export interface BrakeLimits {
  /** So many wrong attempts cost nothing. */
  readonly free: number;
  /** The wait after the next one; it doubles with each. */
  readonly firstWaitMs: number;
  readonly waitMsMax: number;
  /** After so long without a wrong attempt all is forgotten. */
  readonly forgetMs: number;
}

/** Slows down whoever tries passwords, per key (a login, an address). Each process counts for itself. */
export interface Brake {
  /** How long this key has to wait, in milliseconds; 0: not at all. */
  readonly waitMs: (key: string, now: number) => number;
  /** `attempt`: what was tried, where the same thing tried again is no further attempt. */
  readonly failed: (key: string, now: number, attempt?: string) => void;
  readonly passed: (key: string) => void;
}

interface Failures { readonly count: number; readonly last: number; readonly until: number; readonly attempt: string | undefined }

// Who comes from very many addresses makes the oldest be forgotten, not the memory full.
const KEYS_MAX = 10_000;

export function makeBrake({ free, firstWaitMs, waitMsMax, forgetMs }: BrakeLimits): Brake {
  const failures = new Map<string, Failures>();
  const known = (key: string, now: number): Failures | undefined => {
    const found = failures.get(key);
    return found && now - found.last <= forgetMs ? found : undefined;
  };
  return {
    waitMs: (key, now) => Math.max(0, (known(key, now)?.until ?? 0) - now),
    failed: (key, now, attempt) => {
      const former = known(key, now);
      if (attempt !== undefined && former?.attempt === attempt) return;
      const count = (former?.count ?? 0) + 1;
      const wait = count < free ? 0 : Math.min(waitMsMax, firstWaitMs * 2 ** Math.min(30, count - free));
      failures.delete(key);
      failures.set(key, { count, last: now, until: now + wait, attempt });
      if (failures.size > KEYS_MAX) failures.delete(failures.keys().next().value!);
    },
    passed: (key) => { failures.delete(key); },
  };
}
