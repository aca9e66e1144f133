import type { Event } from '../../../contract/representation.ts';
import { sanitized } from '../../../html/sanitize.ts';
import { html, type Html } from '../../../html/template.ts';
import { isFree } from '../../../selection/free.ts';
import type { Frame } from '../frame/layout.ts';

const amountOf = (value: string): number => {
  if (isFree([value])) return 0;
  return /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
};

/** The cost of an event as numbers; undefined if it has none, or is not numeric. */
export function amountsOf({ cost_details: { values } }: Event): readonly [number, ...number[]] | undefined {
  const [first, ...others] = values.map(amountOf);
  return first === undefined || [first, ...others].some(Number.isNaN) ? undefined : [first, ...others];
}

/** "25 – 40 zł", "€10 – €20" or "Free"; other costs as they are written. */
export function priceOf({ words, settings }: Pick<Frame, 'words' | 'settings'>, event: Event): Html {
  const amounts = amountsOf(event);
  if (!amounts) return sanitized(event.cost);
  const { currency_symbol: symbol, currency_position: place } = event.cost_details;
  const currency = symbol === '' ? (settings.currency ?? DOLLARS) : { symbol, position: place };
  const written = (amount: number): string => amountInWords(amount, currency, words.free);
  const [lowest, highest] = [Math.min(...amounts), Math.max(...amounts)];
  return html`${lowest === highest ? written(lowest) : `${written(lowest)} – ${written(highest)}`}`;
}

// The default currency of real sites.
const DOLLARS = { symbol: '$', position: 'prefix' };

function amountInWords(
  amount: number,
  { symbol, position }: { readonly symbol: string; readonly position: string },
  free: string,
): string {
  if (amount === 0) return free;
  const sign = symbol.trim();
  const digits = Number.isInteger(amount) ? String(amount) : amount.toFixed(2);
  // Letters are separated from digits, symbols are not.
  const between = position === 'postfix' || /\p{L}/u.test(sign) ? '\u00a0' : '';
  return position === 'postfix' ? `${digits}${between}${sign}` : `${sign}${between}${digits}`;
}
