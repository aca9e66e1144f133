import { orderShownBy, type DateOrder } from './read-date.ts';
import { isTwelveHour } from './read-time.ts';

/** The evidence in a file for the order of day and month in its dates. */
export interface DateEvidence {
  /** The cells of all date columns. */
  readonly dates: readonly string[];
  readonly times: readonly string[];
  readonly header: readonly string[];
  readonly delimiter: string;
  /** The source's zone, if the operator has set one. */
  readonly timezone: string | undefined;
}

/**
 * How to read `03/04/2026` in a file: decided by unambiguous dates, else by the header, the country, the exporter, or
 * the delimiter; null if nothing decides it or the file contradicts itself.
 */
export function dateOrderOf({ dates, times, header, delimiter, timezone }: DateEvidence): DateOrder | null {
  const shown = onlyOne(dates.map(orderShownBy).filter((order) => order !== 'either'));
  if (shown !== undefined) return shown;
  const asked = onlyOne(header.map(orderAskedBy));
  if (asked) return asked;
  // With hyphens the day comes first everywhere (The Events Calendar agrees).
  if (dates.every((date) => !/\d\s?\/\s?\d/.test(date))) return 'day first';
  if (timezone !== undefined && isAmerican(timezone)) return 'month first';
  if (isMonthFirstExport(header)) return 'month first';
  // Spreadsheets write semicolons where numbers have decimal commas, and there the day comes first.
  if (delimiter === ';') return 'day first';
  if (timezone !== undefined && (isBritish(timezone) || !times.some(isTwelveHour))) return 'day first';
  return null;
}

/** The order that all who give one agree on; null if they disagree, undefined if nobody gives one. */
function onlyOne(orders: readonly (DateOrder | null)[]): DateOrder | null | undefined {
  const [first, ...more] = new Set(orders.filter((order) => order !== null));
  return more.length > 0 ? null : first;
}

/**
 * The order in which a header asks for dates: `Date (MM/DD/YYYY)`, `Datum (TT.MM.JJJJ)`; null if it does not ask for
 * one.
 */
function orderAskedBy(name: string): DateOrder | null {
  if (/\bM{1,2}[/.-]D{1,2}[/.-]Y{2,4}\b/i.test(name)) return 'month first';
  return /\b(?:D|T|J|G){1,2}[/.-]M{1,2}[/.-](?:Y|J|A|R){2,4}\b/i.test(name) ? 'day first' : null;
}

// These exporters document this order; if one changes it, any longer file reveals that.
const MONTH_FIRST_HEADERS = [
  'subject,start date,start time',
  'event name,event id',
  'event name,event start date',
  'event name,event description',
  'title,description,date from',
];
const isMonthFirstExport = (header: readonly string[]): boolean => {
  const names = header.map((name) => name.toLowerCase().trim());
  return MONTH_FIRST_HEADERS.some((start) => start.split(',').every((name) => names.includes(name)));
};

// Zone names or their beginnings.
const AMERICAN = [
  'US/',
  'Pacific/Honolulu',
  'Asia/Manila',
  ...['New_York', 'Chicago', 'Denver', 'Los_Angeles', 'Phoenix', 'Detroit', 'Boise'].map((city) => `America/${city}`),
  ...['Anchorage', 'Juneau', 'Sitka', 'Nome', 'Adak', 'Menominee'].map((city) => `America/${city}`),
  ...['Indiana/', 'Kentucky/', 'North_Dakota/'].map((state) => `America/${state}`),
];

const isAmerican = (timezone: string): boolean => AMERICAN.some((name) => timezone.startsWith(name));

/** The zones of countries that write the day first, though with AM and PM. */
const BRITISH = [
  ...['London', 'Dublin', 'Belfast', 'Jersey', 'Guernsey', 'Isle_of_Man'].map((city) => `Europe/${city}`),
  'Australia/',
  'Pacific/Auckland',
  'Asia/Kolkata',
  'Asia/Calcutta',
];

const isBritish = (timezone: string): boolean => BRITISH.some((name) => timezone.startsWith(name));
