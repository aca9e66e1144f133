const TEXTS_MAX = 2_000;
const CHARACTERS_MAX = 2_000_000;

/** Makes a value on first use, for values that take long to load or make and are seldom needed. */
export function whenAsked<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Caches the results of a function of texts for the latest ones, because most texts are read again and again. */
export function remembered<T extends string>(make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>();
  let characters = 0;
  return (text) => {
    const known = made.get(text);
    if (known !== undefined) return known;
    const result = make(text);
    characters += text.length + result.length;
    if (made.size >= TEXTS_MAX || characters > CHARACTERS_MAX) {
      made.clear();
      characters = text.length + result.length;
    }
    made.set(text, result);
    return result;
  };
}
