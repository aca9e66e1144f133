/** What will be given out again as it is: events that the store keeps, and what is made of them. */
const lasting = new WeakSet();

/** Says that something will be given out again as it is. */
export function willLast(value: object): void {
  lasting.add(value);
}

/**
 * A function that remembers what it has made of something that lasts; what was made lasts as well. Of the rest it
 * remembers nothing: most events of a large site are shown once in a long time, and would only be work for the garbage
 * collector.
 */
export function madeOnce<From extends object, Rest extends readonly unknown[], Made extends object>(
  make: (from: From, ...rest: Rest) => Made,
): (from: From, ...rest: Rest) => Made {
  const known = new WeakMap<From, Made>();
  return (from, ...rest) => {
    const former = known.get(from);
    if (former) return former;
    const made = make(from, ...rest);
    if (lasting.has(from)) {
      known.set(from, made);
      willLast(made);
    }
    return made;
  };
}
