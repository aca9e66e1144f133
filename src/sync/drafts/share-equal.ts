/**
 * Returns a function that gives the same object for equal ones. Thousands of events name the same venue, which is thus
 * sent between threads once and looked up once.
 */
export function shareEqual(): <T extends object>(value: T) => T {
  const known = new Map<string, object>();
  return <T extends object>(value: T): T => {
    const text = JSON.stringify(value);
    const before = known.get(text);
    // Equal JSON has the same type.
    if (before) return before as T;
    known.set(text, value);
    return value;
  };
}
