/** A whole number as in English text: "12,345". Intl would take 6 ms, a fortieth of a short command. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');

/**
 * A number of things in English: "1 event", "3 events", or "2 fetches" if `many` is given because the plural is not
 * `one` with an s.
 */
export const countInWords = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;

/** How often something happened: "once", "12 times". */
export const timesInWords = (count: number): string => (count === 1 ? 'once' : `${grouped(count)} times`);
