import { orderShownBy, type DateOrder } from './read-date.ts';
import { isTwelveHour } from './read-time.ts';

/** What a file says about its dates. */
export interface DateEvidence {
  /** The cells of all date columns. */
  readonly dates: readonly string[];
  readonly times: readonly string[];
  readonly header: readonly string[];
  /** The source's zone, if the operator has set one. */
  readonly timezone: string | undefined;
}

/**
 * How to read `03/04/2026` in a file: decided by unambiguous dates, else by the exporter, else by the country; null if
 * nothing decides it or the file contradicts itself.
 */
export function dateOrderOf({ dates, times, header, timezone }: DateEvidence): DateOrder | null {
  const shown = new Set(dates.map(orderShownBy));
  const dayFirst = shown.has('day first');
  const monthFirst = shown.has('month first');
  if (dayFirst && monthFirst) return null;
  if (dayFirst) return 'day first';
  if (monthFirst) return 'month first';
  // With hyphens the day comes first everywhere (The Events Calendar agrees).
  if (dates.every((date) => !date.includes('/'))) return 'day first';
  if (timezone !== undefined && isAmerican(timezone)) return 'month first';
  if (isMonthFirstExport(header)) return 'month first';
  if (timezone !== undefined && !times.some(isTwelveHour)) return 'day first';
  return null;
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

// The beginnings of the names of zones.
const AMERICAN = [
  'US/',
  'Pacific/Honolulu',
  'Asia/Manila',
  ...['New_York', 'Chicago', 'Denver', 'Los_Angeles', 'Phoenix', 'Detroit', 'Boise'].map((city) => `America/${city}`),
  ...['Anchorage', 'Juneau', 'Sitka', 'Nome', 'Adak', 'Menominee'].map((city) => `America/${city}`),
  ...['Indiana/', 'Kentucky/', 'North_Dakota/'].map((state) => `America/${state}`),
];

const isAmerican = (timezone: string): boolean => AMERICAN.some((name) => timezone.startsWith(name));
