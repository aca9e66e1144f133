import type { Event } from '../../../contract/representation.ts';

const amountOf = (value: string): number => {
  if (value === 'free') return 0;
  return /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
};

/** What an event costs, as numbers; undefined where it does not say so, or says it in other words. */
export function amountsOf({ cost_details: { values } }: Event): readonly [number, ...number[]] | undefined {
  const [first, ...others] = values.map(amountOf);
  return first === undefined || [first, ...others].some(Number.isNaN) ? undefined : [first, ...others];
}

/** Whether it says that it costs nothing. */
export const isFree = (event: Event): boolean => amountsOf(event)?.every((amount) => amount === 0) ?? false;
