/** Objects that will be returned again unchanged: events kept by the store, and what is made from them. */
const lasting = new WeakSet();

/** Marks an object as one that will be returned again unchanged. */
export function markLasting(value: object): void {
  lasting.add(value);
}

/**
 * Returns a function that remembers what `make` returned for lasting objects, and marks that as lasting, too. For other
 * objects it remembers nothing: most events of a large site are shown rarely, and remembering them would only burden
 * the garbage collector.
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
      markLasting(made);
    }
    return made;
  };
}
