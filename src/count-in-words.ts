const NUMBER = new Intl.NumberFormat('en');

/** A number as English texts write it: "12,345". */
export const grouped = (count: number): string => NUMBER.format(count);

/** A number of things in English: "1 event", "3 events", "2 fetches" with `many` where it is not `one` with an s. */
export const countInWords = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;

/** How often something was: "once", "12 times". */
export const timesInWords = (count: number): string => (count === 1 ? 'once' : `${grouped(count)} times`);
