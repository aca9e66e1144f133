import type { CostDetails } from '../../contract/event-parts.ts';
import type { Currency } from '../context.ts';
import type { EventRow } from './tables.ts';

/** A cost as stored: its parts as they were written, and the currency found in them. */
export interface Cost {
  readonly values: readonly string[];
  readonly symbol: string;
  readonly position: '' | 'prefix' | 'postfix';
}

/** The cost stored in an event's row. */
export const costOf = ({ cost_values, cost_symbol, cost_position }: EventRow): Cost => ({
  values: cost_values,
  symbol: cost_symbol,
  position: cost_position as Cost['position'],
});

// The default currency of real sites.
const DOLLARS: Currency = { symbol: '$', position: 'prefix' };

// Matches amounts with at most one currency, such as `25`, `$15`, `15 zł`, `EUR 10–20`, `€10 - €20` or `10, 20`.
// Anything else is kept as text.
const BETWEEN = / ?(?:[;–—-]|\/(?= ?[^\d\s]{0,4} ?\d)) ?|, /u;
const PRICED = /^([^\d\s.,;–—-]{1,4})? ?(\d+(?:[.,' ]\d+)*) ?([^\d\s.,;–—-]{1,4})?$/u;

/** Converts the parts of a cost, as sent, to what is stored. */
export function costFromParts(parts: readonly string[]): Cost {
  const priced = parts
    .flatMap((part) => part.replace(/\s+/g, ' ').split(BETWEEN))
    .map((piece) => PRICED.exec(piece.trim()));
  const found = priced.flatMap((match) =>
    match ? [{ before: match[1], amount: match[2] ?? '', after: match[3] }] : [],
  );
  const currencies = new Set(found.flatMap(({ before, after }) => [before ?? [], after ?? []].flat()));
  if (found.length === 0 || found.length < priced.length || currencies.size > 1)
    return { values: parts, symbol: '', position: '' };
  const [symbol = ''] = currencies;
  const isBefore = found.some(({ before }) => before !== undefined);
  const amounts = found.map(({ amount }) => amountFromText(amount)).sort((one, other) => Number(one) - Number(other));
  return { values: [...new Set(amounts)], symbol, position: positionOf(symbol, isBefore) };
}

function positionOf(symbol: string, isBefore: boolean): Cost['position'] {
  if (symbol === '') return '';
  return isBefore ? 'prefix' : 'postfix';
}

/**
 * An event's `cost`: an amount with its currency, the lowest and highest of several, `Free` for 0, else the text
 * itself. Amounts without a currency get the site's.
 */
export function costText({ values, symbol, position }: Cost, standard: Currency = DOLLARS): string {
  const [lowest] = values;
  const highest = values.at(-1);
  if (lowest === undefined || highest === undefined) return '';
  if (!values.every((value) => /^\d+(?:\.\d+)?$/.test(value))) return values.join(', ');
  const currency = symbol === '' ? standard : { symbol, position };
  const from = priced(lowest, currency);
  return lowest === highest ? from : `${from} – ${priced(highest, currency)}`;
}

function priced(amount: string, { symbol, position }: Pick<Cost, 'symbol' | 'position'>): string {
  if (Number(amount) === 0) return 'Free';
  return position === 'postfix' ? `${amount}${symbol}` : `${symbol}${amount}`;
}

/** The `cost_details` of an event. */
export const costDetails = ({ values, symbol, position }: Cost): CostDetails => ({
  currency_symbol: symbol,
  currency_code: '',
  currency_position: position,
  values: values.map((value) => value.toLowerCase()),
});

/** Converts `1,234.56`, `1.234,56`, `1 234`, `25.50` and `0.125` to plain decimals. */
function amountFromText(text: string): string {
  const digits = text.replace(/[ ']/g, '');
  const decimals = /[.,](\d+)$/.exec(digits);
  const whole = (decimals ? digits.slice(0, decimals.index) : digits).replace(/[.,]/g, '');
  if (!decimals) return whole;
  return isThousands(digits, decimals) ? `${whole}${decimals[1]}` : `${whole}.${decimals[1]}`;
}

/** Three final digits are thousands unless only a 0 precedes them or the separator differs from the earlier ones. */
function isThousands(digits: string, { 0: end, 1: last, index }: RegExpExecArray): boolean {
  const before = digits.slice(0, index);
  return last?.length === 3 && before !== '0' && !/[.,]/.test(before.replaceAll(end.charAt(0), ''));
}
