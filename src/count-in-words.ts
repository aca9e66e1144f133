let english: Intl.NumberFormat | undefined;

/** A number as English texts write it: "12,345". */
export function grouped(count: number): string {
  // Made when it is first asked: that takes 19 ms, a tenth of a short command.
  english ??= new Intl.NumberFormat('en');
  return english.format(count);
}

/** A number of things in English: "1 event", "3 events", "2 fetches" with `many` where it is not `one` with an s. */
export const countInWords = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;

/** How often something was: "once", "12 times". */
export const timesInWords = (count: number): string => (count === 1 ? 'once' : `${grouped(count)} times`);
