/**
 * Waits for all promises to settle, even if one fails, so that nothing is still running afterwards. Then throws the
 * error of the first failed one in order, or returns the results in order.
 */
export async function allEnded<T>(working: readonly Promise<T>[]): Promise<readonly T[]> {
  const ends = await Promise.allSettled(working);
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
}
