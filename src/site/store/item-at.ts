/** Returns the item at an index that is known to exist. Throws RangeError if it does not. */
export function itemAt<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`there is no item ${index}`);
  return item;
}
