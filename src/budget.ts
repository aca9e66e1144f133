/** An allowance that refills over time; once it is used up, callers have to wait. */
export interface Budget {
  /** Milliseconds until something may be spent; 0 means now. */
  readonly waitMs: () => number;
  /** Spends an amount, even more than is left, because costs are only known afterwards. */
  readonly spend: (amount: number) => void;
}

/** The header that says when to come back (RFC 9110, 10.2.3; for 429: RFC 6585, 4). */
export const retryAfter = (waitMs: number): { readonly 'Retry-After': string } => ({
  'Retry-After': String(Math.ceil(waitMs / 1000)),
});

export interface Allowance {
  readonly burst: number;
  readonly perHour: number;
}

export function makeBudget({ burst, perHour }: Allowance, now: () => number): Budget {
  let [left, at] = [burst, now()];
  const perMs = perHour / 3_600_000;
  const filled = (): number => {
    const time = now();
    [left, at] = [Math.min(burst, left + Math.max(0, time - at) * perMs), time];
    return left;
  };
  return {
    waitMs: () => {
      const there = filled();
      return there >= 1 ? 0 : Math.ceil((1 - there) / perMs);
    },
    spend: (amount) => {
      left = filled() - amount;
    },
  };
}
