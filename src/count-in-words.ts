/** A number of things in English: "1 event", "3 events", "2 fetches" with `many` where it is not `one` with an s. */
export const countInWords = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
